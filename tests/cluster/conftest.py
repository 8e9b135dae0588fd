"""What the tests of clusters share: small parts, and the command line."""

from __future__ import annotations

import pytest

from sim.batch import plan as plans
from tests.cli.conftest import hollywood

__all__ = ["hollywood", "small_parts"]


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> int:
    """Make parts of 32 pairs."""
    monkeypatch.setattr(plans, "PART_PAIRS", 32)
    return 32
