"""What a tournament came to: who is best, the table, who beats whom, the equilibrium."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING

import numpy as np

from analysis.ratings import FEWEST_BLOCKS
from cli.texts.commands import folded, rules_text, shown
from cli.texts.words import bold, cut_middle, dim, plus_minus, short_count, wrapped
from experiments.again import is_gauntlet, tournament_words
from sim.batch.tally import BLOCK_PAIRS

if TYPE_CHECKING:
    from experiments.tournament import Standing, Tournament

NAME, SHORT, MATRIX_NAME = 21, 11, 18
MOST_IN_MATRIX = 9
MATRIX_CELL = 5


def tournament_text(t: Tournament) -> str:
    """Say who is best, and show the standings, the matrix, what going first is worth, and the equilibrium."""
    plan, outcome = t.outcome.plan, t.outcome
    speed = f"{outcome.seconds:.1f} s · {short_count(outcome.deals / max(outcome.seconds, 1e-9))} deals/s"
    return "\n".join(
        [
            *map(bold, wrapped(finding(t))),
            f"  {'#':>2}  {'player':<{NAME}}  {'rating':<11} matches   deals  points  undecided with",
            *(_row(standing) for standing in t.standings),
            *_warnings(t),
            *_matrix(t),
            "",
            *_equilibrium(t),
            *_first_move(t),
            f"  {plan.total_pairs():,} pairs · {outcome.deals:,} deals · {speed}",
            *map(dim, wrapped(f"rules  {rules_text(plan)}, seed {plan.seed}", "  ", "    ")),
            *folded(tournament_words(plan), "  again  ", "           "),
            f"  saved  {shown(outcome.run)}",
            f"  next   hollywood report {shlex.quote(shown(outcome.run))}",
        ]
    )


def _first_move(t: Tournament) -> list[str]:
    """Say what moving first is worth; nothing where the rules say which side does: that is then one side's share."""
    if t.outcome.plan.rules.first_dealer in ("a", "b"):
        return []
    first = t.first_mover
    return [f"  moving first wins {100 * first.estimate:.1f}% {plus_minus((first.low, first.high))} of matches"]


def finding(t: Tournament) -> str:
    """Say in one sentence who is best, and how surely."""
    if is_gauntlet(t.outcome.plan):
        return _gauntlet_finding(t)
    best, others = t.standings[0], len(t.standings) - 1
    name = cut_middle(best.player, NAME)
    if len(best.beats) == others:
        least = np.delete(t.superiority[0], 0).min()
        sure = "more than 99%" if least > 0.99 else f"at least {100 * least:.0f}%"
        return f"{name} is best: it beats all {others}, each with {sure} confidence."
    lost = others - len(best.beats) - len(best.undecided_with)
    unsure = f", undecided with {len(best.undecided_with)}" if best.undecided_with else ""
    beaten = f", loses to {lost}" if lost else ""
    return f"{name} is rated highest: it beats {len(best.beats)} of {others}{unsure}{beaten}."


def _gauntlet_finding(t: Tournament) -> str:
    runner = next(s for s in t.standings if s.player == t.outcome.plan.sides[0].text)
    others = len(t.standings) - 1
    lost = others - len(runner.beats) - len(runner.undecided_with)
    name = cut_middle(runner.player, NAME)
    unsure = f", undecided with {len(runner.undecided_with)}" if runner.undecided_with else ""
    return f"{name} beats {len(runner.beats)} of {others}, loses to {lost}{unsure}."


def _row(s: Standing) -> str:
    points = "   -" if s.sums.points_a_win is None else f"{s.sums.points_a_win:4.1f}"
    rating = f"{s.rating:+.0f}" if round(s.rating) else "0"
    half = f"±{math.ceil((s.high - s.low) / 2)}"
    unsure = ", ".join(cut_middle(name, SHORT) for name in s.undecided_with[:1])
    unsure += f" +{len(s.undecided_with) - 1}" if len(s.undecided_with) > 1 else ""
    return (
        f"  {s.rank:>2}  {cut_middle(s.player, NAME):<{NAME}}  {rating:>5} {half:<5}  {100 * s.match_win_rate:5.1f}%"
        f"  {100 * s.sums.deal_win_rate:5.1f}%   {points}  {unsure or '-'}"
    )


def _warnings(t: Tournament) -> list[str]:
    """Warn of ratings that are only as large as the number of pairs allows, and of intervals from few blocks."""
    told = [(t.won_all, "won"), (t.lost_all, "lost")]
    lines = [f"{', '.join(names)} {what} every match: the rating says only that." for names, what in told if names]
    if t.outcome.plan.pairs < FEWEST_BLOCKS * BLOCK_PAIRS:
        lines.append(f"below {FEWEST_BLOCKS * BLOCK_PAIRS:,} pairs the ± of ratings is somewhat too narrow")
    return [line for text in lines for line in wrapped(text, "  ", "  ")]


def _matrix(t: Tournament) -> list[str]:
    """Show the row's share of the matches against the column's player, with a mark where it is not sure."""
    count = len(t.standings)
    if count > MOST_IN_MATRIX:
        return ["", f"  who beats whom: {count} players are too many to show here; --json has it"]
    heading = "".join(f"{number:>{MATRIX_CELL}} " for number in range(1, count + 1))
    lines = ["", f"  {'% of matches won against':<{MATRIX_NAME + 6}}{heading}".rstrip()]
    for row, standing in enumerate(t.standings):
        cells = "".join(_cell(t, row, column) for column in range(count))
        lines.append(
            f"  {standing.rank:>2}  {cut_middle(standing.player, MATRIX_NAME):<{MATRIX_NAME}}  {cells}".rstrip()
        )
    return [*lines, "  ? who is stronger is not 99% sure, each pairing by itself"]


def _cell(t: Tournament, row: int, column: int) -> str:
    rate, sure = t.win_rates[row, column], t.superiority[row, column]
    if row == column or np.isnan(rate):
        return f"{'.' if row == column else '-':>{MATRIX_CELL}} "
    share = "100" if rate >= 0.9995 else f"{100 * rate:.1f}"  # 100.0 would touch the cell before
    return f"{share:>{MATRIX_CELL}}{' ' if max(sure, 1 - sure) > 0.99 else '?'}"


def _equilibrium(t: Tournament) -> list[str]:
    """Say which mix nobody beats, and who can be exploited most."""
    if any(s.mix is None for s in t.standings):
        return ["  no equilibrium: not everyone met everyone"]
    weights = [f"{100 * (s.mix or 0):.0f}% {s.player}" for s in t.standings if (s.mix or 0) >= 0.005]
    lines = wrapped(f"unbeatable mix among these: {', '.join(weights)}", "  ", "    ")
    worst = max(t.standings, key=lambda s: s.exploitability or 0)
    if worst.exploiter:
        told = f"most exploitable: {worst.player}, which wins {100 * (0.5 - (worst.exploitability or 0)):.1f}%"
        lines += wrapped(f"{told} against {worst.exploiter}", "  ", "    ")
    return lines
