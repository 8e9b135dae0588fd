"""Who won a simulation, and by how much."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from cli.texts.commands import rules_text, shown
from cli.texts.words import NAME_WIDTH, bold, cut_middle, dim, pairs_text, plus_minus, short_count
from experiments.outcomes import Pairing, Trio

if TYPE_CHECKING:
    from experiments.outcomes import Outcome


def outcome_text(outcome: Outcome) -> str:
    """Say who won each pairing and by how much, where the run is kept, and what to do next."""
    plan = outcome.plan
    pairs, matches = plan.total_pairs(), plan.rules.legs * plan.total_pairs()
    speed = f"{outcome.seconds:.1f} s · {short_count(outcome.deals / max(outcome.seconds, 1e-9))} deals/s"
    lines = [line for pairing in outcome.pairings for line in _lines(pairing)]
    units = pairs_text(pairs) if plan.rules.legs == 2 else f"{pairs:,} card streams x 6"
    lines.append(f"  {units} · {outcome.deals:,} deals · {outcome.deals / matches:.1f} a match · {speed}")
    lines.append(dim(f"  rules  {rules_text(plan)}, seed {plan.seed}"))
    return "\n".join(
        [*lines, f"  saved  {shown(outcome.run)}", f"  next   hollywood report {shlex.quote(shown(outcome.run))}"]
    )


def _lines(pairing: Pairing | Trio) -> list[str]:
    return _pairing_lines(pairing) if isinstance(pairing, Pairing) else _trio_lines(pairing)


def _trio_lines(t: Trio) -> list[str]:
    """Say who wins most matches of three, and each one's share."""
    names = [cut_middle(name, NAME_WIDTH) for name in t.names]
    best = sorted(zip(t.match_win_rates, t.intervals, names, strict=True), reverse=True)
    rate, limits, leader = best[0]
    others = [(ends[1], name) for _, ends, name in best[1:] if name != leader]
    reached, second = max(others, default=(0.0, leader))
    if len(set(t.names)) == 1:
        verdict = f"{leader} against itself: a third of the matches each."
    elif limits[0] > reached:
        verdict = f"{leader} wins most matches, {100 * rate:.1f}% {plus_minus(limits)}."
    else:
        verdict = f"undecided: {leader} and {second} cannot be told apart."
    rows = [f"  {name:<{NAME_WIDTH}} {100 * share:5.1f}% {dim(plus_minus(ends))}" for share, ends, name in best]
    ties = f"  {'ties':<{NAME_WIDTH}} {100 * t.tie_rate:5.1f}%   a third of each to everyone"
    return [" v ".join(cut_middle(name, NAME_WIDTH // 3 * 2) for name in t.names), f"  {bold(verdict)}", *rows, ties]


def _pairing_lines(p: Pairing) -> list[str]:
    columns = "  ".join(f"{100 * rate:.1f}" for rate in p.column_rates if rate is not None)
    labels = "/".join(str(c + 1) for c, rate in enumerate(p.column_rates) if rate is not None)
    deals = f"deals won   {100 * p.deal_win_rate:.1f}% {dim(plus_minus(p.deal_interval))}"
    return [
        f"{cut_middle(p.a, NAME_WIDTH)} v {cut_middle(p.b, NAME_WIDTH)}",
        f"  {bold(_verdict(p))}",
        f"  column{'s' if '/' in labels else ''} {labels}   {columns} %     {deals}",
    ]


def _verdict(p: Pairing) -> str:
    rate, (low, high), a = p.match_win_rate, p.interval, cut_middle(p.a, NAME_WIDTH)
    told = f"{100 * rate:.1f}% {plus_minus(p.interval)} of matches"
    if p.a == p.b:
        return f"{a} against itself: {told}."
    if low <= 0.5 <= high:
        return f"undecided: {a} wins {told}; {pairs_text(p.tally['pairs'])} cannot tell."
    return f"{a} wins {told}: it is the {'stronger' if rate > 0.5 else 'weaker'} player here."
