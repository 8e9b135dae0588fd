"""A sweep is what its rows say: shares, deals, points, who is dropped and when, whatever the threads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments.arms import make_arms
from experiments.simulate import Request, RequestError
from experiments.sweep import EACH_OTHER, FIELD, Asked, Sweep, lay_out, sweep
from experiments.validate import YARDSTICKS
from sim.batch.runner import Watch
from sim.rows import TIE
from tests.support.strategy_files import write_player
from tests.support.strategy_runs import columns, files_in, manifest, part_lines, plan_of, run_into

PART = 64
RACE = 768
Rows = dict[tuple[str, str], dict[str, Any]]


def play(folder: Path, *params: str, player: str = "threshold", threads: int = 1, **options: Any) -> Sweep:
    """Play a sweep; `against`, `pairs`, `rules` and `racing` as the command has them."""
    against, racing = options.pop("against", [EACH_OTHER]), options.pop("racing", True)
    request = Request((), **{"pairs": 60, "seed": 7, **options})
    layout = lay_out(make_arms(player, params), against, request)
    return sweep(layout, Asked(player, params, racing), folder, (threads, Watch()))


def rows_of(folder: Path) -> Rows:
    """Return the rows of each pairing, as columns, all parts after one another."""
    rows: Rows = {}
    for line in part_lines(folder):
        part = {name: np.array(values) for name, values in columns(folder / line["matches"]["file"]).items()}
        known = rows.setdefault((line["a"], line["b"]), {name: values[:0] for name, values in part.items()})
        rows[line["a"], line["b"]] = {name: np.append(known[name], part[name]) for name in part}
    return rows


def views_of(rows: Rows, player: str) -> list[tuple[float, dict[str, int]]]:
    """Return a player's share of the matches against each opponent, and its sums there."""
    views = []
    for pairing, part in rows.items():
        for side, own, other in ((0, "a", "b"), (1, "b", "a")):
            if pairing[side] != player or (side and pairing[0] == player):
                continue
            won = part["match_winner"]
            sums = {name: int(part[f"deals_won_{of}"].sum()) for name, of in (("won", own), ("lost", other))}
            points = {name: int(part[f"deal_points_{of}"].sum()) for name, of in (("made", own), ("gave", other))}
            share = float((won == side).mean() + (won == TIE).mean() / 2)
            views.append((share, {**sums, **points, "matches": len(won)}))
    return views


def assert_is_what_the_rows_say(found: Sweep, rows: Rows) -> None:
    """Compare every setting with its means and sums over opponents."""
    for arm in found.arms:
        views = views_of(rows, arm.arm.player)
        assert arm.match_win_rate == pytest.approx(np.mean([share for share, _ in views]), abs=1e-12)
        won, lost, made, gave, matches = (
            sum(sums[name] for _, sums in views) for name in ("won", "lost", "made", "gave", "matches")
        )
        assert arm.sums.deal_win_rate == pytest.approx(won / (won + lost))
        assert arm.sums.points_a_win == pytest.approx(made / won)
        assert arm.sums.net_points == pytest.approx((made - gave) / matches)
        assert [sums["matches"] for _, sums in views] == [2 * arm.pairs] * len(views)


def test_shares_deals_and_points_against_opponents_are_those_of_the_rows(tmp_path: Path) -> None:
    found = play(tmp_path / "run", "knock_at=0:10:5", against=["simple", "greedy"])
    rows = rows_of(tmp_path / "run")
    assert list(rows) == [(f"threshold:knock_at={k}", rival) for k in (0, 5, 10) for rival in ("simple", "greedy")]
    assert_is_what_the_rows_say(found, rows)
    assert found.deals == sum(int(part["deals_played"].sum()) for part in rows.values())


def test_shares_deals_and_points_among_each_other_count_both_sides(tmp_path: Path) -> None:
    found = play(tmp_path / "run", "knock_at=0:9:3")
    rows = rows_of(tmp_path / "run")
    assert len(rows) == 6
    assert all(len(views_of(rows, arm.arm.player)) == 3 for arm in found.arms)
    assert_is_what_the_rows_say(found, rows)
    assert found.deals == sum(int(part["deals_played"].sum()) for part in rows.values())


@pytest.mark.parametrize("match_winner", ["majority", "total"])
def test_shares_of_settings_that_play_each_other_average_one_half(match_winner: str, tmp_path: Path) -> None:
    options = {"match_winner": match_winner, "target": "10"}  # short matches, so that totals tie now and then
    found = play(tmp_path / "run", "knock_at=0:8:2", options=options)
    assert np.mean([arm.match_win_rate for arm in found.arms]) == pytest.approx(0.5, abs=1e-12)
    ties = sum(int((part["match_winner"] == TIE).sum()) for part in rows_of(tmp_path / "run").values())
    assert match_winner == "majority" or ties


def test_two_settings_that_play_each_other_mirror_one_another(tmp_path: Path) -> None:
    one, other = play(tmp_path / "run", "knock_at=0,10", pairs=300).arms
    assert one.match_win_rate == pytest.approx(1 - other.match_win_rate)
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low))
    assert (one.sums.deals_won, one.sums.points) == (other.sums.deals_lost, other.sums.points_lost)


@pytest.mark.parametrize("rival", ["threshold:knock_at=5", "threshold", " threshold: knock_at=05"])
def test_setting_that_meets_itself_is_exactly_even(rival: str, tmp_path: Path) -> None:
    same, other = play(tmp_path / "run", "knock_at=5,8", against=[rival]).arms
    assert (same.match_win_rate, same.low, same.high) == (0.5, 0.5, 0.5)
    assert same.sums.deal_win_rate == 0.5
    assert same.sums.net_points == 0
    assert other.low < other.match_win_rate < other.high


def test_opponent_named_twice_is_one_opponent(tmp_path: Path) -> None:
    once = play(tmp_path / "once", "knock_at=0,8", against=["greedy+on-schneid"], pairs=20)
    names = ["greedy+on-schneid", "greedy+on_schneid", " greedy+on-schneid "]
    twice = play(tmp_path / "twice", "knock_at=0,8", against=names, pairs=20)
    assert twice.layout.opponents == ("greedy+on-schneid",)
    assert numbers(twice) == numbers(once)


def test_field_is_the_yardsticks_each_once(tmp_path: Path) -> None:
    layout = lay_out(make_arms("threshold", ["knock_at=0:2"]), [FIELD, "greedy", YARDSTICKS[0]], Request((), 10))
    assert layout.opponents == (*YARDSTICKS, "greedy")
    assert layout.plan.names()[:4] == [("threshold:knock_at=0", rival) for rival in layout.opponents]
    found = play(tmp_path / "run", "knock_at=0:2", against=[FIELD], pairs=10)
    assert_is_what_the_rows_say(found, rows_of(tmp_path / "run"))


@pytest.mark.parametrize("against", [["self", "simple"], ["simple", "self"], ["field", "self"]])
def test_each_other_stands_alone(against: list[str]) -> None:
    with pytest.raises(RequestError, match="--against self stands alone"):
        lay_out(make_arms("threshold", ["knock_at=0:2"]), against, Request((), 10))


def numbers(found: Sweep) -> dict[str, Any]:
    """Return what a sweep found, leaving out where and how fast."""
    told = found.document()
    return {name: told[name] for name in told if name not in ("run", "seconds", "deals_per_second", "against")}


@pytest.mark.parametrize("against", [[EACH_OTHER], ["simple", "random"]])
def test_answer_and_rows_do_not_depend_on_the_threads(
    against: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.batch.plan.PART_PAIRS", PART)
    found = [
        play(tmp_path / str(threads), "knock_at=0:10:5", against=against, pairs=640, threads=threads)
        for threads in (1, 2)
    ]
    assert numbers(found[0]) == numbers(found[1])
    assert bytes_of(tmp_path / "1") == bytes_of(tmp_path / "2")


def bytes_of(folder: Path) -> dict[str, str]:
    """Return the checksum of each file of rows."""
    lines = part_lines(folder)
    assert {line["matches"]["file"] for line in lines} == {f for f in files_in(folder) if f.endswith(".parquet")}
    return {line["matches"]["file"]: line["matches"]["sha256"] for line in lines}


def test_rows_of_a_setting_are_those_of_simulate(tmp_path: Path) -> None:
    play(tmp_path / "sweep", "knock_at=0,5", against=["simple", "random"])
    for (a, b), swept in rows_of(tmp_path / "sweep").items():
        run_into(tmp_path / f"{a} {b}", plan_of(a, b, pairs=60, seed=7, detail="matches"))
        (alone,) = rows_of(tmp_path / f"{a} {b}").values()
        assert swept.keys() == alone.keys()
        for name, values in swept.items():
            same = values.dtype == alone[name].dtype and values.tolist() == alone[name].tolist()
            assert same, name


def test_players_from_files_are_swept(tmp_path: Path) -> None:
    path = write_player(tmp_path, "my_bot", knock="return view.deadwood <= p.knob")
    found = play(tmp_path / "run", "knob=0,10", player=str(path), against=["simple", str(path)], pairs=20)
    assert [arm.arm.player for arm in found.arms] == [f"{path}:knob={knob}" for knob in (0, 10)]
    assert_is_what_the_rows_say(found, rows_of(tmp_path / "run"))


def test_partners_are_swept(tmp_path: Path) -> None:
    found = play(tmp_path / "run", "knock_at=0,10", rules="partnership", against=["greedy/simple", "random"], pairs=20)
    assert_is_what_the_rows_say(found, rows_of(tmp_path / "run"))
    assert found.layout.opponents == ("greedy/simple", "random")


# --- racing


@pytest.fixture(scope="module")
def races(tmp_path_factory: pytest.TempPathFactory) -> tuple[Sweep, Sweep]:
    """Return the same sweep played with and without dropping losers, in small parts."""
    folder = tmp_path_factory.mktemp("races")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sim.batch.plan.PART_PAIRS", PART)
        ways = {"race": True, "all": False}
        against = ["simple", "gin-only"]
        race, full = (
            play(folder / way, "knock_at=2,9,10,5,0", against=against, pairs=RACE, racing=racing)
            for way, racing in ways.items()
        )
    return race, full


def test_race_drops_clear_losers_only_and_after_whole_parts(races: tuple[Sweep, Sweep]) -> None:
    race, full = races
    _, low, _ = full.matrix
    best = next(place for place, arm in enumerate(full.arms) if arm.is_best)
    dropped = [place for place, arm in enumerate(race.arms) if arm.dropped]
    assert dropped
    for place in dropped:
        assert low[best, place] > 0
        assert 0 < race.arms[place].pairs < RACE
        assert race.arms[place].pairs % PART == 0
        assert not race.arms[place].on_plateau
    assert {arm.pairs for arm in race.survivors} == {RACE}


def test_race_finds_the_winner_and_the_plateau_of_the_whole_sweep(races: tuple[Sweep, Sweep]) -> None:
    race, full = races
    for whole, raced in zip(full.arms, race.arms, strict=True):
        assert (raced.arm, raced.is_best, raced.on_plateau) == (whole.arm, whole.is_best, whole.on_plateau)
        if not raced.dropped:
            assert (raced.match_win_rate, raced.sums) == (whole.match_win_rate, whole.sums)
    assert not any(arm.dropped for arm in full.arms)


def test_rows_of_a_race_are_a_part_of_those_of_the_whole_sweep(races: tuple[Sweep, Sweep]) -> None:
    race, full = (bytes_of(found.run) for found in races)
    assert race.items() < full.items()
    assert_is_what_the_rows_say(races[0], rows_of(races[0].run))
    assert races[0].deals == sum(line["deals_played"] for line in part_lines(races[0].run))


def test_manifest_says_who_was_dropped(races: tuple[Sweep, Sweep]) -> None:
    race, full = races
    out = [arm.arm.player for arm in race.arms if arm.dropped]
    assert (manifest(race.run)["status"], manifest(race.run)["dropped"]) == ("stopped", out)
    assert (manifest(full.run)["status"], manifest(full.run)["dropped"]) == ("complete", [])
    kept = json.loads((race.run / "summary.json").read_text(encoding="utf-8"))
    assert kept == race.document()
    assert [arm["player"] for arm in kept["arms"] if arm["dropped"]] == out
    assert kept["matrix"]["players"] == [arm.arm.player for arm in race.survivors]


def test_race_ends_when_one_setting_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.batch.plan.PART_PAIRS", PART)
    told: list[int] = []
    layout = lay_out(make_arms("threshold", ["knock_at=2,10"]), ["simple"], Request((), 100 * PART, seed=7))
    asked = Asked("threshold", ("knock_at=2,10",))
    loser, winner = sweep(layout, asked, tmp_path / "run", (2, Watch()), told.append).arms
    assert (loser.dropped, winner.dropped) == (True, False)
    assert loser.pairs == winner.pairs < 100 * PART  # both were dropped or won at the same look
    assert (winner.is_best, winner.on_plateau, loser.on_plateau) == (True, True, False)
    assert manifest(tmp_path / "run")["status"] == "stopped"
    assert manifest(tmp_path / "run")["dropped"] == [loser.arm.player]
    assert told[0] == 200 * PART
    assert told[-1] == loser.pairs + 100 * PART


def test_settings_that_play_each_other_are_never_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.batch.plan.PART_PAIRS", PART)
    found = play(tmp_path / "run", "knock_at=1,10", pairs=12 * PART)
    assert [arm.pairs for arm in found.arms] == [12 * PART] * 2
    assert found.arms[1].low > 0.5
    assert manifest(tmp_path / "run")["status"] == "complete"
