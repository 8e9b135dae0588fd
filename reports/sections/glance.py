"""The runs at a glance: who met under which rules in each, what came out, and in what the rules differ."""

from __future__ import annotations

from collections.abc import Sequence

import analysis
from analysis import Run
from analysis.concluded import settings
from reports import numbers
from reports.blocks import Cell, Row, Section, Table, share_cell
from reports.condition_names import differences, differing_options, short_rules
from reports.side_by_side import SeveralRuns

NOTHING = "–"


def at_a_glance(several: SeveralRuns) -> Section:
    """Show who met under which rules in each run, and what came out."""
    heads = ["Run", "Who met", "Rules", "Leader", "Matches won", "Pairs", "Seed"]
    rows = [_glance(several, number, run) for number, run in enumerate(several.runs)]
    table = Table(
        name="runs",
        title="A row for each run; the leader is who wins most of its matches, of a sweep the best setting",
        heads=heads,
        rows=rows,
        note="± is a 95% interval over duplicate pairs (the same cards played twice with the seats swapped), of "
        "three-handed runs over card streams. Pairs are those of one pairing.",
        best_first=False,
        of_words=True,
    )
    tables = [table, *([_rules_table(several)] if differing_options(several.runs) else [])]
    return Section("glance", "The runs at a glance", [differences(several.runs)], tables)


def _glance(several: SeveralRuns, number: int, run: Run) -> Row:
    leader, share = _leader(several, run)
    pairs = max(sum(part.pairs for part in run.parts if part.sides == pairing) for pairing in run.pairings)
    cells = [
        Cell(met(several, run), number),
        Cell(short_rules(run), number),
        Cell(leader, number),
        share,
        Cell(numbers.count(pairs), pairs),
        Cell(str(run.spec["seed"]), int(run.spec["seed"])),
    ]
    return Row(Cell(f"Run {number + 1}", f"{number:04}"), cells)


def met(several: SeveralRuns, run: Run) -> str:
    """Say who met in a run: both sides, all three, or how many there were."""
    if len(run.pairings) == 1:
        sides = [several.names[side] for side in run.pairings[0]]
        return f"{sides[0]} v itself" if len(set(sides)) == 1 else " v ".join(sides)
    players = {side for pairing in run.pairings for side in pairing}
    return f"{len(players)} {'sides' if run.deals_a_round > 1 else 'players'}"


def _leader(several: SeveralRuns, run: Run) -> tuple[str, Cell]:
    """Return who wins most matches of a run, and the share of them; a player who met only itself leads nobody."""
    if run.is_three_handed:
        table = analysis.trio_standings(run)
        if len(table) < 2:
            return NOTHING, Cell(NOTHING, -1)
        top = table.iloc[0]
        return _led(several, top["player"], [top[f"matches_won{end}"] for end in ("", "_lo", "_hi")])
    if run.kind == "sweep" and run.summary:
        arms = settings(run)
        best = arms[arms["best"]].iloc[0]
        return _led(several, best["player"], best[["matches_won", "lo", "hi"]].to_list())
    standings = analysis.standings(run)
    if not len(standings):
        return NOTHING, Cell(NOTHING, -1)
    top = standings.iloc[0]
    return _led(several, top["player"], [top[f"matches_won{end}"] for end in ("", "_lo", "_hi")])


def _led(several: SeveralRuns, player: str, share: Sequence[float]) -> tuple[str, Cell]:
    return several.names[player], share_cell(*share)


def _rules_table(several: SeveralRuns) -> Table:
    """Return the options in which the rules differ, a column for each run."""
    options = differing_options(several.runs)
    return Table(
        name="differing",
        title="Options in which the rules differ",
        heads=["Option", *(f"Run {number}" for number in range(1, 1 + len(several.runs)))],
        rows=[
            Row(Cell(name, name), [Cell(value, sorted(set(values)).index(value)) for value in values])
            for name, values in options.items()
        ],
        note="All other options are the same. hollywood rules show PRESET explains each.",
        best_first=False,
        of_words=True,
    )
