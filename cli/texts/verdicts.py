"""What a comparison came to: the verdict in a sentence, where endpoints disagree, and a block to paste."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.texts.commands import folded, rules_text, shown
from cli.texts.words import (
    LINE_WIDTH,
    NAME_WIDTH,
    bold,
    cut_middle,
    pairs_text,
    plus_minus,
    rounded_up,
    short_count,
    signed,
    wrapped,
)
from experiments.again import compare_words
from experiments.endpoints import Endpoint, against_matches, endpoints, legs

if TYPE_CHECKING:
    from analysis.sequential import Look, SequentialTest
    from experiments.compare import Comparison

NINE_IN_TEN = 1.959964 + 1.281552
"""Standard errors that a difference must have to show itself, at 5%, in nine runs of ten."""
RULE = "  " + "-" * (LINE_WIDTH - 5)


def course_note(test: SequentialTest, look: Look) -> str:
    """Say in a few words how a comparison stands while it is played."""
    return f"A {100 * look.moments.mean:.1f}%, evidence {max(look.llrs):+.1f} of {test.upper:+.1f}"


def comparison_text(c: Comparison) -> str:
    """Return the verdict, what goes against it, the block to paste, and what to do next."""
    found = endpoints(c.pairing)
    speed = f"{c.seconds:.1f} s · {short_count(c.pairing.tally['deals'] / max(c.seconds, 1e-9))} deals/s"
    return "\n".join(
        [
            *map(bold, wrapped(verdict(c))),
            *(line for sentence in remarks(c, found) for line in wrapped(sentence, "  ", "  ")),
            RULE[:-6] + " paste",
            *(line for label, text in _block(c, found) for line in wrapped(text, f"  {label:<8} ", " " * 11)),
            *folded(compare_words(c.plan, c.test), "  Again    ", "             "),
            RULE,
            f"  {c.pairing.tally['deals']:,} deals · {speed}",
            f"  saved  {shown(c.run)}",
            f"  next   hollywood report {shlex.quote(shown(c.run))}",
        ]
    )


def verdict(c: Comparison) -> str:
    """Say in one sentence who is better, or that it cannot be told."""
    m, a, b = c.look.moments, cut_middle(c.pairing.a, NAME_WIDTH), cut_middle(c.pairing.b, NAME_WIDTH)
    rate, told = float(m.mean), f"{100 * m.mean:.1f}% {plus_minus(c.pairing.interval)}"
    if c.is_mirror:
        return f"{a} against itself: exactly 50% of matches, as it must be."
    if c.verdict == "undecided":
        most = max(abs(end - 0.5) for end in c.pairing.interval)
        shows = NINE_IN_TEN * math.sqrt(m.variance / m.pairs)
        could = "so few pairs show hardly any difference."
        if shows < 0.5:
            could = f"{rounded_up(100 * shows)} would have shown, nine times in ten."
        return (
            f"undecided: {a} wins {told} of matches after {pairs_text(c.pairs)}. The two may differ by up to"
            f" {rounded_up(100 * most)} points; {could}"
        )
    if c.verdict == "equal":
        alike = f"{a} and {b} are as good as each other" if c.test.mirrored else f"{a} is no worse than {b}"
        return f"{alike}, to within {_margin(c.test)}: {a} wins {told} of matches."
    name, other, share, fair = (a, b, rate, c.adjusted.estimate)
    if c.verdict == "B":
        name, other, share, fair = b, a, 1 - rate, 1 - c.adjusted.estimate
    return (
        f"{name} is better than {other}: it wins {100 * share:.1f}% {plus_minus(c.pairing.interval)} of matches when"
        f" stopped, {100 * fair:.1f}% after adjusting for that."
    )


def _margin(test: SequentialTest) -> str:
    points = f"{100 * max(abs(0.5 - test.s0), abs(0.5 - test.s1)):.3g}"
    return f"{points} point{'' if points == '1' else 's'}"


def remarks(c: Comparison, found: Sequence[Endpoint]) -> list[str]:
    """Say which endpoints favour the other side than the matches do, and how the deals went."""
    t, p = c.pairing.tally, c.pairing
    lost = t["deals_scored"] - t["deals_won"]
    if c.is_mirror or not (t["deals_won"] and lost):
        return []
    each = f"worth {t['deal_points_a'] / t['deals_won']:.1f} points each against {t['deal_points_b'] / lost:.1f}"
    deals = f"{cut_middle(p.a, NAME_WIDTH)} wins {100 * p.deal_win_rate:.1f}% of the deals, {each}."
    other_way = against_matches(found)
    if not other_way:
        return [deals]
    name = p.a if found[0].favours == "A" else p.b
    fewer = " and ".join(_fewer(endpoint) for endpoint in other_way)
    return [f"Endpoints disagree: {cut_middle(name, NAME_WIDTH)} wins more matches, but {fewer}.", deals]


def _fewer(endpoint: Endpoint) -> str:
    """Say what the side that wins more matches has less of."""
    if endpoint.unit == "share":
        share = max(endpoint.estimate, 1 - endpoint.estimate)
        what = "fewer deals" if endpoint.name == "deals won" else f"{endpoint.name} less often"
        return f"{what} ({100 * (1 - share):.1f}%)"
    return f"fewer {endpoint.name} (-{abs(endpoint.estimate):.1f} a match)"


def _block(c: Comparison, found: Sequence[Endpoint]) -> list[tuple[str, str]]:
    """Return the lines to paste, each with its label."""
    by_name = {endpoint.name: endpoint for endpoint in found}
    columns = "  ".join(f"{100 * e.estimate:.1f}" for e in found if e.name.startswith("column"))
    deals, settled, points = by_name["deals won"], by_name["settled points"], by_name["deal points"]
    scores, together = c.pairing.document()["pair_scores"], legs(c.pairing)
    a, b = cut_middle(c.pairing.a, NAME_WIDTH), cut_middle(c.pairing.b, NAME_WIDTH)
    fair = f"{100 * c.adjusted.estimate:.1f}% [{100 * c.adjusted.low:.1f}, {100 * c.adjusted.high:.1f}]"
    worth = f"x{together.gain:.2f} as many matches dealt apart would tell as much"
    if not math.isfinite(together.gain):
        worth = "no luck left: each pair cancels it all"
    won = f"Deals won {100 * deals.estimate:.1f}% {plus_minus((deals.low, deals.high))}"
    return [
        ("A v B", f"{a} v {b}"),
        ("Rules", f"{rules_text(c.plan)}, seed {c.plan.seed}"),
        ("Matches", f"{100 * c.look.moments.mean:.1f}% {plus_minus(c.pairing.interval)} raw, {fair} adjusted (95%)"),
        ("Columns", f"{columns} %    {won}"),
        ("Points", f"settled {_points(settled)}    deals {_points(points)}    a match, A minus B"),
        ("Pairs", f"{c.pairs:,}   scores 0 1/4 1/2 3/4 1: {scores}"),
        ("Legs", f"rho {together.rho:.2f}, {worth}"),
        ("Test", _test_line(c)),
    ]


def _points(endpoint: Endpoint) -> str:
    if not math.isfinite(endpoint.low):
        return f"{signed(endpoint.estimate)}"
    return f"{signed(endpoint.estimate)} ±{rounded_up((endpoint.high - endpoint.low) / 2)}"


def _test_line(c: Comparison) -> str:
    test = c.test
    asked = f"{test.name} {100 * test.s0:.6g}/{100 * test.s1:.6g}%"
    bounds = f"{test.lower:+.2f} and {test.upper:+.2f}"
    if c.stopped_by == "pairs":
        return f"{asked}, all pairs played at {c.deciding_llr:+.2f}, between {bounds}"
    bound = test.upper if c.stopped_by == "above" else test.lower
    return f"{asked}, stopped {c.stopped_by} {bound:+.2f} at {c.deciding_llr:+.2f}, look {c.look.looks}"


def comparison_markdown(c: Comparison) -> str:
    """Return the verdict and the block as Markdown."""
    found = endpoints(c.pairing)
    lines = [f"**{verdict(c)}**", ""]
    lines += [line for sentence in remarks(c, found) for line in (sentence, "")]
    lines += ["| | |", "| --- | --- |"]
    lines += [f"| {label} | {line.replace('|', chr(92) + '|')} |" for label, line in _block(c, found)]
    return "\n".join([*lines, "", "```", shlex.join(compare_words(c.plan, c.test)), "```"])
