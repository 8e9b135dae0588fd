"""`hollywood simulate` in partnership and three-handed play: what it prints, what it keeps, and exact symmetries."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.rows import TIE_OF_THREE
from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import Said
from tests.support.strategy_files import write_player
from tests.support.strategy_runs import columns, files_in, part_lines

PARTNERS, THREE = ("--rules", "partnership"), ("--rules", "three-handed")
TOLD = {"run", "seed", "pairs", "deals", "seconds", "deals_per_second", "rules", "pairings"}
TRIO = {"a", "b", "c", "match_win_rates", "intervals", "tie_rate", "deals_per_match"}
PAIRING = {
    "a",
    "b",
    "match_win_rate",
    "interval",
    "deals_per_match",
    "deal_win_rate",
    "column_win_rates",
    "pair_scores",
}


def played(hollywood: Hollywood, *arguments: str, out: str = "run") -> dict[str, Any]:
    """Run `simulate --json` with a seed and return the document."""
    found: dict[str, Any] = hollywood("simulate", *arguments, "--seed", "21", "--out", out, "--json").json()
    return found


def refused(said: Said, *named: str) -> None:
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert "unexpected" not in said.err
    for words in named:
        assert words in said.err


def thirds(folder: Path) -> Any:
    """Return what each side made of each card stream, shape (streams, 3): 3 a match won, 1 a tie, 0 to 18."""
    winners = np.array(columns(folder / "trios" / "part-000000.parquet")["match_winner"])
    scores = np.where(winners[:, None] == TIE_OF_THREE, 1, 3 * (winners[:, None] == np.arange(3)))
    return scores.reshape(-1, 6, 3).sum(axis=1)


# --- three-handed


def test_trio_json_has_the_fields_that_scripts_use(hollywood: Hollywood, tmp_path: Path) -> None:
    told = played(hollywood, "greedy", "simple", "gin-only", *THREE, "--pairs", "30")
    assert told.keys() == TOLD
    (trio,) = told["pairings"]
    assert trio.keys() == TRIO
    assert [trio[letter] for letter in "abc"] == ["greedy", "simple", "gin-only"]
    assert (told["pairs"], told["rules"], told["seed"]) == (30, "three-handed", 21)
    assert math.fsum(trio["match_win_rates"]) == pytest.approx(1)
    assert trio["deals_per_match"] == pytest.approx(told["deals"] / 180)
    assert json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8")) == told
    assert {name.split("/")[0] for name in files_in(tmp_path / "run") if name.endswith(".parquet")} == {"trios"}


def test_trio_rates_and_intervals_are_those_of_the_card_streams(hollywood: Hollywood, tmp_path: Path) -> None:
    """The unit is a card stream in all six seatings: its mean share, and 1.96 standard errors around it."""
    (trio,) = played(hollywood, "greedy", "simple", "threshold:knock_at=3", *THREE, "--pairs", "400")["pairings"]
    shares = thirds(tmp_path / "run") / 18
    means, errors = shares.mean(axis=0), shares.std(axis=0, ddof=1) / math.sqrt(400)
    assert trio["match_win_rates"] == pytest.approx(means.tolist())
    for (low, high), mean, error in zip(trio["intervals"], means, errors, strict=True):
        assert low < mean < high
        assert (high - low) / 2 == pytest.approx(1.96 * error, rel=0.03)
    rows = columns(tmp_path / "run" / "trios" / "part-000000.parquet")
    assert trio["tie_rate"] == pytest.approx(rows["match_winner"].count(TIE_OF_THREE) / 2_400)
    assert len(rows["leg"]) == 2_400


def test_same_player_three_times_makes_exactly_a_third_of_every_card_stream(
    hollywood: Hollywood, tmp_path: Path
) -> None:
    (trio,) = played(hollywood, "greedy", "greedy", "greedy", *THREE, "--pairs", "60")["pairings"]
    assert (thirds(tmp_path / "run") == 6).all()
    assert trio["match_win_rates"] == pytest.approx([1 / 3] * 3)


def test_two_of_the_same_player_share_alike_against_a_third(hollywood: Hollywood, tmp_path: Path) -> None:
    played(hollywood, "greedy", "simple", "greedy", *THREE, "--pairs", "60")
    scores = thirds(tmp_path / "run")
    assert (scores[:, 0] == scores[:, 2]).all()
    assert (scores.sum(axis=1) == 18).all()


@pytest.mark.parametrize("options", [[], ["--set", "match_winner=first_column"], ["--set", "closing=player"]], ids=str)
def test_what_each_makes_does_not_depend_on_his_letter(
    options: list[str], hollywood: Hollywood, tmp_path: Path
) -> None:
    players = ["greedy", "simple", "threshold:knock_at=3"]
    played(hollywood, *players, *THREE, *options, "--pairs", "40", out="one")
    played(hollywood, *players[1:], players[0], *THREE, *options, "--pairs", "40", out="two")
    assert (thirds(tmp_path / "one")[:, [1, 2, 0]] == thirds(tmp_path / "two")).all()


def test_text_tells_the_three_best_first(hollywood: Hollywood) -> None:
    said = hollywood("simulate", "random", "greedy", "simple", *THREE, "--pairs", "40", "--seed", "1", "--out", "run")
    lines = said.out.splitlines()
    assert lines[0] == "random v greedy v simple"
    names = [line.split()[0] for line in lines if "±" in line and "most matches" not in line]
    assert names[-1] == "random"
    assert set(names) == {"greedy", "simple", "random"}
    assert "40 card streams x 6" in said.out
    assert [line for line in lines if len(line) > 80] == []


def test_every_three_of_four_meet_once(hollywood: Hollywood, tmp_path: Path) -> None:
    players = ["greedy", "simple", "gin-only", "threshold:knock_at=3"]
    told = played(hollywood, *players, *THREE, "--pairs", "10")
    met = [tuple(trio[letter] for letter in "abc") for trio in told["pairings"]]
    assert met == [tuple(players[place] for place in places) for places in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))]
    assert [tuple(line[letter] for letter in "abc") for line in part_lines(tmp_path / "run")] == met
    assert told["deals"] == sum(line["deals_played"] for line in part_lines(tmp_path / "run"))


# --- partnership


def test_partners_json_has_the_fields_of_two_sides(hollywood: Hollywood, tmp_path: Path) -> None:
    told = played(hollywood, "greedy/simple", "simple", *PARTNERS, "--pairs", "30", "--detail", "deals")
    assert told.keys() == TOLD
    (pairing,) = told["pairings"]
    assert pairing.keys() == PAIRING
    assert (pairing["a"], pairing["b"]) == ("greedy/simple", "simple")
    rows = columns(tmp_path / "run" / "matches" / "part-000000.parquet")
    assert told["deals"] == sum(rows["deals_played"])
    assert all(deals % 2 == 0 for deals in rows["deals_played"]), "a round is two deals"
    won = sum((winner == 0) + (winner == 2) / 2 for winner in rows["match_winner"])
    assert pairing["match_win_rate"] == pytest.approx(won / 60)


@pytest.mark.parametrize("side", ["greedy", "greedy/simple", "random/threshold:knock_at=3"])
def test_side_against_itself_makes_exactly_half_of_every_pair(side: str, hollywood: Hollywood) -> None:
    (pairing,) = played(hollywood, side, side, *PARTNERS, "--pairs", "40")["pairings"]
    assert pairing["pair_scores"] == [0, 0, 40, 0, 0]
    assert pairing["match_win_rate"] == 0.5
    assert pairing["deal_win_rate"] == 0.5


def test_one_name_plays_at_both_tables(hollywood: Hollywood, tmp_path: Path) -> None:
    files = []
    for out, side in (("one", "greedy"), ("two", "greedy/greedy")):
        played(hollywood, side, "simple", *PARTNERS, "--pairs", "10", out=out)
        files.append((tmp_path / out / "matches" / "part-000000.parquet").read_bytes())
    assert files[0] == files[1]


def test_partners_of_files_play_at_their_own_tables(hollywood: Hollywood, tmp_path: Path) -> None:
    """A2 never knocks but for gin: A knocks at the first table only."""
    write_player(tmp_path, "sure", knock="return view.deadwood == 0")
    write_player(tmp_path, "quick")
    played(hollywood, "./quick.py/./sure.py", "simple", *PARTNERS, "--pairs", "5", "--detail", "deals")
    rows = columns(tmp_path / "run" / "deals" / "part-000000.parquet")
    deals = list(zip(rows["deal"], rows["knocker"], rows["knocker_deadwood"], strict=True))
    knocks = [{left for deal, who, left in deals if who == 0 and deal % 2 == table} for table in (0, 1)]
    assert knocks[1] <= {0}
    assert knocks[0] - {0}


# --- both


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["greedy", *PARTNERS], ["partnership", "two strategies"]),
        (["greedy", "simple", *THREE], ["three-handed", "three strategies"]),
        (["greedy", *THREE], ["three-handed", "three strategies"]),
        (["greedy", "simple", "greedy", "random", *THREE], ["same player", "greedy"]),
        (["greedy", "greedy/simple", "greedy/greedy", *PARTNERS], ["same player", "greedy"]),
        (["greedy/simple", "threshold", "greedy/simple", *PARTNERS], ["same player", "greedy/simple"]),
        (["threshold/simple", "greedy", "threshold:knock_at=5/simple", *PARTNERS], ["same player", "threshold/simple"]),
        (["greedy/simple", "random"], ["greedy/simple"]),
        (["greedy/simple", "random", "simple", *THREE], ["greedy/simple"]),
        (["greedy/thresold", "random", *PARTNERS], ['Did you mean "threshold"?']),
        (["greedy", "simple", "random", *THREE, "--detail", "deals"], ["--detail deals"]),
        (["greedy", "simple", "random", *THREE, "--pairs", "5", "--deals", "50"], ["--pairs or --deals"]),
    ],
    ids=lambda value: " ".join(value) if "greedy" in value[0] else "",
)
def test_what_cannot_be_played_is_refused(
    arguments: list[str], named: list[str], hollywood: Hollywood, tmp_path: Path
) -> None:
    refused(hollywood("simulate", *arguments, "--quiet"), *named)
    assert files_in(tmp_path) == set()


FORMS = {
    "partners": ["greedy/random", "simple", *PARTNERS, "--detail", "deals"],
    "three": ["greedy", "random", "threshold:knock_at=3", *THREE],
}


@pytest.mark.parametrize("players", FORMS.values(), ids=FORMS)
def test_any_number_of_threads_writes_the_same_bytes(
    players: list[str], hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.batch.plan.PART_PAIRS", 7)  # several parts, so that threads have something to share
    for threads in ("1", "2"):
        played(hollywood, *players, "--pairs", "30", "--threads", threads, out=f"run{threads}")
    files = {name for name in files_in(tmp_path / "run1") if name.endswith(".parquet")}
    assert len(files) >= 5
    for name in files | {"spec.toml"}:
        assert (tmp_path / "run1" / name).read_bytes() == (tmp_path / "run2" / name).read_bytes(), name


@pytest.mark.parametrize("players", FORMS.values(), ids=FORMS)
def test_number_of_deals_is_met_about(players: list[str], hollywood: Hollywood) -> None:
    assert played(hollywood, *players, "--deals", "8000")["deals"] == pytest.approx(8_000, rel=0.15)


@pytest.mark.parametrize("players", FORMS.values(), ids=FORMS)
def test_few_pairs_give_an_interval_and_no_certainty(players: list[str], hollywood: Hollywood) -> None:
    (pairing,) = played(hollywood, *players, "--pairs", "1")["pairings"]
    for low, high in pairing.get("intervals", [pairing.get("interval")]):
        assert 0 <= low <= high <= 1
        assert high - low > 0.1
