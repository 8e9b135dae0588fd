"""Replayed pairs under every preset: what the deals bring to the sheet, and the same as rows and as a document."""

from __future__ import annotations

import json

import numpy as np
import pytest

from experiments.replay import replay_free
from experiments.simulate import Request, make_plan
from sim import replay as replays
from sim.batch.runner import Watch, play_part
from sim.cards import FULL_DECK, NO_CARD, format_card, parse_hand
from sim.evening import REJECTED, score_evening
from sim.presets import PRESETS
from sim.rows import NOBODY
from sim.rules import PARTNERSHIP, THREE_HANDED, TWO_HANDED
from sim.story import MatchStory, match_document
from strategies.registry import bind
from tests.support.naive_sheet import NaiveSheet
from tests.unit.test_replay import OPTIONS, PLAYERS, SEED, every_case, matches, replayed

# --- the sheet


def wins_of(match: MatchStory) -> list[tuple[int, int] | None]:
    """Return what each deal brings to the sheet, from the rows alone; of partners the net, with the second table's."""
    rows = [deal.row for deal in match.deals]
    if match.rules.form != PARTNERSHIP:
        return [None if row.scorer == NOBODY else (int(row.scorer), int(row.points)) for row in rows]
    signed = [int(row.points) * (1 if row.scorer == 0 else -1) for row in rows]
    nets = [signed[place] + signed[place + 1] for place in range(0, len(signed), 2)]
    return [win for net in nets for win in (None, (int(net < 0), abs(net)) if net else None)]


@every_case
def test_the_sheet_after_the_last_deal_is_that_of_the_row(preset: str, name: str) -> None:
    for match in matches(preset, name):
        rules, row = match.rules, match.row
        assert [deal.win for deal in match.deals] == wins_of(match)
        sheet = NaiveSheet(rules)
        for deal, win in zip(match.deals, wins_of(match), strict=True):
            entered = sheet.enter(*win) if win else []
            assert int(deal.row.columns_entered) == sum(1 << column - 1 for column in entered)
        assert sheet.is_over
        scored = score_evening(match.evening("ABC"[: rules.sides]), rules)
        assert REJECTED not in scored.entered
        points = row.column_points[: rules.columns, : rules.sides].T.tolist()
        assert points == sheet.totals == list(scored.document()["totals"].values())
        tie = rules.sides if sheet.winner() == "tie" else sheet.winner()
        assert row.match_winner == scored.winner == tie


@every_case
def test_the_deals_add_up_to_the_row_of_the_match(preset: str, name: str) -> None:
    for match in matches(preset, name):
        rows, sides = [deal.row for deal in match.deals], range(match.rules.sides)
        assert [deal.deal for deal in match.deals] == list(range(match.row.deals_played))
        assert [deal.table for deal in match.deals] == [n % match.rules.tables for n in range(len(rows))]
        assert [sum(row.scorer == side for row in rows) for side in sides] == match.row.deals_won[: len(sides)].tolist()
        points = [sum(int(row.points) for row in rows if row.scorer == side) for side in sides]
        assert points == match.row.deal_points[: len(sides)].tolist()
        assert match.row.first_dealer == match.deals[0].dealer


@every_case
def test_who_sits_and_who_deals_follows_from_the_deal_before(preset: str, name: str) -> None:
    for match in matches(preset, name):
        waiting = ({0, 1, 2} - set(match.deals[0].sides)) if match.rules.form == THREE_HANDED else set()
        tables = match.rules.tables
        for before, after in zip(match.deals[::tables], match.deals[tables::tables], strict=False):
            win = match.deals[before.deal + tables - 1].win
            seats = list(before.sides)
            if win and match.rules.form == THREE_HANDED:
                loser = 1 - seats.index(win[0])
                seats[loser], waiting = min(waiting), {seats[loser]}
            assert list(after.sides) == seats
            if win is None:
                assert after.dealer == before.dealer
            else:
                place = before.sides.index(win[0])
                dealing = before.sides.index(before.dealer)
                chosen = {"winner": place, "loser": 1 - place, "alternate": 1 - dealing}
                assert after.dealer == seats[chosen[match.rules.next_dealer]]
    for match in matches("partnership", ""):
        assert all(match.deals[n].dealer == match.deals[n + 1].dealer for n in range(0, len(match.deals), 2))


# --- the same as the rows of a run, and as a document


@every_case
def test_rows_are_those_that_a_run_keeps(preset: str, name: str) -> None:
    request = Request(PLAYERS[PRESETS[preset].form], 1, None, preset, OPTIONS.get(name, {}), SEED)
    plan = make_plan(request)
    (part,) = plan.parts()
    told = replayed(preset, name, 0).matches
    assert np.array([match.row for match in told]).tobytes() == play_part(plan, part, bind, Watch()).matches.tobytes()


def test_a_long_pair_is_told_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """The room for rows grows until all deals fit."""
    whole = replayed("hollywood", "short", 0).document()
    monkeypatch.setattr(replays, "FIRST_ROOM", 1)
    assert replay_free(PLAYERS[TWO_HANDED], "hollywood", OPTIONS["short"], SEED, 0).document() == whole


@every_case
def test_the_document_tells_every_card_and_the_sheets_join(preset: str, name: str) -> None:
    for match in matches(preset, name):
        document = json.loads(json.dumps(match_document(match, match.deals)))
        zero = {side: [0] * match.rules.columns for side in "ABC"[: match.rules.sides]}
        for told, deal in zip(document["deals"], match.deals, strict=True):
            cards = " ".join([*told["hands"].values(), told["upcard"], told["stock"]])
            assert parse_hand(cards) == FULL_DECK
            assert told["stock"].split() == [format_card(card) for card in deal.stream[21:]]
            turns = [(t["side"], t["drew"], t["from"] == "pile", t["threw"], t["deadwood"]) for t in told["turns"]]
            assert turns == [
                ("ABC"[t.side], format_card(t.drawn), t.taken, _text(t.thrown), t.deadwood) for t in deal.turns
            ]
            assert told["points"] == deal.row.points
            if match.is_entry(deal):
                assert told["sheet_before"] == zero
                zero = told["sheet_after"]
        assert zero == {
            side: match.row.column_points[: match.rules.columns, place].tolist() for place, side in enumerate(zero)
        }


def _text(card: int) -> str | None:
    return None if card == NO_CARD else format_card(card)
