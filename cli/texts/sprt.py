"""The sequential test of counts, for the terminal and as a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.sequential import VERDICTS, look
from cli.texts.words import bold, pairs_text, wrapped
from sim.batch.tally import BLOCK_PAIRS

if TYPE_CHECKING:
    from analysis.sequential import SequentialTest


def sprt_document(test: SequentialTest, counts: Sequence[int]) -> dict[str, Any]:
    """Return what a test says of five counts, as `sprt --json` prints it."""
    found = look(test, counts)
    return {
        "test": test.document(),
        "pair_scores": list(counts),
        "pairs": int(found.moments.pairs),
        "match_win_rate": float(found.moments.mean),
        "sd": float(found.moments.variance) ** 0.5,
        "llr": found.llrs[0],
        "llrs": list(found.llrs),
        "verdict": VERDICTS[found.verdict],
    }


def sprt_text(test: SequentialTest, counts: Sequence[int]) -> str:
    """Say what a test says of five counts."""
    found = sprt_document(test, counts)
    rate = f"A wins {100 * found['match_win_rate']:.1f}% of matches over {pairs_text(found['pairs'])}"
    said = {
        "undecided": f"undecided: {rate}; go on playing.",
        "A": f"A is better: {rate}.",
        "B": f"B is better: {rate}.",
        "equal": f"{'As good as each other' if test.mirrored else 'A is no worse'}: {rate}.",
    }[found["verdict"]]
    asked = f"{100 * test.s0:.4g}% or {100 * test.s1:.4g}%"
    lines = [*map(bold, wrapped(said)), f"  test       {test.name}: {test.about}"]
    for side, llr in zip("AB", found["llrs"], strict=False):
        share = f"{side}'s share {asked}"
        lines.append(f"  evidence   {llr:+.2f}   {share}; decided at {test.lower:+.2f} and {test.upper:+.2f}")
    if found["pairs"] < BLOCK_PAIRS:
        lines.append(f"  note       below {BLOCK_PAIRS} pairs, where compare never looks, the spread is a guess")
    return "\n".join([*lines, f"  spread     {found['sd']:.3f} of a match a pair"])
