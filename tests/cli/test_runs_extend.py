"""A run that is made longer after its answer was seen says so, and gives limits that allow for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.anytime import anytime_limits
from experiments.outcomes import ScoreMoments
from tests.cli.conftest import Hollywood

PLAY = ("--pairs", "60", "--seed", "7", "--threads", "1", "--out", "run", "--quiet")
NOTE = "limits are those of a size fixed beforehand"


def moments(scores: list[int]) -> ScoreMoments:
    """Return the moments of pairs counted by A's score: 0, 1/4 .. 1."""
    pairs = sum(scores)
    mean = sum(count * place / 4 for place, count in enumerate(scores)) / pairs
    squares = sum(count * (place / 4 - mean) ** 2 for place, count in enumerate(scores))
    return ScoreMoments(pairs, mean, squares / (pairs - 1))


def test_extended_run_gives_the_limits_for_any_look_planned_for_its_first_size(hollywood: Hollywood) -> None:
    said = hollywood("simulate", "greedy", "threshold:knock_at=3", *PLAY)
    assert NOTE not in " ".join(said.out.split())
    for pairs in ("90", "120"):  # who extends twice looked thrice; what was planned stays what it was
        told = hollywood("runs", "extend", "run", "--pairs", pairs, "--json").json()
        assert told["extended"]["first_pairs"] == 60
    (pairing,), (interval,) = told["pairings"], told["extended"]["anytime_intervals"]
    now = moments(pairing["pair_scores"])
    low, high = anytime_limits(now.mean, now.variance**0.5, now.pairs, 60, share=True)
    assert interval == pytest.approx([float(low), float(high)])
    assert interval[0] < pairing["interval"][0] < pairing["interval"][1] < interval[1]
    text = hollywood("runs", "resume", "run").out
    assert NOTE in " ".join(text.split())
    assert f"greedy v threshold:knock_at=3: {100 * pairing['match_win_rate']:.1f}% ±" in text.splitlines()[-1]
    assert max(map(len, text.splitlines())) <= 80


def test_run_that_was_only_resumed_has_no_such_note(hollywood: Hollywood) -> None:
    hollywood("simulate", "greedy", "simple", *PLAY)
    assert NOTE not in " ".join(hollywood("runs", "resume", "run").out.split())
    assert "extended" not in hollywood("runs", "extend", "run", "--pairs", "60", "--json").json()


def test_comparison_allows_for_its_looks_itself(hollywood: Hollywood, tmp_path: Path) -> None:
    hollywood("compare", "greedy", "simple", "--bounds", "50:50.01", *PLAY)
    assert "extended" not in hollywood("runs", "extend", "run", "--pairs", "90", "--json").json()
    assert '"first_pairs": 60' in (tmp_path / "run" / "manifest.json").read_text(encoding="utf-8")
