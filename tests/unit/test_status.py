"""What the manifest tells of how a run came to its size."""

from __future__ import annotations

import pytest

from sim.batch.status import pairs_at_first


@pytest.mark.parametrize(
    ("manifest", "end", "first"),
    [
        ({}, 900, 0),
        ({"first_pairs": 500}, 900, 500),
        ({"first_pairs": 500}, 501, 500),
        ({"first_pairs": 500}, 500, 0),
        ({"first_pairs": 500, "experiment": {"kind": "sweep"}}, 900, 500),
        ({"first_pairs": 500, "experiment": {"kind": "compare"}}, 900, 0),
    ],
)
def test_first_size_counts_where_more_was_played_and_no_test_decides(
    manifest: dict[str, object], end: int, first: int
) -> None:
    assert pairs_at_first(manifest, end) == first
