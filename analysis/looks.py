"""The course of a sequential test, look by look, worked out again from what the parts of its run keep."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.anytime import anytime_limits
from analysis.load import Pairing, Run, RunError
from analysis.sequential import VERDICTS, SequentialTest, make_test, moments
from sim.batch.part_lines import pieces, read_lines
from sim.batch.tally import BLOCK_PAIRS

Counts = npt.NDArray[np.int64]


def block_scores(run: Run) -> dict[Pairing, Counts]:
    """Return for each pairing its pairs by A's match score (0, 1/4, 1/2, 3/4, 1), block by block in pair order.

    Counts of shape (blocks, 5), a block being 256 pairs; the last one of a part may be short. Raises `RunError` where
    parts do not keep them, as in three-handed play.
    """
    lines = read_lines(run.path)
    kept = {line["part"]: [piece.get("block_scores") for piece in pieces(line)] for line in lines}
    found: dict[Pairing, list[Counts]] = {}
    for part in run.parts:
        if not all(kept[part.number]):
            raise RunError(f"{run.path}: part {part.number} keeps no scores of its blocks")
        found.setdefault(part.sides, []).extend(np.array(blocks, np.int64) for blocks in kept[part.number])
    return {pairing: np.concatenate(blocks) for pairing, blocks in found.items()}


def asked(run: Run) -> SequentialTest:
    """Return the sequential test that a comparison was made with. Raises `RunError` of any other run."""
    test = run.manifest.get("experiment", {}).get("test")
    if run.kind != "compare" or not test:
        raise RunError(f"{run.path}: not a comparison, so it has no sequential test")
    return make_test(test["name"], (test["s0"], test["s1"]), test["alpha"], test["beta"])


def course(run: Run) -> pd.DataFrame:
    """Return one row a look of a comparison's sequential test, in order; none if it played less than a block.

    Columns: look (from 1) · pairs (duplicate pairs so far) · rate (A's share of the matches so far, 0..1) · lo, hi (95%
    limits that hold at all looks at once, `analysis.anytime`) · llr_a, llr_b (log likelihood ratio of A's question,
    and of B's where the test asks from both sides, else NaN) · verdict (undecided, A, B or equal).
    """
    test = asked(run)
    counts = np.cumsum(block_scores(run)[run.pairings[0]], axis=0)
    found = moments(counts[counts.sum(axis=1) >= BLOCK_PAIRS])  # a test does not look at less
    lo, hi = anytime_limits(found.mean, found.variance**0.5, found.pairs, int(run.spec["pairs"]), share=True)
    llrs = test.llrs(found.mean, found.variance, found.pairs)
    return pd.DataFrame(
        {
            "look": np.arange(1, len(found.pairs) + 1),
            "pairs": found.pairs.astype(np.int64),
            "rate": found.mean,
            "lo": lo,
            "hi": hi,
            "llr_a": llrs[0],
            "llr_b": llrs[1] if test.mirrored else np.nan,
            "verdict": [VERDICTS[code] for code in test.verdicts(found.mean, found.variance, found.pairs)],
        }
    )
