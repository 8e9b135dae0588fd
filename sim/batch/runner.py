"""Playing one part: kernel calls in small chunks, errors told in words, files written, a summary returned."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Event, Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.batch.fingerprint import engine_fingerprint
from sim.batch.plan import Part, Plan
from sim.batch.provenance import engine_version
from sim.batch.schema import SCHEMA_VERSION, SIDE_LETTERS, arrow_table, by_field
from sim.batch.store import RunFolder, part_file, write_table
from sim.batch.tally import Tally, block_scores, tally, tally_trios
from sim.decisions import BoundStrategy, StrategySpec
from sim.match import DeskArrays, block_kernel, line_up, new_desk
from sim.records import records
from sim.rows import DEAL_ROW, FINISHED, ILLEGAL, MATCH_ROW, OUT_OF_ROWS
from sim.trouble import offence_text, side_to_move, unfinished_text

Bind = Callable[[StrategySpec], BoundStrategy]

FIRST_CHUNK_PAIRS = 16
CHUNK_SECONDS = 0.2
"""About how long a kernel call shall play: then progress is told and a stop is heeded. (A call costs 1 to 2 ms.)"""
STALL_SECONDS = 60.0
"""A decision that takes longer is taken for one that never ends."""
MOST_GROWTH = 8
"""So many times as long as one call may the next one be: the first are too short to tell how fast a pairing plays."""
DEALS_A_PAIR = 36
"""First guess of the deal rows a pair needs; the buffer grows when it was too low."""


class Place(NamedTuple):
    """Which deal of a run: its sides as text, duplicate pair, leg, and index in the match."""

    sides: tuple[str, ...]
    pair: int
    leg: int
    deal: int


class RunFailed(RuntimeError):
    """A run that cannot go on: an illegal move, an error inside a strategy, players who never score; and where.

    A replay of that deal shows it, unless `can_be_replayed` is off: it would not come back either.
    """

    can_be_replayed = True

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.place = place


class RunStalled(RunFailed):
    """A strategy that does not come back from a decision; its thread cannot be stopped, only the process can."""

    can_be_replayed = False


class Stopped(Exception):
    """The part in work was dropped because a stop was asked for."""


class Watch:
    """Follows the parts in work: `tell` hears of pairs and deals just played; setting `stop` drops the parts.

    It may hear of no pairs and no deals, when playing begins. Both are used from several threads.
    """

    def __init__(self, tell: Callable[[int, int], None] | None = None) -> None:
        self.stop = Event()
        self._tell = tell
        self._followed: set[_Followed] = set()
        self._lock = Lock()

    @contextmanager
    def following(self, stall: Callable[[], RunStalled], desk: DeskArrays) -> Iterator[None]:
        """Follow a kernel call on a desk; `stall` says what to raise if its deal does not move on."""
        followed = _Followed(stall, desk)
        with self._lock:
            self._followed.add(followed)
        try:
            yield
        finally:
            with self._lock:
                self._followed.discard(followed)

    def check(self) -> None:
        """Raise `RunStalled` if a deal that is being played has not moved for `STALL_SECONDS`."""
        with self._lock:
            followed = list(self._followed)
        for one in followed:
            if one.stands_still_for() > STALL_SECONDS:
                raise one.stall()

    def begin(self) -> None:
        """Take note that all is ready and playing begins, where the first pairs are told of long after."""
        if self._tell is not None:
            self._tell(0, 0)

    def advance(self, pairs: int, deals: int) -> None:
        """Take note of pairs and deals just played, or of pairs that were in place already, with no deals."""
        if self._tell is not None:
            self._tell(pairs, deals)


class Played(NamedTuple):
    """The rows of a part: MATCH_ROW of shape (legs * pairs,), DEAL_ROW of shape (deals,) or, if none are kept, (0,)."""

    matches: npt.NDArray[np.void]
    deals: npt.NDArray[np.void]

    def first_pairs(self, pairs: int) -> Played:
        """Return the rows of the first so many pairs of two legs."""
        matches = self.matches[: 2 * pairs]
        return Played(matches, self.deals[: int(matches["deals_played"].sum()) if len(self.deals) else 0])


def play_part(plan: Plan, part: Part, bind: Bind, watch: Watch) -> Played:
    """Play a part in this thread. Raises `RunFailed`, or `Stopped` when the watch asks for it."""
    bound = [bind(player) for player in part.players(plan.rules)]
    desk = new_desk(plan.rules, plan.seed, tuple(player.params for player in bound))
    players, kernel, keep, legs = line_up(*bound), block_kernel(), "deals" in plan.tables, plan.rules.legs
    matches = records(legs * part.pairs, MATCH_ROW)
    deals = records(part.pairs * DEALS_A_PAIR if keep else 1, DEAL_ROW)
    done, used, chunk = 0, 0, FIRST_CHUNK_PAIRS
    while done < part.pairs:
        if watch.stop.is_set():
            raise Stopped
        rows = matches[legs * done : legs * min(done + chunk, part.pairs)]
        began = time.perf_counter()
        try:
            with watch.following(partial(_stall, plan, part, desk), desk):
                state, pairs, new = kernel(players, desk, part.first_pair + done, rows, deals[used:], keep)
        except Exception as error:
            raise RunFailed(
                f"{_where(plan, part, desk)}: {type(error).__name__}: {error}", _place(part, desk)
            ) from error
        if state == OUT_OF_ROWS:
            deals = np.concatenate([deals, records(len(deals) // 2 + 1, DEAL_ROW)]).view(np.recarray)
        elif state != FINISHED:
            raise RunFailed(_what_went_wrong(plan, part, desk, state), _place(part, desk))
        watch.advance(pairs, int(rows["deals_played"][: legs * pairs].sum()))
        done, used = done + pairs, used + new
        chunk = _next_chunk(chunk, time.perf_counter() - began)
    return Played(matches, deals[:used])


def _next_chunk(pairs: int, seconds: float) -> int:
    """Return how many pairs the next kernel call shall play, after one of so many took so long."""
    fitting = pairs * CHUNK_SECONDS / max(seconds, 1e-9)
    return max(int(min(fitting, MOST_GROWTH * pairs)), 1)


def _place(part: Part, desk: DeskArrays) -> Place:
    table = desk.table[0]
    return Place(part.names, int(table.pair), int(table.leg), int(table.deal))


def _where(plan: Plan, part: Part, desk: DeskArrays) -> str:
    table = desk.table[0]
    deal = f"deal (seed {plan.seed}, pair {table.pair}, leg {table.leg}, deal {table.deal})"
    return f"{' v '.join(part.names)}, {deal}"


def _what_went_wrong(plan: Plan, part: Part, desk: DeskArrays, state: int) -> str:
    if state != ILLEGAL:
        return f"{_where(plan, part, desk)}: {unfinished_text(state)}"
    table = desk.table[0]
    who = part.players(plan.rules)[table.seated[table.offender]].text
    return f'illegal move of strategy "{who}" in {_where(plan, part, desk)}: {offence_text(table)}'


class _Followed:
    """A kernel call that is watched from another thread, by what it writes on its desk."""

    def __init__(self, stall: Callable[[], RunStalled], desk: DeskArrays) -> None:
        self.stall = stall
        self._desk = desk
        self._mark = self._state()
        self._since = time.monotonic()

    def stands_still_for(self) -> float:
        """Return for how many seconds no decision was made."""
        mark = self._state()
        if mark != self._mark:
            self._mark, self._since = mark, time.monotonic()
        return time.monotonic() - self._since

    def _state(self) -> tuple[int, ...]:
        table = self._desk.table[0]
        decisions = self._desk.holdings["decisions"].tolist()
        return (int(table.pair), int(table.leg), int(table.deal), int(table.turns), *decisions)


def _stall(plan: Plan, part: Part, desk: DeskArrays) -> RunStalled:
    who = part.players(plan.rules)[desk.table[0].seated[side_to_move(desk)]].text
    told = f"has not come back from a decision for {STALL_SECONDS:.0f} seconds"
    return RunStalled(f'strategy "{who}" {told}, in {_where(plan, part, desk)}', _place(part, desk))


@dataclass(frozen=True)
class PartSummary:
    """A finished part: the line of parts.jsonl, which holds its tally."""

    line: dict[str, Any]

    @property
    def pairing(self) -> tuple[str, ...]:
        """The sides, as text."""
        return tuple(self.line[letter] for letter in SIDE_LETTERS if letter in self.line)

    @property
    def tally(self) -> Tally:
        """The sums over the part's pairs."""
        tally: Tally = self.line["tally"]
        return tally

    @property
    def block_scores(self) -> list[list[int]]:
        """The pairs of each block by A's match score (`sim.batch.tally.block_scores`); none in three-handed play."""
        blocks: list[list[int]] = self.line.get("block_scores", [])
        return blocks


def part_metadata(plan: Plan, part: Part) -> dict[str, str]:
    """Return the key-value metadata of a part's files: functions of the plan alone, so that bytes are reproducible."""
    return {
        "schema_version": str(SCHEMA_VERSION),
        "spec_hash": plan.spec_hash(),
        "engine_version": engine_version(),
        "fingerprint": engine_fingerprint(),
        "seed": str(plan.seed),
        "first_pair": str(part.first_pair),
        "pairs": str(part.pairs),
        "form": plan.rules.form,
        "rules": ",".join(f"{name}={value}" for name, value in plan.rules.options().items()),
    }


def run_part(plan: Plan, part: Part, bind: Bind, folder: RunFolder, watch: Watch) -> PartSummary:
    """Play a part and write its files and its line; return its summary."""
    start = time.perf_counter()
    played = play_part(plan, part, bind, watch)
    return keep_part(plan, part, played, folder, start)


def keep_part(plan: Plan, part: Part, played: Played, folder: RunFolder, start: float) -> PartSummary:
    """Write the files and the line of a part that was played; return its summary.

    `start` is when playing it began, on the clock of `time.perf_counter`.
    """
    line: dict[str, Any] = {"part": part.number, **dict(zip(SIDE_LETTERS, part.names, strict=False))}
    line |= {"first_pair": part.first_pair, "pairs": part.pairs}
    metadata = part_metadata(plan, part)
    tables = {table: by_field(table, played.deals if table == "deals" else played.matches) for table in plan.tables}
    for table, fields in tables.items():
        file = part_file(table, part.number)
        arrow = arrow_table(table, fields, part.names, metadata)
        sha256, size = write_table(arrow, folder.path / file)
        line[table] = {"file": file, "rows": len(arrow), "bytes": size, "sha256": sha256}
    if "trios" in tables:
        line["tally"] = tally_trios(tables["trios"])
    else:
        line |= {"tally": tally(tables["matches"]), "block_scores": block_scores(tables["matches"])}
    line["deals_played"] = line["tally"]["deals"]
    line["seconds"] = round(time.perf_counter() - start, 3)
    folder.add_part(line)
    return PartSummary(line)
