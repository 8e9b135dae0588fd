"""What the commands say: results as text of at most 80 columns, the finding first."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING

import click

from sim.cards import PIPS, cards_of, format_cards

if TYPE_CHECKING:
    from experiments.simulate import Outcome, Pairing
    from sim.decisions import Strategy
    from sim.evening import Scored
    from sim.solve import Discards, Showdown, Solution, Spread

NAME_WIDTH = 30
"""Room for a player's name, so that every line stays within 80 columns."""


def bold(text: str) -> str:
    """Mark a verdict."""
    return click.style(text, bold=True)


def dim(text: str) -> str:
    """Mark what is secondary: ± and units."""
    return click.style(text, dim=True)


def short_count(number: float) -> str:
    """Write a count in at most five characters: 715, 71.5k, 1.31M, 2.4G."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            scaled = number / size
            return f"{scaled:.0f}{unit}" if scaled >= 100 else f"{scaled:.3g}{unit}"
    return f"{number:.0f}"


def cut_middle(text: str, width: int) -> str:
    """Shorten a name in the middle, never at the end, where its parameter is."""
    if len(text) <= width:
        return text
    tail = min(len(text), max(2, width // 3))
    return text[: width - 1 - tail] + "~" + text[-tail:]


def plus_minus(interval: tuple[float, float]) -> str:
    """Write the half width of an interval of a share in points, rounded up at the first decimal: ``±0.6``."""
    half = 50 * (interval[1] - interval[0])
    return f"±{math.ceil(round(half, 6) * 10) / 10:.1f}"


def _joined(spread: Spread) -> str:
    return " | ".join(spread) or "none"


def _loose(hand: int, spread: Spread) -> list[int]:
    """Return the cards of a hand outside the melds of a spread, the dearest first."""
    melded = {word for meld in spread for word in meld.split()}
    loose = [card for card in cards_of(hand) if format_cards([card]) not in melded]
    return sorted(loose, key=lambda card: (-PIPS[card % 13], card))


def solution_text(solution: Solution) -> str:
    """Say what a hand holds and, for eleven cards, what to throw and what is left then."""
    from sim.solve import best_spreads

    discards = solution.discards
    if discards is None:
        verdict = "Gin: every card is melded." if solution.deadwood == 0 else f"Deadwood {solution.deadwood}."
        return "\n".join([bold(verdict), *_spread_lines(solution.hand, solution.spreads, "")])
    verdict, before = bold(_discard_verdict(discards)), f"         before the throw: {solution.deadwood}"
    if discards.big_gin:
        return "\n".join([verdict, *_spread_lines(solution.hand, solution.spreads, "")])
    ten = solution.hand & ~(1 << discards.best[0])
    return "\n".join([verdict, *_spread_lines(ten, best_spreads(ten), before)])


def _spread_lines(hand: int, spreads: list[Spread], remark: str) -> list[str]:
    lines = []
    for count, spread in enumerate(spreads):
        loose = _loose(hand, spread)
        lines.append(f"  {'or melds' if count else 'melds':<10} {_joined(spread)}")
        lines.append(f"  deadwood   {format_cards(loose) or 'none'} = {sum(PIPS[c % 13] for c in loose)}{remark}")
    return lines


def _discard_verdict(discards: Discards) -> str:
    best = " or ".join(format_cards([card]) for card in discards.best)
    if discards.big_gin:
        return f"Big gin: all eleven are melded. For plain gin throw {best}."
    if discards.gin:
        return f"Throw {best} and you have gin."
    if discards.knock:
        return f"Throw {best} and you may knock with {discards.deadwood}."
    return f"Throw {best}: {discards.deadwood} points of deadwood are left, too many to knock."


def showdown_text(result: Showdown) -> str:
    """Say who scores a knock, and how it came about."""
    who = result.scorer.capitalize()
    points = f"{result.points} point{'' if result.points == 1 else 's'}"
    verdict = {
        "gin": f"Gin: the knocker scores {points}.",
        "undercut": f"Undercut: the defender scores {points}.",
    }
    lines = [bold(verdict.get(result.ending, f"{who} scores {points}."))]
    lines.append(f"  knocker    {_joined(result.spread)}   deadwood {result.knocker_deadwood}")
    lines.append(f"  defender   {result.defender_before} before layoffs, {result.defender_after} after")
    lines += [f"  lays off   {text}" for text in result.layoffs]
    return "\n".join(lines)


def strategy_text(strategy: Strategy, sha: str) -> str:
    """Say how a strategy plays, its parameters with unit, default and range, and its source."""
    from strategies.registry import about, params_of

    defaults = strategy.params._field_defaults
    lines = [bold(f"{strategy.name}: {strategy.summary}"), "", *about(strategy).splitlines(), ""]
    for name, note in params_of(strategy).items():
        told = f"{note.meaning}; {note.low:g}:{note.high:g} {note.unit}" if note else "no description"
        lines.append(f"  {name}={defaults[name]}   {told}")
    lines += ["  no parameters"] if not defaults else []
    lines += [f"  source   {strategy.source}", f"  version  {sha}"]
    return "\n".join(lines)


def outcome_text(outcome: Outcome) -> str:
    """Say who won each pairing and by how much, where the run is kept, and what to do next."""
    plan = outcome.plan
    changed = "".join(f" {name}={value}" for name, value in _changed(outcome).items())
    pairs, matches = plan.total_pairs(), 2 * plan.total_pairs()
    speed = f"{outcome.seconds:.1f} s · {short_count(outcome.deals / max(outcome.seconds, 1e-9))} deals/s"
    lines = [line for pairing in outcome.pairings for line in _pairing_lines(pairing)]
    lines.append(f"  {_pairs(pairs)} · {outcome.deals:,} deals · {outcome.deals / matches:.1f} a match · {speed}")
    lines.append(dim(f"  rules  {plan.preset}{changed}, seed {plan.seed}"))
    return "\n".join([*lines, f"  saved  {outcome.run}", f"  next   hollywood report {shlex.quote(str(outcome.run))}"])


def _pairing_lines(p: Pairing) -> list[str]:
    columns = "  ".join(f"{100 * rate:.1f}" for rate in p.column_rates if rate is not None)
    labels = "/".join(str(c + 1) for c, rate in enumerate(p.column_rates) if rate is not None)
    deals = f"deals won   {100 * p.deal_win_rate:.1f}% {dim(plus_minus(p.deal_interval))}"
    return [
        f"{cut_middle(p.a, NAME_WIDTH)} v {cut_middle(p.b, NAME_WIDTH)}",
        f"  {bold(_verdict(p))}",
        f"  column{'s' if '/' in labels else ''} {labels}   {columns} %     {deals}",
    ]


def _changed(outcome: Outcome) -> dict[str, object]:
    from sim.rules import preset_rules

    base = preset_rules(outcome.plan.preset).options()
    return {name: value for name, value in outcome.plan.rules.options().items() if value != base[name]}


def _verdict(p: Pairing) -> str:
    rate, (low, high), a = p.match_win_rate, p.interval, cut_middle(p.a, NAME_WIDTH)
    told = f"{100 * rate:.1f}% {plus_minus(p.interval)} of matches"
    if p.a == p.b:
        return f"{a} against itself: {told}."
    if low <= 0.5 <= high:
        return f"undecided: {a} wins {told}; {_pairs(p.tally['pairs'])} cannot tell."
    return f"{a} wins {told}: it is the {'stronger' if rate > 0.5 else 'weaker'} player here."


def sheet_text(scored: Scored) -> str:
    """Write a sheet as players do: running totals by column, totals, boxes, and how things stand."""
    names = [cut_middle(name, 6) for name in scored.evening.names]
    columns = range(scored.rules.columns)
    heads = "".join(f"{f'Column {c + 1}':^15}" for c in columns)
    pair = "".join(f"{names[0]:>6} {names[1]:>6}  " for _ in columns)
    lines = [" " * 19 + heads.rstrip(), f"  {'deal':<17}" + pair.rstrip()]
    for number in range(len(scored.entered)):
        lines.append(_sheet_line(scored, number))
    for label, cells in (("total", scored.sheet[0].points), ("wins (boxes)", scored.sheet[0].boxes)):
        row = "".join(f"{cells[c, 0]:>6} {cells[c, 1]:>6}  " for c in columns)
        lines.append(f"  {label:<17}{row}".rstrip())
    return "\n".join([*lines, *(f"  {text}" for text in _standing(scored))])


def _sheet_line(scored: Scored, number: int) -> str:
    line, entered = scored.evening.lines[number], scored.entered[number]
    label = "void" if line.side is None else f"{cut_middle(scored.evening.names[line.side], 8)} {line.points}"
    cells = []
    for column in range(scored.rules.columns):
        cell = ["", ""]
        if line.side is not None:
            cell[line.side] = _cell(scored, number, column, line.side)
        cells.append(f"{cell[0]:>6} {cell[1]:>6}  ")
    told = "   rejected: the match was over" if isinstance(entered, str) else ""
    return f"  {number + 1:>2}  {label:<13}{''.join(cells)}".rstrip() + told


def _cell(scored: Scored, number: int, column: int, side: int) -> str:
    """Return the running total if the deal entered the column; ``.`` not open yet, ``--`` closed; ``=`` closes it."""
    before = scored.totals_after[number - 1][column] if number else (0, 0)
    target = scored.rules.target
    was_closed = before[side] >= target or (scored.rules.closing == "column" and max(before) >= target)
    entered = scored.entered[number]
    if isinstance(entered, list) and column + 1 in entered:
        total = int(scored.totals_after[number][column, side])
        return f"={total}" if total >= target else str(total)
    return "--" if was_closed else "."


def _standing(scored: Scored) -> list[str]:
    document, names = scored.document(), scored.evening.names
    by_letter = dict(zip("AB", names, strict=True))
    told = []
    for column, paid in enumerate(document["settlement"], start=1):
        if paid:
            shutout = ", a shutout" if paid["shutout"] else ""
            told.append(f"{by_letter[paid['winner']]} wins column {column} by {paid['net']} points{shutout}.")
    if scored.over:
        winner = document["match_winner"]
        return [*told, "The match is tied." if winner == "tie" else f"{by_letter[winner]} wins the match."]
    if not told:
        told.append(f"Nobody has {scored.rules.target} yet.")
    return [*told, " ".join(_next_win(scored, side) for side in range(2))]


def _next_win(scored: Scored, side: int) -> str:
    enters = [str(c + 1) for c in range(scored.rules.columns) if scored.needs(c, side) == 0]
    where = "all three" if len(enters) == 3 else " and ".join(enters) or "nothing"
    return f"{scored.evening.names[side]}'s next win enters {where}."


def _pairs(count: int) -> str:
    return f"{count:,} pair{'' if count == 1 else 's'}"
