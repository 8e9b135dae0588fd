"""The sections of the page of two sides: who wins, why, how deals end, how long matches last."""

from __future__ import annotations

import pandas as pd

import analysis
from reports import names, numbers
from reports.blocks import Chart, Download, FigureBlock, Section, download, figure_block
from reports.charts import endings, first, heat, ladder, length, openings, pairings
from reports.commands import simulate_words
from reports.material import ENOUGH_MATCHES, Basis, Material
from reports.orient import better_first
from reports.rules_in_words import plays_out, rules_as_told, what_a_round_is, what_endings_pay
from reports.standings import standings_table


def who_wins(material: Material) -> Section:
    """Show the standings, the pairings as dots and bars, and from four players a map."""
    tables = [standings_table(material)] if len(material.standings) else []
    contested = material.pairings[~material.pairings["mirror"]]
    figures = []
    if len(contested) > 1:
        figures.append(_pairings_figure(material))
    if heat.FEWEST <= len(material.standings) <= heat.MOST:
        figures.append(_heat_figure(material))
    return Section("who-wins", "Who wins", [_meeting(material)], tables, figures)


def why(material: Material) -> Section:
    """Show where the difference arises in the featured pairing: ladder, column openings, first to open."""
    if int(material.of_featured(material.pairings)["matches"].iloc[0]) < ENOUGH_MATCHES:
        return Section("why", "Why", [_too_few(material)])
    figures = [_ladder_figure(material), _openings_figure(material), _first_figure(material)]
    drawn = [figure for figure in figures if figure]
    return Section("why", _why_title(material), _why_text(material), figures=drawn)


def how_deals_end(material: Material) -> Section | None:
    """Show the endings by pairing, or by player for many pairings; None with too few matches."""
    if not material.enough:
        return None
    many = len(material.pairings) > endings.MOST_PAIRINGS
    table = analysis.endings_by_player(material.run) if many else analysis.endings(material.run)
    ordered = _ranked(material, table) if many else better_first(table, material.losing)
    frame = endings.by_side(names.renamed(ordered, material.names))
    frame.attrs["error"] = numbers.widest_half(table["lo"], table["hi"])
    frame.attrs["big_gin"] = bool((table["ending"] == "big_gin").any())
    source = "analysis.endings_by_player(run)" if many else "analysis.endings(run)"
    data = download(table, "endings", source)
    block = _block(material, "endings", (endings.figure, endings.words), frame, data)
    return Section("endings", "How deals end", [what_endings_pay(material.run)], figures=[block])


def how_long(material: Material) -> Section | None:
    """Show how long matches last and how often one side takes all; None with too few matches."""
    if not material.enough:
        return None
    lengths = better_first(analysis.match_length(material.run), material.losing)
    frame = length.of_pairings(names.renamed(lengths, material.names), names.renamed(material.summary, material.names))
    data = download(analysis.match_summary(material.run), "match-length", "analysis.match_summary(run)")
    block = _block(material, "length", (length.figure, length.words), frame, data)
    return Section("length", "How long a match lasts", _sweeps(material), figures=[block])


def _block(material: Material, name: str, chart: Chart, frame: pd.DataFrame, data: Download) -> FigureBlock:
    """Draw a frame, told what meets in this run and how many deals make a round."""
    frame.attrs |= {"who": material.who, "deals_a_round": material.run.deals_a_round}
    return figure_block(name, chart, frame, data)


def _meeting(material: Material) -> str:
    """Say who met under which rules."""
    count = len(material.players)
    if count == 1:
        who = f"{names.capital(material.names[material.players[0]])} met itself"
    elif count == 2:
        who = f"{names.capital(material.names[material.players[0]])} met {material.names[material.players[1]]}"
    else:
        who = f"{names.capital(numbers.in_words(count))} {material.who}s met in {meeting_kind(material)}"
    told = f"{who} under {rules_as_told(material.run)}. {what_a_round_is(material.run)}".strip()
    return told + short_names(material)


def meeting_kind(material: Material) -> str:
    """Name the kind of run: a comparison, a round robin, or some pairings."""
    contested = material.pairings[material.pairings["a"] != material.pairings["b"]]
    players = len(set(contested["a"]) | set(contested["b"]))
    if players <= 2:
        return "a comparison" if players else "a mirror match"
    return "a round robin" if len(contested) == players * (players - 1) // 2 else f"{len(contested)} pairings"


def short_names(basis: Basis) -> str:
    """Explain the short names, where there are few: a sentence after a space, or an empty text."""
    short = {spec: name for spec, name in basis.names.items() if spec != name}
    if not short:
        return ""
    if len(short) > 4 or sum(map(len, short)) > 100:
        return " Short names stand for the players listed at the end of this page."
    return " " + names.capital(numbers.listed([f"{name} is {spec}" for spec, name in short.items()])) + "."


def _pairings_figure(material: Material) -> FigureBlock:
    frame = names.renamed(material.pairings, material.names)
    table = analysis.pairings(material.run).merge(analysis.pair_scores(material.run), on=["a", "b"])
    data = download(table, "pairings", "analysis.pairings(run)")
    return _block(material, "pairings", (pairings.figure, pairings.words), frame, data)


def _heat_figure(material: Material) -> FigureBlock:
    ranked = list(material.standings["player"])
    frame = heat.cells(material.pairings, ranked)
    data = download(frame, "map", "analysis.pairings(run)")
    for column in ("row", "column"):
        frame[column] = frame[column].map(material.names)
    circle = analysis.cycle(material.pairings)
    frame.attrs["cycle"] = tuple(material.names[player] for player in circle) if circle else None
    return _block(material, "map", (heat.figure, heat.words), frame, data)


def _of_featured(material: Material, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the featured rows with short names, and with their number of pairs attached."""
    own = names.renamed(material.of_featured(frame), material.names)
    own.attrs["pairs"] = int(material.of_featured(material.pairings)["pairs"].iloc[0])
    return own


def _ladder_figure(material: Material) -> FigureBlock | None:
    """Draw the ladder, unless a player plays itself; one column is the same as the match."""
    if material.featured[0] == material.featured[1]:
        return None
    frame = _of_featured(material, material.endpoints)
    if material.run.columns == 1:
        pairs = frame.attrs["pairs"]
        frame = frame[frame["endpoint"] != "column 1"].reset_index(drop=True)
        frame.attrs["pairs"] = pairs
    data = download(analysis.endpoints(material.run), "endpoints", "analysis.endpoints(run)")
    return _block(material, "ladder", (ladder.figure, ladder.words), frame, data)


def _openings_figure(material: Material) -> FigureBlock:
    played = material.as_played
    table = analysis.openings(material.run, played)
    curves = _one_side_of_mirror(material, _of_featured(material, better_first(table, material.losing)))
    halves = _of_featured(material, better_first(analysis.half_open(material.run, played), material.losing))
    long = int(material.of_featured(material.summary)["long"].iloc[0])
    frame = openings.at_rounds(openings.of_pairing(curves, halves, long), material.run.deals_a_round)
    frame.attrs["pairs"] = halves.attrs["pairs"]
    data = download(table, "openings", f"analysis.openings(run, {played})")
    return _block(material, "openings", (openings.figure, openings.words), frame, data)


def _first_figure(material: Material) -> FigureBlock | None:
    """Draw what goes with opening first, if any column has matches enough on one side."""
    table = analysis.first_open(material.run)
    own = _of_featured(material, better_first(table, material.losing, [("win_rate", "lo", "hi")]))
    gaps = _of_featured(material, better_first(analysis.first_open_gaps(material.run), material.losing))
    frame = own.merge(gaps.rename(columns={"lo": "gap_lo", "hi": "gap_hi"}), on=["a", "b", "column"])
    frame["overall"] = float(material.of_featured(material.pairings)["match_win_rate"].iloc[0])
    frame = _one_side_of_mirror(material, frame)
    frame.attrs["pairs"] = own.attrs["pairs"]
    if (frame["matches"] < first.FEWEST).all():
        return None
    data = download(table, "first-to-open", "analysis.first_open(run)")
    return _block(material, "first", (first.figure, first.words), frame, data)


def _one_side_of_mirror(material: Material, frame: pd.DataFrame) -> pd.DataFrame:
    """Keep side A only where a player plays itself: side B is the same player."""
    if material.featured[0] != material.featured[1]:
        return frame
    side = "side" if "side" in frame else "first"
    return frame[frame[side] == "A"].reset_index(drop=True)


def _why_title(material: Material) -> str:
    """State whom the later columns favour, if they surely do."""
    frame = material.of_featured(material.endpoints)
    deals = ladder.by_endpoint(frame).get("deals won")
    stairs = ladder.staircase(frame)
    if deals is None or stairs * ladder.favours(deals) <= 0:
        return "Why"
    favoured = material.names[material.featured[0 if stairs > 0 else 1]]
    return f"Why: later columns favour {favoured}, who wins more deals"


def _why_text(material: Material) -> list[str]:
    """Say what the featured pairing's deals, points and columns look like, and why it is the one shown."""
    a, b = (material.names[player] for player in material.featured)
    if a == b:
        return [f"{names.capital(a)} played itself, so only the pace of its matches can be shown."]
    row = material.of_featured(material.pairings).iloc[0]
    frame = material.of_featured(material.endpoints)
    shares = dict(zip(frame["endpoint"], frame["share"], strict=True))
    deals, points = (numbers.of_100(shares.get(name, 0.5)) for name in ("deals won", "points scored"))
    shown = ""
    if len(material.pairings) > 1:
        shown = f"Shown is {a} against {b}, the pairing in which points and matches differ most. "
    before = " before they are netted" if material.run.deals_a_round > 1 else ""
    text = (
        f"{shown}{names.capital(a)} wins {deals} deals and scores {points} points{before}: {_points_a_deal(row, 'a')} "
        f"a deal it wins, against {_points_a_deal(row, 'b')} for {b}."
    )
    return [text + _columns(frame, "round won" if material.run.deals_a_round > 1 else "win")]


def _points_a_deal(row: pd.Series, side: str) -> str:
    """Write the points a deal that one side scores, with their interval."""
    name = f"points_per_deal_{side}"
    error = numbers.plus_minus(row[name], row[f"{name}_lo"], row[f"{name}_hi"])
    return f"{numbers.number(row[name])} {error} points"


def _columns(frame: pd.DataFrame, win: str) -> str:
    """Say how the columns differ, where they surely do; `win` names what is entered in them."""
    rows = ladder.by_endpoint(frame)
    if "column 3" not in rows:
        return ""
    first, third = (numbers.percent(rows[name]["share"]) for name in ("column 1", "column 3"))
    stairs = ladder.staircase(frame)
    if not stairs:
        return f" Its shares of the columns cannot be told apart: {first} of the first, {third} of the third."
    text = f" Its share {'rises' if stairs > 0 else 'falls'} from {first} of the first columns to {third} of the third"
    if stairs * ladder.favours(rows["deals won"]) > 0:
        return f"{text}: each {win} opens one column more, so who wins often is in all three sooner."
    return f"{text}."


def _too_few(material: Material) -> str:
    """Say that there are too few matches to look into, and how to get more."""
    matches = int(material.pairings["matches"].min())
    more = " ".join(simulate_words({**material.run.spec, "pairs": 20_000}))
    return (
        f"{names.capital(numbers.plural(matches, 'match', 'matches'))} a pairing are too few to look into: columns, "
        f"endings and lengths are shown from {ENOUGH_MATCHES} on. More: {more}"
    )


def _sweeps(material: Material) -> list[str]:
    """Say how often one side takes all three columns, and how often a column is a shutout.

    Nothing of a sheet with one column, nor of a match that ends with its first column.
    """
    table = material.summary
    if "sweep" not in table or not plays_out(material.run):
        return []
    sweeps, shutouts = (
        numbers.span(numbers.points(table[name].min(), 0), numbers.points(table[name].max(), 0))
        for name in ("sweep", "shutout3")
    )
    error = numbers.widest_half(
        [*table["sweep_lo"], *table["shutout3_lo"]], [*table["sweep_hi"], *table["shutout3_hi"]]
    )
    return [
        f"In {sweeps} of 100 matches one side takes all three columns; in {shutouts} of 100 the loser of the third "
        f"column has no entry in it when it is won (95% intervals within {error} points)."
    ]


def _ranked(material: Material, table: pd.DataFrame) -> pd.DataFrame:
    """Order a table by player as the standings do."""
    rank = {player: place for place, player in enumerate(material.players)}
    return table.sort_values("player", key=lambda column: column.map(rank), kind="stable", ignore_index=True)
