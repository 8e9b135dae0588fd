"""Endpoints of a pairing: each is what the stored rows come to by the book, and disagreement is seen."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from experiments.endpoints import Endpoint, against_matches, endpoints, first_mover, legs
from experiments.outcomes import Pairing
from sim.rows import TIE
from tests.support.strategy_runs import columns, plan_of, run_into

Interval = tuple[float, float]
Rows = dict[str, np.ndarray[Any, np.dtype[np.float64]]]

GAMES: dict[str, tuple[str, str, dict[str, object]]] = {
    "three columns": ("greedy", "simple", {}),
    "many ties": ("greedy", "simple", {"match_winner": "total", "target": 1}),
    "one column": ("gin-only", "greedy", {"columns": 1}),
    "first column counts": ("threshold:knock_at=4", "simple", {"match_winner": "first_column", "game_bonus": 50}),
    "a point a match apart": ("threshold:knock_at=9", "simple", {"undercut_bonus": 25}),
}


class Played:
    """A pairing that was played, and its stored rows as floats, shape (pairs, 2)."""

    def __init__(self, folder: Path, players: tuple[str, str], pairs: int, options: dict[str, object]) -> None:
        plan = plan_of(*players, pairs=pairs, detail="matches", options=options)
        (pairing,) = run_into(folder, plan).pairings
        assert isinstance(pairing, Pairing)
        self.pairing, self.pairs = pairing, pairs
        found = columns(folder / "matches" / "part-000000.parquet")
        self.rows: Rows = {
            name: np.array(values, dtype=float).reshape(-1, 2)
            for name, values in found.items()
            if not name.startswith("strategy_")  # the others are numbers; null becomes NaN
        }
        winner = self.rows["match_winner"]
        self.score = np.where(winner == TIE, 0.5, winner == 0)

    def mean(self, values: np.ndarray[Any, Any]) -> tuple[float, Interval]:
        """Return the mean over pairs of the mean of both legs, and its t interval."""
        by_pair = values.mean(axis=1)
        se = by_pair.std(ddof=1) / math.sqrt(self.pairs)
        return float(by_pair.mean()), self.around(float(by_pair.mean()), se)

    def ratio(self, top: np.ndarray[Any, Any], bottom: np.ndarray[Any, Any]) -> tuple[float, Interval]:
        """Return the ratio of sums, and its interval by the delta method over pairs (Cochran 1977, 6.4)."""
        y, x = top.sum(axis=1), bottom.sum(axis=1)
        rate = y.sum() / x.sum()
        se = np.std(y - rate * x, ddof=1) / x.mean() / math.sqrt(self.pairs)
        return float(rate), self.around(float(rate), float(se))

    def around(self, mean: float, se: float) -> Interval:
        half = float(stats.t.ppf(0.975, self.pairs - 1)) * se
        return mean - half, mean + half

    def expected(self) -> dict[str, tuple[float, Interval]]:
        """Return every endpoint by name, computed from the rows."""
        rows = self.rows
        won = {"matches": self.mean(self.score)}
        for column in (1, 2, 3):
            winner = rows[f"column{column}_winner"]
            if np.isfinite(winner).any():
                won[f"column {column}"] = self.ratio(winner == 0, winner <= 1)
        return {
            **won,
            "settled points": self.mean(rows["settlement"]),
            "deal points": self.mean(rows["deal_points_a"] - rows["deal_points_b"]),
            "deals won": self.ratio(rows["deals_won_a"], rows["deals_won_a"] + rows["deals_won_b"]),
        }


Play = Callable[..., Played]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    def call(a: str, b: str, options: dict[str, object] | None = None, pairs: int = 200) -> Played:
        return Played(tmp_path / f"{a}-{b}-{pairs}".replace(":", "-"), (a, b), pairs, options or {})

    return call


# --- estimates and intervals


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_endpoint_is_what_the_stored_rows_come_to(game: tuple[str, str, dict[str, object]], play: Play) -> None:
    played = play(*game)
    found = endpoints(played.pairing)
    expected = played.expected()
    assert [endpoint.name for endpoint in found] == list(expected)
    for endpoint in found:
        estimate, (low, high) = expected[endpoint.name]
        assert endpoint.estimate == pytest.approx(estimate, rel=1e-12, abs=1e-12), endpoint.name
        assert (endpoint.low, endpoint.high) == pytest.approx((low, high), rel=1e-9, abs=1e-9), endpoint.name
        points = endpoint.name.endswith("points")
        assert (endpoint.unit, endpoint.even) == (("points a match", 0.0) if points else ("share", 0.5))


def test_column_that_nobody_won_is_left_out(play: Play) -> None:
    pairing = play("greedy", "simple", pairs=20).pairing
    never = {name: [*sums[:2], 0] for name, sums in pairing.tally.items() if name.startswith("columns_")}
    found = endpoints(replace(pairing, tally=pairing.tally | never))
    assert [e.name for e in found if e.name.startswith("column")] == ["column 1", "column 2"]


def test_mirror_is_even_in_every_endpoint_and_favours_neither(play: Play) -> None:
    found = endpoints(play("simple", "simple").pairing)
    assert [endpoint.estimate for endpoint in found] == [endpoint.even for endpoint in found]
    assert {endpoint.favours for endpoint in found} == {"neither"}
    assert all(math.isfinite(endpoint.low + endpoint.high) for endpoint in found)


def test_single_pair_has_no_interval_of_points_and_valid_json(play: Play) -> None:
    found = endpoints(play("greedy", "simple", pairs=1).pairing)
    for endpoint in found:
        document = json.loads(json.dumps(endpoint.document(), allow_nan=False))
        assert document["favours"] == "neither"
        if endpoint.unit == "share":
            low, high = document["interval"]
            assert 0 <= low <= endpoint.estimate <= high <= 1
            assert high - low > 0.9
        else:
            assert document["interval"] is None


def test_player_who_wins_everything_has_an_interval_that_leaves_room_for_losing(play: Play) -> None:
    found = {e.name: e for e in endpoints(play("greedy", "random", pairs=50).pairing)}
    for name in ("matches", "column 1"):
        assert (found[name].estimate, found[name].high, found[name].favours) == (1.0, 1.0, "A")
        assert found[name].low == pytest.approx(0.025 ** (1 / 50))


# --- disagreement


def endpoint(name: str, low: float, high: float, even: float = 0.5) -> Endpoint:
    return Endpoint(name, "share" if even else "points a match", (low + high) / 2, low, high, even)


def test_endpoint_favours_a_side_only_with_its_whole_interval() -> None:
    assert endpoint("x", 0.501, 0.6).favours == "A"
    assert endpoint("x", 0.4, 0.499).favours == "B"
    assert {endpoint("x", *limits).favours for limits in ((0.5, 0.6), (0.4, 0.5), (0.49, 0.51))} == {"neither"}
    assert (endpoint("x", 0.1, 3.0, even=0.0).favours, endpoint("x", -3.0, -0.1, even=0.0).favours) == ("A", "B")


def test_only_plain_disagreement_with_plain_matches_is_told() -> None:
    ahead, behind, close = (0.55, 0.6), (0.4, 0.45), (0.49, 0.52)
    deals, points = endpoint("deals won", *behind), endpoint("deal points", -5.0, -1.0, even=0.0)
    column = endpoint("column 1", *ahead)
    assert against_matches([endpoint("matches", *ahead), column, points, deals]) == [points, deals]
    assert against_matches([endpoint("matches", *behind), column, points, deals]) == [column]
    assert against_matches([endpoint("matches", *close), column, points, deals]) == []
    assert against_matches([endpoint("matches", *ahead), column, endpoint("deals won", *close)]) == []


def test_gin_only_wins_fewer_deals_but_more_matches_when_undercuts_are_dear(play: Play) -> None:
    dear = play("gin-only", "threshold:knock_at=10", {"undercut_bonus": 25}).pairing
    assert [e.name for e in against_matches(endpoints(dear))] == ["deals won"]
    turned = play("threshold:knock_at=10", "gin-only", {"undercut_bonus": 25}).pairing
    assert [e.name for e in against_matches(endpoints(turned))] == ["deals won"]
    cheap = play("gin-only", "greedy").pairing
    assert endpoints(cheap)[0].favours == "B"


# --- legs


@pytest.mark.parametrize("game", list(GAMES.values())[:3], ids=list(GAMES)[:3])
def test_rho_is_the_correlation_of_the_legs(game: tuple[str, str, dict[str, object]], play: Play) -> None:
    played = play(*game)
    found = legs(played.pairing)
    assert found.rho == pytest.approx(np.corrcoef(played.score.T)[0, 1], abs=1e-12)
    assert found.gain == pytest.approx(1 / (1 + found.rho))


def test_gain_is_how_many_times_as_many_matches_would_tell_as_much(play: Play) -> None:
    played = play("greedy", "simple", pairs=2_000)
    apart = played.score.var() / (2 * played.pairs)
    paired = played.score.mean(axis=1).var() / played.pairs
    assert legs(played.pairing).gain == pytest.approx(apart / paired, rel=0.02)


def test_legs_of_a_mirror_cancel_wholly(play: Play) -> None:
    found = legs(play("simple", "simple").pairing)
    assert found.rho == pytest.approx(-1)
    assert found.gain == math.inf


def test_legs_without_spread_show_no_correlation(play: Play) -> None:
    for pairing in (play("greedy", "random", pairs=50).pairing, play("greedy", "simple", pairs=1).pairing):
        assert (legs(pairing).rho, legs(pairing).gain) == (0.0, 1.0)


# --- who moves first


@pytest.mark.parametrize("game", list(GAMES.values())[:2], ids=list(GAMES)[:2])
def test_first_mover_is_the_side_that_does_not_deal_first(game: tuple[str, str, dict[str, object]], play: Play) -> None:
    played = play(*game)
    found = first_mover([played.pairing])
    moved_first = played.rows["first_dealer"] == 1
    estimate, limits = played.mean(np.where(moved_first, played.score, 1 - played.score))
    assert found.estimate == pytest.approx(estimate)
    assert (found.low, found.high) == pytest.approx(limits)


def test_first_mover_of_one_pair_is_undecided_whatever_it_came_to() -> None:
    lost = Pairing("a", "b", {"pairs": 1, "first_mover": 0, "first_mover_squared": 0})
    found = first_mover([lost])
    assert (found.estimate, found.low) == (0, 0)
    assert found.high == pytest.approx(0.975)
    assert found.favours == "neither"


def test_first_mover_of_several_pairings_is_as_uncertain_as_they_are_on_average(play: Play) -> None:
    pairings = [play("greedy", "simple").pairing, play("gin-only", "simple").pairing]
    each = [first_mover([pairing]) for pairing in pairings]
    both = first_mover(pairings)
    assert both.estimate == pytest.approx(sum(e.estimate for e in each) / 2)
    assert both.high - both.low == pytest.approx(sum(e.high - e.low for e in each) / 2)
    assert both.low < both.estimate < both.high
