"""Comparing two players: where it stops, what it keeps, and that neither depends on threads or on how it ended."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from analysis.sequential import Look, SequentialTest, make_test
from experiments import compare as comparing
from experiments.compare import compare
from sim.batch import plan as plans
from tests.support.comparisons import GAIN, NEVER_DECIDES, blocks, compared, kept, plan
from tests.support.strategy_runs import Onlooker, manifest, part_lines, run_into

BLOCK = 256


def naive_course(found: list[list[int]], test: SequentialTest) -> tuple[int, str, list[float], int]:
    """Look block by block, in plain Python: return pairs, verdict, LLRs and looks at the stop or at the end."""
    seen, looks, llrs = [0] * 5, 0, [0.0]
    upper, lower = math.log((1 - test.beta) / test.alpha), math.log(test.beta / (1 - test.alpha))
    swapped = {"A": "B", "B": "A"}
    ends = {"gain": ("A", "equal"), "strict": ("A", "equal"), "nonreg": ("equal", "B"), "equiv": ("equal", "B")}
    for block in found:
        seen = [x + y for x, y in zip(seen, block, strict=True)]
        n = sum(seen)
        mean = sum(count * score / 4 for score, count in enumerate(seen)) / n
        variance = max(sum(count * (score / 4 - mean) ** 2 for score, count in enumerate(seen)) / n, 0.25 / n)
        shares = [(test.s0, test.s1)]
        if test.name != "nonreg":
            shares.append((1 - test.s0, 1 - test.s1))
        llrs = [n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance) for s0, s1 in shares]
        if n < BLOCK:
            break
        looks += 1
        answers = []
        for question, llr in enumerate(llrs):
            above, below = ends[test.name]
            if question == 1:
                above, below = swapped.get(above, above), swapped.get(below, below)
            answers.append(above if llr >= upper else below if llr <= lower else "undecided")
        better = [answer for answer in answers if answer in "AB"]
        if better or set(answers) == {"equal"}:
            return n, better[0] if better else "equal", llrs, looks
    return sum(seen), "undecided", llrs, looks


# --- where it stops


@pytest.mark.parametrize("name", ["gain", "strict", "nonreg", "equiv"])
@pytest.mark.parametrize("players", [("greedy", "simple"), ("threshold:knock_at=9", "threshold:knock_at=8")])
def test_stops_where_a_loop_over_the_blocks_of_a_whole_run_stops(
    name: str, players: tuple[str, str], tmp_path: Path
) -> None:
    what, test = plan(*players, pairs=2_600), make_test(name)
    run_into(tmp_path / "whole", what)
    pairs, verdict, llrs, looks = naive_course(blocks(tmp_path / "whole"), test)
    found = compared(tmp_path / "run", what, test)
    assert (found.pairs, found.look.looks) == (pairs, looks)
    assert list(found.look.llrs) == pytest.approx(llrs)
    if found.verdict != verdict:  # the test says "no worse"; the adjusted interval may say more
        assert (name, verdict, found.verdict) == ("nonreg", "equal", "A")
        assert found.adjusted.low > 0.5


@pytest.mark.parametrize(("pairs", "looks"), [(1, 0), (255, 0), (256, 1), (257, 2), (511, 2), (512, 2), (700, 3)])
def test_looks_after_every_256_pairs_and_at_the_end_unless_there_are_fewer(
    pairs: int, looks: int, tmp_path: Path
) -> None:
    found = compared(tmp_path / "run", plan(pairs=pairs), NEVER_DECIDES)
    assert (found.pairs, found.look.looks, found.stopped_by) == (pairs, looks, "pairs")
    assert sum(line["pairs"] for line in part_lines(tmp_path / "run")) == pairs


def test_fewer_pairs_than_a_block_are_never_enough_to_decide(tmp_path: Path) -> None:
    found = compared(tmp_path / "run", plan("greedy", "random", pairs=255))
    assert (found.verdict, found.stopped_by, found.look.looks) == ("undecided", "pairs", 0)
    assert max(found.look.llrs) > found.test.upper


@pytest.mark.parametrize("pairs", [256, 300])
def test_last_look_at_the_end_may_decide(pairs: int, tmp_path: Path) -> None:
    found = compared(tmp_path / "run", plan("greedy", "random", pairs=pairs))
    assert (found.verdict, found.stopped_by, found.pairs) == ("A", "above", 256)
    assert manifest(tmp_path / "run")["status"] == "stopped"


def test_players_who_change_places_get_the_opposite_answer_from_the_same_pairs(tmp_path: Path) -> None:
    one, other = (compared(tmp_path / "".join(p), plan(*p)) for p in (("greedy", "simple"), ("simple", "greedy")))
    assert (one.verdict, other.verdict, one.pairs) == ("B", "A", other.pairs)
    assert one.look.llrs == pytest.approx(other.look.llrs[::-1])
    assert one.adjusted.estimate == pytest.approx(1 - other.adjusted.estimate, abs=1e-6)
    assert blocks(tmp_path / "greedysimple") == [block[::-1] for block in blocks(tmp_path / "simplegreedy")]


# --- special pairings


@pytest.mark.parametrize("name", ["gain", "strict", "nonreg", "equiv"])
def test_mirror_is_exactly_even_and_equal(name: str, tmp_path: Path) -> None:
    found = compared(tmp_path / "run", plan("simple", "simple"), make_test(name))
    assert (found.verdict, found.pairs, found.is_mirror) == ("equal", 256, True)
    assert found.pairing.match_win_rate == 0.5
    assert blocks(tmp_path / "run") == [[0, 0, 256, 0, 0]]
    assert found.stopped_by == ("below" if name in ("gain", "strict") else "above")
    assert found.adjusted.low < 0.5 < found.adjusted.high


def test_same_play_under_two_names_is_equal_but_no_mirror(tmp_path: Path) -> None:
    found = compared(tmp_path / "run", plan("threshold:knock_at=10", "simple"))
    assert (found.verdict, found.pairs, found.is_mirror) == ("equal", 256, False)
    assert blocks(tmp_path / "run") == [[0, 0, 256, 0, 0]]


@pytest.mark.parametrize("players", [("greedy", "random"), ("simple", "simple"), ("greedy", "simple")])
@pytest.mark.parametrize("pairs", [1, 2, 256])
def test_every_number_is_finite_whatever_was_played(players: tuple[str, str], pairs: int, tmp_path: Path) -> None:
    found = compared(tmp_path / "run", plan(*players, pairs=pairs))
    document = json.loads(json.dumps(found.document(), allow_nan=False))
    assert math.isfinite(found.deciding_llr)
    for low, high in (document["interval"], document["adjusted"]["interval"], document["anytime_interval"]):
        assert 0 <= low <= document["match_win_rate"] <= high <= 1
        assert high > low


def test_intervals_of_all_wins_leave_room_for_losing(tmp_path: Path) -> None:
    found = compared(tmp_path / "run", plan("greedy", "random"))
    assert blocks(tmp_path / "run") == [[0, 0, 0, 0, 256]]
    assert found.pairing.match_win_rate == found.adjusted.high == 1
    for low in (found.adjusted.low, found.pairing.interval[0], found.anytime[0]):
        assert 0.5 < low < 1


# --- what is kept


@pytest.mark.parametrize("detail", ["matches", "deals"])
def test_stopped_run_holds_the_bytes_of_a_plain_run_of_as_many_pairs(detail: str, tmp_path: Path) -> None:
    found = compared(tmp_path / "run", plan(detail=detail))
    assert found.pairs == 768
    run_into(tmp_path / "plain", plan(pairs=768, detail=detail))
    assert kept(tmp_path / "run") == kept(tmp_path / "plain")


@pytest.mark.parametrize("unit", [256, 512, 4_096])
def test_pieces_in_which_pairs_are_played_change_nothing(
    unit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = compared(tmp_path / "usual", plan())
    monkeypatch.setattr(comparing, "UNIT_PAIRS", unit)
    found = compared(tmp_path / "run", plan())
    assert (found.verdict, found.look, found.adjusted) == (usual.verdict, usual.look, usual.adjusted)
    assert kept(tmp_path / "run") == kept(tmp_path / "usual")


def test_verdict_pairs_and_bytes_do_not_depend_on_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "UNIT_PAIRS", 256)
    found = [compared(tmp_path / str(threads), plan(), threads=threads) for threads in (1, 2, 5)]
    assert len({(c.verdict, c.pairs, c.look, c.adjusted, c.anytime) for c in found}) == 1
    assert kept(tmp_path / "1") == kept(tmp_path / "2") == kept(tmp_path / "5")


def test_long_run_is_written_in_whole_parts_and_a_short_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = compared(tmp_path / "whole", plan())
    monkeypatch.setattr(plans, "PART_PAIRS", 512)
    found = compared(tmp_path / "run", plan())
    assert (found.verdict, found.look, found.pairing.tally) == (whole.verdict, whole.look, whole.pairing.tally)
    assert [(line["part"], line["first_pair"], line["pairs"]) for line in part_lines(tmp_path / "run")] == [
        (0, 0, 512),
        (1, 512, 256),
    ]
    run_into(tmp_path / "plain", plan(pairs=768))
    assert kept(tmp_path / "run") == kept(tmp_path / "plain")


@pytest.mark.parametrize("pairs", [1_024, 1_025, 1_300])
def test_run_that_is_never_decided_has_every_pair_in_its_parts(
    pairs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "PART_PAIRS", 512)
    compared(tmp_path / "run", plan(pairs=pairs), NEVER_DECIDES)
    run_into(tmp_path / "plain", plan(pairs=pairs))
    assert kept(tmp_path / "run") == kept(tmp_path / "plain")


def test_summary_is_the_document_and_the_manifest_says_how_it_ended(tmp_path: Path) -> None:
    ends: list[tuple[SequentialTest, int, str, str]] = [
        (GAIN, 5_000, "stopped", "above"),
        (make_test("nonreg"), 5_000, "stopped", "below"),
        (NEVER_DECIDES, 300, "complete", "pairs"),
    ]
    for number, (test, pairs, status, by) in enumerate(ends):
        folder = tmp_path / str(number)
        found = compared(folder, plan(pairs=pairs), test)
        assert (manifest(folder)["status"], manifest(folder)["stopped_by"], found.stopped_by) == (status, by, by)
        assert manifest(folder)["started"] <= manifest(folder)["finished"]
        assert json.loads((folder / "summary.json").read_text(encoding="utf-8")) == found.document()
        assert type(found.document()["pairs"]) is int


def test_every_look_at_a_piece_is_told_and_the_last_one_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "UNIT_PAIRS", 256)
    told: list[Look] = []
    found = compare(plan(), GAIN, tmp_path / "run", (2, Onlooker()), told.append)
    assert [look.looks for look in told] == [1, 2, 3]
    assert [int(look.moments.pairs) for look in told] == [256, 512, 768]
    assert told[-1] == found.look
