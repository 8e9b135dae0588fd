"""What is different from run to run for who met in several of them: under other rules, or with another seed."""

from __future__ import annotations

import pandas as pd

import analysis
from reports import names, numbers
from reports.blocks import Cell, FigureBlock, Row, Section, Table, download, figure_block, share_cell
from reports.charts import conditions as chart
from reports.charts import ladder
from reports.charts.conditions import is_change
from reports.condition_names import rules_told
from reports.material import ENOUGH_MATCHES
from reports.orient import better_first
from reports.rules_in_words import plays_out
from reports.side_by_side import SeveralRuns

NOTHING = Cell("–", -1)
MOST_TOLD = 4
"""More runs than this are summed up in a sentence by the least and the most."""
SOURCE = "analysis.conditions.conditions(runs)"


def what_changes(several: SeveralRuns) -> Section | None:
    """Show what each run says of who met in several; None if nobody did."""
    if several.featured is None:
        return None
    own = several.rows_of(several.featured)
    tables = [_shares_table(several)] if len(several.pairings) > 1 else []
    if 2 * int(own["pairs"].min()) < ENOUGH_MATCHES:
        few = f"With fewer than {ENOUGH_MATCHES} matches in one of these runs, nothing is drawn."
        return Section("conditions", _title(several), [_told(several, own), few], tables)
    figure = _ladder(several, own) if len(own) == 2 else _dots(several, own)
    return Section("conditions", _title(several), [_told(several, own)], tables, [figure])


def _title(several: SeveralRuns) -> str:
    """Name what is varied."""
    runs = [several.runs[number] for number in sorted(set(several.table["run"]))]
    return "What the rules change" if any(rules_told(runs)) else "The same players in several runs"


def _told(several: SeveralRuns, own: pd.DataFrame) -> str:
    """Say what is behind the matches of the featured pairing, and how many pairings change."""
    one, other = own["a"].iloc[0], own["b"].iloc[0]
    told = _behind(several, own) if len(own) == 2 else f"Against {other}, {one} wins {in_each(own)}."
    if len(several.pairings) == 1:
        return told
    return f"{_surely_changed(several)} Shown is {one} against {other}{_why_shown(several)}. {told}"


def _why_shown(several: SeveralRuns) -> str:
    """Say what sets the featured pairing apart from the others: where most changes, there may be fewer runs of it."""
    assert several.featured is not None
    if several.spreads[several.featured] == max(several.spreads.values()):
        return ", where most changes"
    return ": of those with the most runs and matches enough, the one that changes most"


def _behind(several: SeveralRuns, own: pd.DataFrame) -> str:
    """Say what two runs come to in deals and in points."""
    parts = [ladder.by_endpoint(_steps(several, row)) for _, row in own.iterrows()]
    shares = []
    for name, what in (("deals won", "deals"), ("points scored", "points")):
        if all(name in part for part in parts):
            each = [numbers.share_with_error(*part[name][["share", "lo", "hi"]]) for part in parts]
            shares.append(f"{numbers.listed(each)} of 100 {what}")
    if not shares:
        return ""
    phrases = numbers.listed([own.attrs["phrases"][label] for label in own["label"]])
    return f"{names.capital(own['a'].iloc[0])} gets {numbers.listed(shares)}, {phrases}."


def in_each(own: pd.DataFrame) -> str:
    """Write what player a wins in each run, of many the least and the most: ``53.8 ±1.4 of 100 matches with ...``."""
    if len(own) > MOST_TOLD:
        low, high = own["match_win_rate"].min(), own["match_win_rate"].max()
        return f"{numbers.points(low)} to {numbers.points(high)} of 100 matches"
    shares = [numbers.share_with_error(*row) for row in own[["match_win_rate", "lo", "hi"]].to_numpy()]
    phrases = [own.attrs["phrases"][label] for label in own["label"]]
    first = f"{shares[0]} of 100 matches {phrases[0]}"
    return numbers.listed(
        [first, *(f"{share} {phrase}" for share, phrase in zip(shares[1:], phrases[1:], strict=True))]
    )


def change_told(own: pd.DataFrame) -> str:
    """Say by how much two runs differ, or that this cannot be told; of more runs what surely differs from the first.

    That is a sentence after a space, or an empty text.
    """
    if len(own) > 2:
        return _changes_told(own)
    row = own.iloc[1]
    if is_change(row):
        return f" That is a change of {_change(row)} points."
    return f" The change, {_change(row)} points, cannot be told from none."


def _changes_told(own: pd.DataFrame) -> str:
    """Say by how much some of many runs surely differ from the first, the most first."""
    sure = sorted((row for _, row in own.iterrows() if is_change(row)), key=lambda row: -abs(row["change"]))
    if not sure:
        return ""
    first, phrases, others = own.iloc[0], own.attrs["phrases"], len(sure) - MOST_TOLD
    told = numbers.listed([f"{_change(row)} points {phrases[row['label']]}" for row in sure[:MOST_TOLD]])
    verb = "changes" if others == 1 else "change"
    more = f"; {numbers.plural(others, 'more run')} surely {verb} it" if others > 0 else ""
    return f" The change from what {first['a']} wins {phrases[first['label']]} is {told}{more}."


def _change(row: pd.Series) -> str:
    """Write how far a run differs from the first, in points: ``+2.5 ±1.3``."""
    change, lo, hi = (100 * float(row[name]) for name in ("change", "change_lo", "change_hi"))
    return f"{numbers.signed(change)} {numbers.plus_minus(change, lo, hi)}"


def _surely_changed(several: SeveralRuns) -> str:
    """Say how many pairings come out differently in some run."""
    sure = {(row["a"], row["b"]) for _, row in several.table.iterrows() if is_change(row)}
    changed = (
        f"{numbers.in_words(len(sure)) if sure else 'none'} of them surely {'change' if len(sure) > 1 else 'changes'}"
    )
    shared = names.capital(numbers.plural(len(several.pairings), "pairing"))
    return f"{shared} are in several runs; {changed} (95%, all taken together)."


def _ladder(several: SeveralRuns, own: pd.DataFrame) -> FigureBlock:
    """Draw the ladders of two runs, one beside the other."""
    assert several.featured is not None
    parts = [_steps(several, row) for _, row in own.iterrows()]
    frame = pd.concat(parts, ignore_index=True)
    frame.attrs |= own.attrs
    frame.attrs["pairs"] = " and ".join(dict.fromkeys(numbers.count(int(pairs)) for pairs in own["pairs"]))
    data = download(frame, "conditions", "analysis.endpoints(run)")
    return figure_block("conditions", (ladder.figure, ladder.words), frame, data)


def _steps(several: SeveralRuns, row: pd.Series) -> pd.DataFrame:
    """Return one run's rows of `analysis.endpoints` for the featured pairing, player a first."""
    assert several.featured is not None
    one, other = several.featured
    run = several.runs[int(row["run"])]
    table = analysis.endpoints(run)
    turned = better_first(table, {(other, one)}, [("share", "lo", "hi")])
    own = turned[(turned["a"] == one) & (turned["b"] == other)]
    if run.columns == 1 or not plays_out(run):  # one column is the match; shares of those that close mislead
        own = own[~own["endpoint"].str.startswith("column")]
    return names.renamed(own, several.names).drop(columns="se").assign(condition=row["label"])


def _dots(several: SeveralRuns, own: pd.DataFrame) -> FigureBlock:
    """Draw what each of many runs says."""
    return figure_block("conditions", (chart.figure, chart.words), own, download(several.table, "conditions", SOURCE))


def _shares_table(several: SeveralRuns) -> Table:
    """Return a row for each pairing of several runs, the widest change first: what its first player wins in each."""
    used = sorted(set(several.table["run"]))
    rows = []
    for pair in several.pairings:
        own, span = several.rows_of(pair), several.spreads[pair]
        shares = {int(row["run"]): _share(row) for _, row in own.iterrows()}
        cells = [Cell(numbers.points(span), span), *(shares.get(number, NOTHING) for number in used)]
        name = f"{own['a'].iloc[0]} v {own['b'].iloc[0]}"
        rows.append(Row(Cell(name, name), cells))
    rows.sort(key=lambda row: -float(row.cells[0].value))
    return Table(
        name="conditions-table",
        title="Matches won by the first-named in each run",
        heads=["Pairing", "Widest change", *(f"Run {number + 1}" for number in used)],
        rows=rows,
        note="± is a 95% interval over duplicate pairs; * marks a change from the first run of the row that holds at "
        "95% for all changes at once.",
        data=download(several.table, "conditions-table", SOURCE),
    )


def _share(row: pd.Series) -> Cell:
    """Return what one run says, starred if that is surely another share than in the first run."""
    return share_cell(*row[["match_win_rate", "lo", "hi"]], mark=" *" if is_change(row) else "")
