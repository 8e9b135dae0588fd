"""Reading a run folder: what was asked, what was recorded about it, and which part files count.

Of the other modules only `analysis.looks` opens files of a run, for the lines of its parts. pandas and DuckDB are
imported when they are first needed.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.asking import create_views, quoted
from analysis.parts import Part, some_at_a_time
from sim.batch.lines import PARTS, line_texts
from sim.batch.status import UNFINISHED, pairs_at_first

if TYPE_CHECKING:
    import pandas as pd

Pairing = tuple[str, ...]
"""Who meets: side A, side B and, in three-handed play, side C, as a user would type them."""
SIDE_KEYS = ("a", "b", "c")
PARTNERSHIP, THREE_HANDED = "partnership", "three-handed"
"""Values of the specification's `form`; the other one is two-handed."""
SPEC_KEYS = ("seed", "pairs", "preset", "form", "rules", "strategies", "sides", "pairings")
NEWEST_SCHEMA = 2  # kept equal to sim.batch.schema.SCHEMA_VERSION by a test: importing that one loads pyarrow


class RunError(ValueError):
    """A run folder that cannot be read; the message is one line naming the file and what is wrong with it."""


@dataclass(frozen=True, eq=False)
class Run:
    """A run folder as it was when loaded; tables of it are functions in this package.

    `spec` and `manifest` are the two files as dictionaries, `parts` the finished parts in order, `unlisted`
    the match files without a line in parts.jsonl: parts that were not finished, and that do not count. `summary` is
    what an experiment concluded, its summary.json; empty of a run that was not finished.
    """

    path: Path
    spec: Mapping[str, Any]
    manifest: Mapping[str, Any]
    parts: tuple[Part, ...]
    unlisted: tuple[str, ...]
    summary: Mapping[str, Any] = field(default_factory=dict)

    @property
    def run_id(self) -> str:
        """Return the run's name."""
        return str(self.manifest["run_id"])

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Return the pairings that have finished parts, in the order of play."""
        return tuple(dict.fromkeys(part.sides for part in self.parts))

    @property
    def planned(self) -> tuple[Pairing, ...]:
        """Return the pairings that were asked for, in the order of play."""
        return tuple(tuple(str(entry[key]) for key in self.side_keys) for entry in self.spec["pairings"])

    @property
    def players(self) -> dict[str, tuple[str, ...]]:
        """Return the sides of the run and who plays each: one strategy, or two partners in partnership play."""
        return {str(entry["side"]): tuple(entry["players"]) for entry in self.spec["sides"]}

    @property
    def is_three_handed(self) -> bool:
        """Tell whether three play in rotation, so that the run has trios in place of matches of two sides."""
        return bool(self.spec["form"] == THREE_HANDED)

    @property
    def table(self) -> str:
        """Return the kind of match files the run has, which is also the name of their view: matches or trios."""
        return "trios" if self.is_three_handed else "matches"

    @property
    def side_keys(self) -> tuple[str, ...]:
        """Return the columns that name who meets: a, b and, in three-handed play, c."""
        return SIDE_KEYS if self.is_three_handed else SIDE_KEYS[:2]

    @property
    def legs(self) -> int:
        """Return how many matches are played with the same cards: two, in three-handed play six."""
        return 6 if self.is_three_handed else 2

    @property
    def columns(self) -> int:
        """Return how many columns the sheet has: 3, or 1 for ordinary gin rummy."""
        return int(self.spec["rules"]["columns"])

    @property
    def deals_a_round(self) -> int:
        """Return how many deals make one entry on the sheet: two in partnership play, one at each table, else one."""
        return 2 if self.spec["form"] == PARTNERSHIP else 1

    @property
    def has_deals(self) -> bool:
        """Tell whether every part has a file with a row a deal, so that ``deals`` can be asked."""
        return all(part.deals for part in self.parts)

    @property
    def end(self) -> int:
        """Return the first pair number after all that were played."""
        return max(part.first_pair + part.pairs for part in self.parts)

    def is_mirror(self, of: Pairing) -> bool:
        """Tell whether leg 1 of a pairing is leg 0 seen from the other side.

        So it is of a player against itself, unless the rules say which side deals first: then that one does in both.
        """
        return len(set(of)) == 1 and self.spec["rules"]["first_dealer"] not in ("a", "b")

    @property
    def each_once(self) -> str:
        """Return an SQL condition on matches or deals that takes of a mirror leg 0 alone, else all."""
        mirrors = any(self.is_mirror(pairing) for pairing in self.pairings)
        return "NOT (leg = 1 AND strategy_a = strategy_b)" if mirrors else "TRUE"

    @property
    def named(self) -> str:
        """Return SQL for who met, as columns a and b: constants in a run of one pairing, which cost a query nothing."""
        if self.is_three_handed or len(self.pairings) > 1:
            return "strategy_a AS a, strategy_b AS b"
        a, b = self.pairings[0]
        return f"{quoted(a)} AS a, {quoted(b)} AS b"

    @property
    def kind(self) -> str:
        """Return the kind of experiment that made the run: simulate, compare, sweep or tournament."""
        return str(self.manifest.get("experiment", {}).get("kind", "simulate"))

    @property
    def first_pairs(self) -> int:
        """Return how many pairs a pairing the run was to have before more were played; 0 if none were."""
        return pairs_at_first(self.manifest, self.end)

    @property
    def is_partial(self) -> bool:
        """Tell whether less was played than was asked for (a sequential test that stopped is not partial)."""
        return self.manifest["status"] in UNFINISHED

    def query(self, sql: str) -> pd.DataFrame:
        """Answer SQL over the views ``matches`` or ``trios`` (`table`) and, of a run that records deals, ``deals``.

        They hold exactly the finished parts. Raises `RunError` when a part file cannot be read.
        """
        return _answer(self, self.parts, sql, threads=os.cpu_count() or 1)

    def totals(self, sql: str, keys: Sequence[str], of: Pairing | None = None) -> pd.DataFrame:
        """Answer SQL whose every other column is a sum, over the whole run or one pairing.

        `sql` groups by the columns `keys`; the first ones are a and b, of trios also c. It sees rows in file
        order, so that it may look at the next rows, some parts at a time (`below_one_another`); the answers are then
        added up. Rows come back by pairing, in the order of play, then by the other keys.
        Raises `RunError` as `query`, and when the run has trios but `sql` is of matches, or the other way round.
        """
        import pandas as pd

        self._refuse_other_table("trios" if "c" in keys else "matches")
        answers = self.below_one_another(sql, of)
        table = pd.concat(answers, ignore_index=True)
        if len(answers) > 1:  # a pairing may lie in several of them
            table = table.groupby(list(keys), sort=False, dropna=False, as_index=False).sum()
        sides = list(self.side_keys)
        played = pd.DataFrame(self.pairings, columns=sides).reset_index(names="order")
        table = table.merge(played, on=sides, how="left")
        table = table.sort_values(["order", *keys[len(sides) :]], kind="stable", ignore_index=True)
        return table.drop(columns="order")

    def below_one_another(self, sql: str, of: Pairing | None = None) -> list[pd.DataFrame]:
        """Answer SQL over some parts at a time, of the whole run or one pairing, and return all answers.

        A query sees at most about `analysis.parts.ROWS_AT_ONCE` matches and their deals, so that what it joins or
        counts stays small; as many are asked at a time as there are processors. Raises `RunError` as `query`.
        """
        parts = [part for part in self.parts if of in (None, part.sides)]
        if of and not parts:
            raise RunError(f"{self.path}: no finished part of {' v '.join(of)}")
        processors = os.cpu_count() or 1
        with ThreadPoolExecutor(processors) as pool:
            return list(pool.map(lambda some: _answer(self, some, sql, threads=1), some_at_a_time(parts, processors)))

    def _refuse_other_table(self, wanted: str) -> None:
        """Raise `RunError` unless the run has match files of the wanted kind."""
        if wanted == self.table:
            return
        if self.is_three_handed:
            raise RunError(f"{self.path}: a three-handed run carries win rates only; analysis.trios has them")
        raise RunError(f"{self.path}: not a three-handed run, so it has no trios; analysis.pairings has its win rates")


def _answer(run: Run, parts: Sequence[Part], sql: str, threads: int) -> pd.DataFrame:
    """Return the answer to SQL over the match files of some parts; `RunError` when a file cannot be read."""
    return answers_over(views_of(run, parts), [sql], str(run.path), threads)[0]


def views_of(run: Run, parts: Sequence[Part]) -> dict[str, list[Path]]:
    """Return the tables of some parts of a run, and the files of each."""
    views = {run.table: [part.file for part in parts]}
    deals = [part.deals for part in parts if part.deals]
    return views | ({"deals": deals} if len(deals) == len(parts) else {})


def answers_over(
    views: Mapping[str, Sequence[Path]], queries: Sequence[str], where: str, threads: int = 1
) -> list[pd.DataFrame]:
    """Return the answers to queries over views, each of some Parquet files, of one run or of several.

    The queries are asked in order on one connection: a later one may read a table that an earlier one made. Raises
    `RunError`, beginning with `where`, when a file cannot be read.
    """
    import duckdb

    with duckdb.connect(config={"threads": threads}) as connection:
        connection.execute("SET enable_progress_bar = false")  # this package does not print
        try:
            create_views(connection, views)
            return [connection.execute(sql).df() for sql in queries]
        except duckdb.Error as error:
            raise RunError(f"{where}: {str(error).splitlines()[0]}") from error


def load_run(path: str | Path) -> Run:
    """Read a run folder: a finished run, or what there is of one that is still running or was interrupted.

    Raises `RunError` when there is no such folder, a file of it is missing or broken, its schema is newer
    than this program, or no part has been finished.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise RunError(f"{folder}: no such run folder")
    manifest = _read_manifest(folder / "manifest.json")
    spec = _read_spec(folder / "spec.toml")
    blank = Run(folder, spec, manifest, (), ())  # knows from the specification which files to look for
    parts = _read_parts(blank)
    listed = {part.file for part in parts}
    found = sorted((folder / blank.table).glob("*.parquet"))
    unlisted = tuple(file.name for file in found if file not in listed)
    return replace(blank, parts=parts, unlisted=unlisted, summary=_read_summary(folder / "summary.json"))


def _read_manifest(file: Path) -> dict[str, Any]:
    text = _text(file)
    try:
        manifest = json.loads(text)
        version = int(manifest["schema_version"])
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"{file}: not a manifest ({error})") from error
    if version != NEWEST_SCHEMA:
        kind = "newer" if version > NEWEST_SCHEMA else "older"
        raise RunError(f"{file}: schema version {version} is {kind} than this program reads ({NEWEST_SCHEMA})")
    return dict(manifest)


def _read_spec(file: Path) -> dict[str, Any]:
    try:
        spec = tomllib.loads(_text(file))
    except tomllib.TOMLDecodeError as error:
        raise RunError(f"{file}: not a specification ({error})") from error
    missing = [key for key in SPEC_KEYS if key not in spec]
    if missing:
        raise RunError(f"{file}: key {missing[0]!r} is missing")
    return spec


def _read_summary(file: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}
    except (ValueError, TypeError) as error:
        raise RunError(f"{file}: not a summary ({error})") from error


def _text(file: Path) -> str:
    if not file.is_file():
        raise RunError(f"{file}: missing, so this is not a run folder")
    return file.read_text(encoding="utf-8")


def _read_parts(run: Run) -> tuple[Part, ...]:
    """Return the finished parts by number; a part that was played again counts once, as last written."""
    parts = {part.number: part for where, line in line_texts(run.path) for part in [_read_part(run, line, where)]}
    if not parts:
        raise RunError(f"{run.path / PARTS}: no part is finished yet, so there is nothing to analyse")
    return tuple(parts[number] for number in sorted(parts))


def _read_part(run: Run, line: str, where: str) -> Part:
    try:
        entry = json.loads(line)
        part = Part(
            number=entry["part"],
            sides=tuple(entry[key] for key in run.side_keys),
            first_pair=entry["first_pair"],
            pairs=entry["pairs"],
            file=run.path / entry[run.table]["file"],
            rows=entry[run.table]["rows"],
            deals_played=entry["deals_played"],
            seconds=entry["seconds"],
            deals=run.path / entry["deals"]["file"] if "deals" in entry else None,
            merged=len(entry.get("merged", [entry])),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"{where}: not a part ({error})") from error
    for path in filter(None, (part.file, part.deals)):
        if not path.is_file():
            raise RunError(f"{path}: listed as finished, but missing")
    return part
