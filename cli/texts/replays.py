"""A match as a person would follow it: hands, every draw and discard, the knock laid down, the sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli.texts.sheets import SheetLine, grid_text, standing_lines
from cli.texts.words import bold, cut_middle, dim, wrapped
from sim.api import deadwood_many
from sim.cards import format_card, format_hand
from sim.evening import SIDES, score_evening
from sim.presets import changed_options, preset_rules
from sim.rows import Ending
from sim.rules import PARTNERSHIP, option_text

if TYPE_CHECKING:
    from experiments.replay import Replay
    from sim.evening import Scored
    from sim.follow import Turn
    from sim.story import DealStory, MatchStory

SIDE_WIDTH = 24
LAST_DEALS = 20
"""Of a match that was broken off so many deals are shown, the last ones."""


def replay_text(replay: Replay) -> str:
    """Tell the chosen matches and deals of a pair, and whether the stored rows are the same."""
    rules, plan = replay.plan.rules, replay.plan
    changed = "".join(
        f" {name}={option_text(value)}" for name, value in changed_options(preset_rules(plan.preset), rules).items()
    )
    told = f"rules {plan.preset}{changed}, seed {plan.seed}, pair {replay.pair}"
    lines = [*map(bold, wrapped(" v ".join(plan.names()[0]))), *wrapped(told, "  ", "    ")]
    for match in replay.shown():
        lines += ["", *_match_lines(replay, match)]
    return "\n".join([*lines, "", _compared(replay)])


def _compared(replay: Replay) -> str:
    """Say how the replay compares with what is stored, or that it was broken off."""
    if any(match.row is None for match in replay.matches):
        return "The match was broken off here."
    if replay.is_stored is None:
        return dim(f"Pair {replay.pair} of seed {replay.plan.seed}: the same cards for any players.")
    return "The replay equals the stored rows." if replay.is_stored else "The run has not stored this pair."


def _match_lines(replay: Replay, match: MatchStory) -> Iterator[str]:
    scored = score_evening(match.evening(SIDES[: match.rules.sides]), match.rules)
    yield bold(f"Leg {match.leg}: {_match_verdict(replay, match)}")
    deals = replay.deals_of(match)
    if match.row is None and len(deals) > LAST_DEALS:
        yield f"  {len(deals) - LAST_DEALS:,} deals are left out here; --deal shows one."
        deals = deals[-LAST_DEALS:]
    for deal in deals:
        yield ""
        yield from _deal_lines(replay, match, deal)
        yield from _sheet_lines(scored, match, deal)
    if replay.deal is None and match.row is not None:
        yield ""
        yield from standing_lines(scored)


def _match_verdict(replay: Replay, match: MatchStory) -> str:
    if match.row is None:
        return f"broken off in deal {len(match.deals) - 1}."
    winner, deals = int(match.row.match_winner), int(match.row.deals_played)
    if winner >= match.rules.sides:
        return f"the match is tied after {deals} deals."
    return f"{SIDES[winner]} ({cut_middle(replay.sides[winner].text, SIDE_WIDTH)}) wins the match in {deals} deals."


def _label(match: MatchStory, deal: DealStory, side: int) -> str:
    """Name a player: his side, of partners with the number of the table."""
    return f"{SIDES[side]}{deal.table + 1}" if match.rules.form == PARTNERSHIP else SIDES[side]


def _deal_lines(replay: Replay, match: MatchStory, deal: DealStory) -> Iterator[str]:
    names = {side: _label(match, deal, side) for side in deal.sides}
    doubles = ", and everything counts double" if deal.multiplier == 2 else ""
    yield f"Deal {deal.deal}: {names[deal.dealer]} deals. Knock with {deal.knock_limit} or less{doubles}."
    for side, seat, hand, left in zip(deal.sides, deal.seats, deal.hands, deadwood_many(deal.hands), strict=True):
        players = replay.sides[side].players
        who = f"{names[side]} {cut_middle(players[deal.table % len(players)].text, SIDE_WIDTH - 3)}"
        yield f"  {who:<{SIDE_WIDTH}} {format_hand(hand)}   deadwood {left}, seat {seat}"
    upcard = format_card(deal.upcard)
    passed = " and ".join(names[side] for side in deal.passed)
    told = f", {passed} pass{'es' if len(deal.passed) == 1 else ''}" if passed else ""
    yield f"  {'upcard':<{SIDE_WIDTH}} {upcard}{told}"
    yield from (_turn_line(number, turn, names[turn.side]) for number, turn in enumerate(deal.turns, start=1))
    yield from _ending_lines(deal, names)


def _turn_line(number: int, turn: Turn, name: str) -> str:
    drawn = f"{'takes' if turn.taken else 'draws'} {format_card(turn.drawn)}"
    if turn.thrown < 0:
        return f"  {number:>3}  {name:<2}  {drawn}   lays down all eleven"
    knocks = "" if not turn.knocked else ", gin" if turn.deadwood == 0 else " and knocks"
    return f"  {number:>3}  {name:<2}  {drawn}   throws {format_card(turn.thrown)}   keeps {turn.deadwood}{knocks}"


def _ending_lines(deal: DealStory, names: dict[int, str]) -> Iterator[str]:
    """Say how a deal ended: what was laid down and laid off, and who scores what."""
    row, laid = deal.row, deal.laydown
    if row is None:
        yield from map(bold, wrapped(f"broken off: {deal.trouble}", "  ", "    "))
        return
    if deal.ending in (Ending.WALL, Ending.TURN_CAP):
        why = "two cards are left in stock" if deal.ending == Ending.WALL else f"{row.turns} turns have been played"
        yield bold(f"  Nobody scores: {why}.")
        return
    if laid is not None:
        knocker, defender = (names[side] for side in _knocker_first(deal))
        yield f"  {knocker + ' spreads':<{SIDE_WIDTH}} {' | '.join(laid.spread) or 'nothing'}"
        yield f"  {defender + ' melds':<{SIDE_WIDTH}} {' | '.join(laid.defence) or 'nothing'}"
        yield from (f"  {defender + ' lays off':<{SIDE_WIDTH}} {text}" for text in laid.layoffs)
    yield bold(f"  {names[int(row.scorer)]} scores {row.points}: {_sum_text(deal)}.")


def _knocker_first(deal: DealStory) -> tuple[int, int]:
    knocker = int(deal.row.knocker)
    return knocker, deal.sides[1] if deal.sides[0] == knocker else deal.sides[0]


def _sum_text(deal: DealStory) -> str:
    """Write the sum behind the points of a scored deal."""
    row, ending = deal.row, Ending(int(deal.row.ending))
    knocker, left = int(row.knocker_deadwood), int(row.defender_deadwood_after)
    is_gin = ending in (Ending.GIN, Ending.BIG_GIN)
    terms = f"{left} deadwood" if is_gin else f"{max(left, knocker)} - {min(left, knocker)}"
    what = {Ending.GIN: "gin", Ending.BIG_GIN: "big gin", Ending.UNDERCUT: "the undercut"}.get(ending)
    if what:
        bonus = int(row.points) // deal.multiplier - (left if is_gin else knocker - left)
        terms += f" + {bonus} for {what}"
    return f"({terms}) x 2" if deal.multiplier == 2 else terms


def _sheet_lines(scored: Scored, match: MatchStory, deal: DealStory) -> Iterator[str]:
    """Show the sheet before and after a deal; of partners after a round."""
    if deal.row is None:
        return
    if not match.is_entry(deal):
        yield "  The second table decides what is entered."
        return
    entry = deal.deal // match.rules.tables
    if deal.win is not None and match.rules.form == PARTNERSHIP:
        yield f"  Over both tables {SIDES[deal.win[0]]} is {deal.win[1]} points ahead."
    before = scored.sheets_after[entry - 1]["points"] if entry else 0 * scored.sheets_after[0]["points"]
    columns, sides = range(match.rules.columns), match.rules.sides
    lines = [
        SheetLine(label, [[str(points[column][side]) for side in range(sides)] for column in columns])
        for label, points in (("before", before), ("after", scored.sheets_after[entry]["points"]))
    ]
    yield from grid_text(SIDES[:sides], lines)
