"""Play some pairs of a run again, chosen from its seed, and compare every row that is stored of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from sim.batch.executors import play_in_order
from sim.batch.lookup import as_stored, files_with, first_difference, stored_rows
from sim.batch.part_lines import PartLine
from sim.batch.plan import Part, Plan
from sim.batch.runner import Played, RunFailed, Watch
from sim.batch.spec import SOURCES
from sim.batch.verify import Fault
from strategies.registry import bind

_DIFFERS = "run hollywood doctor; if all is well there, the file was made anew: delete it, then resume"
_FAILS = "run hollywood doctor"


def replay_sample(
    path: Path, plan: Plan, pairs: Sequence[tuple[int, int]], tell: Callable[[int], None]
) -> Iterator[Fault]:
    """Play these pairs again, given as part and pair, and yield what is not as stored; `tell` hears how many are done.

    The plan's strategies must be the run's own, and their parts in place.
    """
    planned = {part.number: part for part in plan.parts()}
    singles = [Part(number, planned[number].sides, pair, 1) for number, pair in pairs]
    try:
        for done, (part, played) in enumerate(play_in_order((plan, bind, Watch()), iter(singles), 1), start=1):
            yield from _differences(path, part, played)
            tell(done)
    except (RunFailed, ValueError) as error:  # a move that is illegal now, or source that does not compile here
        yield Fault(SOURCES, f"cannot be played again: {error}", _FAILS)


def _differences(path: Path, part: Part, played: Played) -> Iterator[Fault]:
    for table, stored in stored_rows(path, part.names, part.first_pair).items():
        rows = played.deals if table == "deals" else played.matches
        told = first_difference(stored, as_stored(table, rows, part.names))
        if told:
            yield Fault(files_with(path, part.names, part.first_pair)[table], told, _DIFFERS)


def sampled_pairs(lines: Sequence[PartLine], sample: int, seed: int) -> list[tuple[int, int]]:
    """Choose pairs of finished parts from the seed, as part and pair: spread over pairings, then over their parts.

    Fewer than asked for where there are not so many.
    """
    chance = np.random.default_rng(seed)
    by_pairing: dict[tuple[object, ...], list[list[tuple[int, int]]]] = {}
    for line in lines:
        pairs = chance.choice(line["pairs"], size=min(sample, line["pairs"]), replace=False)
        drawn = [(line["part"], line["first_pair"] + int(pair)) for pair in pairs]
        by_pairing.setdefault((line["a"], line["b"], line.get("c")), []).append(drawn)
    queues = [list(_by_turns([parts[at] for at in chance.permutation(len(parts))])) for parts in by_pairing.values()]
    return sorted(list(_by_turns(queues))[:sample])


def _by_turns(queues: Sequence[Sequence[tuple[int, int]]]) -> Iterator[tuple[int, int]]:
    """Yield the first of each queue, then the second of each, and so on."""
    for place in range(max(map(len, queues), default=0)):
        yield from (queue[place] for queue in queues if place < len(queue))
