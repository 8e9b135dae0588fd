"""A tournament is what its rows say: ranks, ratings, who beats whom, who cannot be told apart, the first mover."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from analysis.equilibrium import equilibrium
from analysis.ratings import Meeting, ratings
from analysis.superiority import superiority_matrix, undecided
from experiments.simulate import Request, RequestError
from experiments.tournament import Tournament, draw_up, rate, tournament
from sim.batch.runner import Watch
from sim.rows import TIE
from tests.support.strategy_runs import columns, manifest, part_lines, plan_of, run_into

PLAYERS = ("threshold:knock_at=2", "greedy", "random", "simple")
BLOCK = 256
PAIRS = 600
Rows = dict[tuple[str, str], dict[str, npt.NDArray[Any]]]


def play(folder: Path, *players: str, gauntlet: bool = False, threads: int = 1, **options: Any) -> Tournament:
    """Play a tournament; options are those of a request."""
    request = Request(players, **{"pairs": PAIRS, "seed": 3, **options})
    return tournament(draw_up(request, gauntlet=gauntlet), folder, threads, Watch())


@pytest.fixture(scope="module")
def everyone(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """Return a tournament of players who differ, two of them a little."""
    return play(tmp_path_factory.mktemp("everyone") / "run", *PLAYERS, threads=2)


@pytest.fixture(scope="module")
def gauntlet(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """Return the same for the first against the others."""
    return play(tmp_path_factory.mktemp("gauntlet") / "run", *PLAYERS, gauntlet=True)


@pytest.fixture(params=["everyone", "gauntlet"])
def found(request: pytest.FixtureRequest) -> Tournament:
    """Return both in turn."""
    played: Tournament = request.getfixturevalue(request.param)
    return played


def rows_of(folder: Path) -> Rows:
    """Return the rows of each pairing, which must be in one part."""
    lines = part_lines(folder)
    rows = {
        (line["a"], line["b"]): {k: np.array(v) for k, v in columns(folder / line["matches"]["file"]).items()}
        for line in lines
    }
    assert len(rows) == len(lines)
    return rows


def scores(part: dict[str, npt.NDArray[Any]], side: int = 0) -> npt.NDArray[np.float64]:
    """Return a side's score in each match: 0, 1/2 or 1."""
    return np.where(part["match_winner"] == TIE, 0.5, part["match_winner"] == side)


def meetings_of(rows: Rows, players: tuple[str, ...]) -> list[Meeting]:
    """Count pairs by score in blocks of 256, one pair at a time."""
    meetings = []
    for (a, b), part in rows.items():
        order = np.lexsort((part["leg"], part["pair"]))
        of_pairs = scores(part)[order].reshape(-1, 2).mean(axis=1)
        blocks = np.zeros((-(-len(of_pairs) // BLOCK), 5), np.int64)
        for pair, score in enumerate(of_pairs):
            blocks[pair // BLOCK, int(4 * score)] += 1
        meetings.append(Meeting(players.index(a), players.index(b), blocks))
    return meetings


def test_ratings_are_those_of_counts_taken_from_the_rows(found: Tournament) -> None:
    meetings = meetings_of(rows_of(found.outcome.run), PLAYERS)
    wanted = ratings(len(PLAYERS), meetings)
    for standing in found.standings:
        place = PLAYERS.index(standing.player)
        told = (standing.rating, standing.low, standing.high)
        assert told == (wanted.rating[place], wanted.low[place], wanted.high[place])


def test_ranks_run_from_one_with_falling_ratings(found: Tournament) -> None:
    assert [standing.rank for standing in found.standings] == list(range(1, len(PLAYERS) + 1))
    ordered = [standing.rating for standing in found.standings]
    assert ordered == sorted(ordered, reverse=True)
    assert {standing.player for standing in found.standings} == set(PLAYERS)
    assert found.standings[-1].player == "random"


def test_shares_and_sums_are_those_of_the_rows(found: Tournament) -> None:
    rows = rows_of(found.outcome.run)
    for standing in found.standings:
        views = [(part, side) for names, part in rows.items() for side in (0, 1) if names[side] == standing.player]
        assert standing.match_win_rate == pytest.approx(np.mean([scores(*view).mean() for view in views]))
        won, lost, points, given = (
            sum(int(part[f"{name}_{names[side]}"].sum()) for part, side in views)
            for name, names in (("deals_won", "ab"), ("deals_won", "ba"), ("deal_points", "ab"), ("deal_points", "ba"))
        )
        assert standing.sums.deal_win_rate == pytest.approx(won / (won + lost))
        assert standing.sums.points_a_win == pytest.approx(points / won)
        assert standing.sums.net_points == pytest.approx((points - given) / (2 * PAIRS * len(views)))


def test_matrices_are_in_the_order_of_the_standings(found: Tournament) -> None:
    rows, names = rows_of(found.outcome.run), [standing.player for standing in found.standings]
    sure = superiority_matrix(len(PLAYERS), meetings_of(rows, PLAYERS))
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            told, chance = found.win_rates[i, j], found.superiority[i, j]
            if a == b:
                assert (told, chance) == (0.5, 0.5)
            elif (a, b) in rows or (b, a) in rows:
                part, side = (rows[a, b], 0) if (a, b) in rows else (rows[b, a], 1)
                assert told == pytest.approx(scores(part, side).mean())
                assert chance == sure[PLAYERS.index(a), PLAYERS.index(b)]
            else:
                assert np.isnan(told)
                assert np.isnan(chance)


def test_each_pairing_is_won_lost_or_undecided_once(found: Tournament) -> None:
    rows = rows_of(found.outcome.run)
    beats = {(s.player, other) for s in found.standings for other in s.beats}
    unsure = {(s.player, other) for s in found.standings for other in s.undecided_with}
    assert {(b, a) for a, b in unsure} == unsure
    for (a, b), is_open in zip(rows, undecided(meetings_of(rows, PLAYERS)), strict=True):
        assert ((a, b) in unsure) == is_open
        assert ((a, b) in beats) == (not is_open and scores(rows[a, b]).mean() > 0.5)
        assert ((b, a) in beats) == (not is_open and scores(rows[a, b]).mean() < 0.5)
    assert len(beats) + len(unsure) / 2 == len(rows)
    assert len(beats) >= 3  # everyone beats random


def first_movers(rows: Rows) -> tuple[float, float]:
    """Count the matches that the side not dealing first won, ties half; and take the mean 95% half width by pairs."""
    shares, halves = [], []
    for part in rows.values():
        both = zip(part["first_dealer"], part["match_winner"], strict=True)
        won = np.array([0.5 if winner == TIE else float(winner != dealer) for dealer, winner in both])
        of_pairs = won[np.lexsort((part["leg"], part["pair"]))].reshape(-1, 2).mean(axis=1)
        shares.append(won.mean())
        halves.append(1.96 * of_pairs.std(ddof=1) / np.sqrt(len(of_pairs)))
    return float(np.mean(shares)), float(np.mean(halves))


def test_first_mover_wins_what_the_rows_say(found: Tournament) -> None:
    told, (share, half) = found.first_mover, first_movers(rows_of(found.outcome.run))
    assert told.estimate == pytest.approx(share)
    assert 0 <= told.low < told.estimate < told.high <= 1
    assert told.high - told.estimate >= half  # more, as no pair with random ever differs


def test_interval_of_the_first_mover_is_the_mean_of_the_pairings_and_ties_count_half(tmp_path: Path) -> None:
    options = {"match_winner": "total", "target": "1"}  # one deal decides, and some matches are ties
    found = play(tmp_path / "run", "simple", "greedy", "gin-only", options=options, pairs=2_000)
    rows = rows_of(found.outcome.run)
    assert any((part["match_winner"] == TIE).any() for part in rows.values())
    share, half = first_movers(rows)
    assert found.first_mover.estimate == pytest.approx(share)
    assert (found.first_mover.high - found.first_mover.low) / 2 == pytest.approx(half, rel=0.02)


def test_mix_is_the_equilibrium_of_the_shares(everyone: Tournament) -> None:
    solved = equilibrium(everyone.win_rates)
    assert [standing.mix for standing in everyone.standings] == pytest.approx(solved.mix, abs=1e-6)
    assert sum(standing.mix or 0 for standing in everyone.standings) == pytest.approx(1)
    for row, standing in enumerate(everyone.standings):
        worst = everyone.win_rates[row].min()
        assert standing.exploitability == pytest.approx(0.5 - worst)
        if standing.exploiter is None:
            assert worst >= 0.5
        else:
            rival = [s.player for s in everyone.standings].index(standing.exploiter)
            assert everyone.win_rates[row, rival] == worst


def test_gauntlet_plays_the_pairings_of_the_first_only_and_has_no_equilibrium(gauntlet: Tournament) -> None:
    assert list(rows_of(gauntlet.outcome.run)) == [(PLAYERS[0], rival) for rival in PLAYERS[1:]]
    for standing in gauntlet.standings:
        assert (standing.mix, standing.exploitability, standing.exploiter) == (None, None, None)
        met = [*standing.beats, *standing.undecided_with]
        assert standing.player == PLAYERS[0] or set(met) <= {PLAYERS[0]}


def test_rows_of_a_pairing_are_those_of_the_gauntlet_and_of_simulate(
    everyone: Tournament, gauntlet: Tournament, tmp_path: Path
) -> None:
    whole, few = rows_of(everyone.outcome.run), rows_of(gauntlet.outcome.run)
    run_into(tmp_path / "run", plan_of("greedy", "simple", pairs=PAIRS, seed=3, detail="matches"))
    alone = rows_of(tmp_path / "run")
    for pairing, part in {**few, **alone}.items():
        assert all((whole[pairing][name] == values).all() for name, values in part.items())


def test_answer_does_not_depend_on_the_threads(everyone: Tournament, tmp_path: Path) -> None:
    again = play(tmp_path / "run", *PLAYERS, threads=1)
    places = ("run", "seconds", "deals_per_second")
    told = [{k: v for k, v in found.document().items() if k not in places} for found in (everyone, again)]
    assert told[0] == told[1]


def test_summary_of_the_run_is_the_document(found: Tournament) -> None:
    kept = json.loads((found.outcome.run / "summary.json").read_text(encoding="utf-8"))
    assert kept == found.document()
    assert manifest(found.outcome.run)["status"] == "complete"


def test_player_who_wins_every_match_is_named_and_rated_first(tmp_path: Path) -> None:
    players = ("random", "simple", "threshold:knock_at=9")
    found = play(tmp_path / "run", *players, pairs=20, gauntlet=True)
    assert found.lost_all == ("random",)
    assert set(found.won_all) == {"simple", "threshold:knock_at=9"}
    assert [standing.match_win_rate for standing in found.standings] == [1, 1, 0]
    assert all(np.isfinite([s.rating, s.low, s.high]).all() for s in found.standings)
    both = play(tmp_path / "both", *players, pairs=20)
    assert both.lost_all == ("random",)
    assert both.won_all == ()


def test_rating_again_from_the_outcome_changes_nothing(everyone: Tournament) -> None:
    assert rate(everyone.outcome).document() == everyone.document()


def test_partners_are_rated(tmp_path: Path) -> None:
    players = ("greedy/simple", "simple", "random")
    found = play(tmp_path / "run", *players, rules="partnership", pairs=20)
    assert {standing.player for standing in found.standings} == set(players)
    assert found.standings[-1].player == "random"
    assert found.first_mover.estimate == pytest.approx(first_movers(rows_of(found.outcome.run))[0])


@pytest.mark.parametrize(
    ("players", "rules", "told"),
    [
        ((), "hollywood", "at least three strategies"),
        (("greedy", "simple"), "hollywood", "at least three strategies; for two: hollywood compare A B"),
        (("greedy", "simple", "greedy"), "hollywood", "are the same player"),
        (("threshold", "greedy", "threshold:knock_at=5"), "hollywood", '"threshold" and "threshold:knock_at=5" are'),
        (("greedy", "simple", "greedy/greedy"), "partnership", "are the same player"),
        (("greedy", "simple", "random"), "three-handed", "a tournament is between two sides"),
    ],
)
@pytest.mark.parametrize("gauntlet", [False, True])
def test_what_is_no_tournament_is_refused(players: tuple[str, ...], rules: str, told: str, gauntlet: bool) -> None:
    with pytest.raises(RequestError) as refused:
        draw_up(Request(players, pairs=5, rules=rules), gauntlet=gauntlet)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
