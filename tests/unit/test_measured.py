"""The measured strengths: complete, plausible, and no farther than two points from what others have published."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from experiments.validate import PRESETS, YARDSTICKS, players
from strategies import measured as measured_module
from strategies.measured import measured
from strategies.published import PUBLISHED, Published
from strategies.registry import MODULES, WRAPPERS, parse_spec

GENERATE: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "generate.py"))
PLAYERS: dict[str, Any] = measured()["players"]
WITH_INTERVAL = {pairing: found for pairing, found in PUBLISHED.items() if found.low is not None}
POINTS = 0.02
"""How far from a published interval a measured share may lie (fraction of matches)."""


def _figures(preset: str) -> list[tuple[str, str, dict[str, Any]]]:
    return [(name, rival, found) for name, of in PLAYERS.items() for rival, found in of[preset].items()]


def test_every_player_is_measured_and_nobody_else() -> None:
    assert set(PLAYERS) == set(players())
    assert set(MODULES) <= set(PLAYERS)
    assert {f"gin-only+{wrapper}" for wrapper in WRAPPERS} <= set(PLAYERS)


@pytest.mark.parametrize("name", PLAYERS)
def test_player_is_measured_under_every_preset_against_every_other_yardstick(name: str) -> None:
    parse_spec(name)
    for preset in PRESETS:
        assert set(PLAYERS[name][preset]) == set(YARDSTICKS) - {name}
    assert PLAYERS[name]["deals_per_second"] > 1_000


def test_yardsticks_are_players_of_the_project() -> None:
    assert set(YARDSTICKS) <= set(MODULES)


@pytest.mark.parametrize("preset", PRESETS)
def test_interval_holds_its_rate_and_is_as_narrow_as_its_pairs_allow(preset: str) -> None:
    for name, rival, found in _figures(preset):
        assert 0 <= found["low"] <= found["rate"] <= found["high"] <= 1, (name, rival)
        widest = 2 * 1.96 * 0.5 / found["pairs"] ** 0.5
        assert found["high"] - found["low"] <= widest, (name, rival)


@pytest.mark.parametrize("preset", PRESETS)
def test_two_yardsticks_measured_from_either_side_agree(preset: str) -> None:
    """Shares of the two sides add up to one; the seed and so the deals are the same, the seats are not."""
    for one in YARDSTICKS:
        for other in YARDSTICKS:
            if one != other:
                mine, theirs = PLAYERS[one][preset][other], PLAYERS[other][preset][one]
                half = (mine["high"] - mine["low"] + theirs["high"] - theirs["low"]) / 2
                assert mine["rate"] + theirs["rate"] == pytest.approx(1, abs=half), (one, other)


@pytest.mark.parametrize(("name", "rival"), WITH_INTERVAL, ids=lambda player: player)
def test_share_lies_within_two_points_of_the_published_interval(name: str, rival: str) -> None:
    published, ours = WITH_INTERVAL[name, rival], PLAYERS[name]["eaai"][rival]["rate"]
    assert published.low is not None
    assert published.high is not None
    assert published.low - POINTS <= ours <= published.high + POINTS, f"{name} v {rival}: {ours} is not {published}"


@pytest.mark.parametrize(("pairing", "published"), PUBLISHED.items(), ids=lambda item: str(item))
def test_published_figure_names_a_measured_pairing_and_its_source(
    pairing: tuple[str, str], published: Published
) -> None:
    name, rival = pairing
    assert rival in PLAYERS[name]["eaai"]
    assert published.source
    assert 0 < published.rate < 1
    assert (published.low is None) == (published.high is None)
    if published.low is not None and published.high is not None:
        assert published.low < published.rate < published.high


def test_published_thresholds_are_ordered_as_measured() -> None:
    """The lower the threshold, the more matches it wins, in the source and here."""
    names = [f"threshold:knock_at={points}" for points in (2, 4, 6, 8)]
    for rates in (
        [PUBLISHED[name, "simple"].rate for name in names],
        [PLAYERS[name]["eaai"]["simple"]["rate"] for name in names],
    ):
        assert rates == sorted(rates, reverse=True)


@pytest.mark.parametrize("preset", PRESETS)
def test_page_shows_every_measured_share_and_published_figure(preset: str) -> None:
    page = GENERATE["validation_table"](preset)
    rows = {line.split("|")[1].strip().strip("`"): line for line in page.splitlines()[2:]}
    assert list(rows) == players()
    for name, rival, found in _figures(preset):
        assert f"{100 * found['rate']:.1f} ±" in rows[name], (name, rival)
    if preset == "eaai":
        for (name, rival), published in PUBLISHED.items():
            assert f"{rival} {published.text()}" in rows[name]


def test_nothing_measured_is_an_empty_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured_module, "MEASURED", tmp_path / "none.toml")
    assert measured_module.measured() == {"players": {}}
