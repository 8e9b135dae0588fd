"""A hand solved, and a knock told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.texts.words import bold
from sim.cards import PIPS, cards_of, format_cards

if TYPE_CHECKING:
    from sim.solve import Discards, Showdown, Solution, Spread


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
