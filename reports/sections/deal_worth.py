"""What a deal is worth: in winning chances and on the sheet, in one pairing; and whether dealing helps, in all."""

from __future__ import annotations

import pandas as pd

import analysis
from analysis.deal_prices import ENOUGH_DEALS
from analysis.decisive_deals import is_decided_by_columns
from reports import names, numbers
from reports.blocks import Cell, FigureBlock, Row, Section, Table, download, share_cell
from reports.charts import dealer, price
from reports.commands import simulate_words
from reports.material import ENOUGH_MATCHES, Material
from reports.orient import Pairing, better_first
from reports.rows import each
from reports.rules_in_words import may_knock
from reports.sections.common import block, of_featured, versus
from reports.sections.equity import has_leads

NAME, TITLE = "deal-worth", "What a deal is worth"
UNEVEN = 0.01
"""A side that dealt by this much more than half of the deals makes the dealer's share of them hard to read."""
NEXT_DEALER = {
    "winner": "Who wins a {unit} deals the next.",
    "loser": "Who loses a {unit} deals the next.",
    "alternate": "The sides deal in turn.",
}
"""Value of the rules' `next_dealer` -> what the page says of it."""
PAIRS_WITH_DEALS = 20_000
"""How many pairs a page proposes to play with a row a deal: seconds to play, megabytes to keep."""


def deal_worth(material: Material) -> Section | None:
    """Show what a deal is worth and whether dealing helps; None with too few matches to look into."""
    if int(material.of_featured(material.pairings)["matches"].iloc[0]) < ENOUGH_MATCHES:
        return None
    if not material.run.has_deals:
        return _without_deals(material)
    prices = analysis.deal_price(material.run, material.as_played)
    dealers = analysis.dealer_effect(material.run)
    texts, tables = [_shown(material), _price_text(material, prices)], []
    if material.run.columns > 1:
        entries = analysis.deal_entries(material.run, material.as_played)
        texts.append(_entries_text(material, entries))
        tables.append(_entries_table(material, entries))
    figures = [_price_figure(material, prices), _dealer_figure(material, dealers)]
    texts.append(_dealing(material, dealers))
    return Section(NAME, TITLE, _told(texts), tables, [figure for figure in figures if figure])


def _without_deals(material: Material) -> Section:
    """Say what cannot be shown of a run without a row a deal, here and in the sections after, and how to get it."""
    a, b = material.as_played
    pairs = min(int(material.run.spec["pairs"]), PAIRS_WITH_DEALS)
    spec = {**material.run.spec, "pairings": [{"a": a, "b": b}], "pairs": pairs, "detail": "deals"}
    missing = ["what one is worth"]
    missing += ["when a knock risks an undercut"] if may_knock(material.run.spec["rules"]) else []
    missing += ["how safe a lead is"] if has_leads(material.run) else []
    missing += ["which of them turned a match round"] if is_decided_by_columns(material.run) else []
    text = (
        f"This run keeps no row for each deal, so what single deals tell is not shown: {numbers.listed(missing)}. "
        "The command plays its cards again and keeps them."
    )
    texts = _told([_first_dealer(material), text])
    return Section(NAME, TITLE, texts, commands=[simulate_words(spec), ["hollywood", "report", "last"]])


def _told(texts: list[str]) -> list[str]:
    """Return the sentences that there are."""
    return [text for text in texts if text]


def _shown(material: Material) -> str:
    """Say which pairing this is about, and that rounds are priced, where that needs saying."""
    a, b = (material.names[player] for player in material.featured)
    said = []
    if len(material.pairings) > 1:
        said.append(f"Shown is {a} against {b if a != b else 'itself'}.")
    if material.run.deals_a_round > 1:
        said.append("A round of two deals makes one entry, so a single deal has no price here: rounds do.")
    return " ".join(said)


def _unit(material: Material) -> str:
    """Name what makes an entry."""
    return "round" if material.run.deals_a_round > 1 else "deal"


# What it is worth in chances.
def _priced(material: Material, prices: pd.DataFrame) -> pd.DataFrame:
    """Return the prices of the featured pairing, the better player as A, with short names."""
    return of_featured(material, from_other_side(prices, material.as_played != material.featured))


def from_other_side(frame: pd.DataFrame, turn: bool) -> pd.DataFrame:
    """Return the table `analysis.deal_price` as the other side sees it, if `turn`; the prices are the same."""
    if not turn:
        return frame
    swapped = {"a": "b", "mine": "theirs", "deals_a": "deals_b", "win_if_a": "win_if_b"}
    turned = frame.rename(columns=swapped | {new: old for old, new in swapped.items()})
    turned = turned.assign(win_if_a=1 - turned["win_if_a"], win_if_b=1 - turned["win_if_b"])
    return turned[frame.columns].sort_values(["mine", "theirs"], ignore_index=True)


def _price_figure(material: Material, prices: pd.DataFrame) -> FigureBlock | None:
    """Draw the prices, if any state has one; a sheet of one column has states by points, which are not shown."""
    if material.run.columns == 1 or prices["price"].isna().all():
        return None
    data = download(prices, "deal-price", f"analysis.deal_price(run, {material.as_played})")
    return block(material, "price", (price.figure, price.words), _priced(material, prices), data)


def _price_text(material: Material, prices: pd.DataFrame) -> str:
    """Say what the first deal is worth where the figure does not: on a sheet of one column, and with too few deals."""
    unit, frame = _unit(material), _priced(material, prices)
    start = frame[(frame["mine"] == 0) & (frame["theirs"] == 0)].iloc[0]
    if frame["price"].isna().all() or (material.run.columns == 1 and pd.isna(start["price"])):
        return f"Too few {unit}s were scored by both sides to say what one is worth: it takes {ENOUGH_DEALS} by each."
    if material.run.columns > 1:
        return ""
    one, other = (str(start[side]) for side in "ab")
    error = numbers.plus_minus(100 * start["price"], 100 * start["lo"], 100 * start["hi"])
    whom = (one, other) if one != other else ("a player", "its rival")
    return (
        f"The first scored {unit} is worth {numbers.points(start['price'])} {error} points of winning chance: "
        f"{whom[0]} wins {numbers.of_100(start['win_if_a'])} matches in which it scores that {unit}, "
        f"{numbers.of_100(start['win_if_b'])} in which {whom[1]} does. What a later one is worth depends on the points "
        "so far, which is not shown."
    )


# What it is worth on the sheet.
def _entries(material: Material, entries: pd.DataFrame) -> pd.DataFrame:
    """Return what wins bring in the featured pairing, the better player first; of a player against itself, once."""
    a, b = material.featured
    turned = better_first(entries, material.losing).sort_values("side", kind="stable", ignore_index=True)
    return turned[turned["side"] == "A"] if a == b else turned


def _entries_text(material: Material, entries: pd.DataFrame) -> str:
    """Say in how many columns a win is entered, and what its points become."""
    table = _entries(material, entries)
    rows = each(table[(table["entered"] == "any") & (table["wins"] > 0)])
    unit = _unit(material)
    said = [
        f"{material.names[row['player']]} enters a {unit} it wins in {_with_error(row, 'entries')} columns, so that "
        f"{_with_error(row, 'points')} points become {_with_error(row, 'sheet_points')} on the sheet"
        for row in rows
    ]
    rule = f"A {unit} is entered in the columns that its winner has open, and opens the next."
    return f"{rule} On average {'; '.join(said)}."


def _with_error(row: pd.Series, name: str) -> str:
    """Write a mean of the table of entries with its ±."""
    decimals = 2 if name == "entries" else 1
    error = numbers.plus_minus(row[name], row[f"{name}_lo"], row[f"{name}_hi"], decimals)
    return f"{numbers.number(row[name], decimals)} {error}".strip()


def _entries_table(material: Material, entries: pd.DataFrame) -> Table:
    """Return what a won deal brings, a row for each number of columns it was entered in, two columns a player."""
    table, unit = _entries(material, entries), _unit(material)
    players = list(dict.fromkeys(table["player"]))
    rows = {(row["entered"], row["player"]): row for _, row in table[table["wins"] > 0].iterrows()}
    heads = [f"{material.names[player]}: {what}" for player in players for what in ("share of wins", "points entered")]
    return Table(
        name="entries",
        title=f"What a {unit} won brings to the sheet, by the columns it is entered in",
        heads=["Entered in", *heads],
        rows=[
            Row(_columns(entered), [cell for player in players for cell in _entries_cells(rows.get((entered, player)))])
            for entered in sorted({entered for entered, _ in rows})
        ],
        note=f"Points entered: those of the {unit} times the columns. ± is a 95% interval over blocks of pairs.",
        data=download(entries, "deal-entries", f"analysis.deal_entries(run, {material.as_played})"),
        best_first=False,
    )


def _entries_cells(row: pd.Series | None) -> list[Cell]:
    """Return one player's share of wins that were entered so, and the points entered; dashes if there were none."""
    if row is None:
        return [Cell("–", -1.0), Cell("–", -1.0)]
    entered = numbers.plus_minus(row["sheet_points"], row["sheet_points_lo"], row["sheet_points_hi"])
    return [
        share_cell(row["share"], row["share_lo"], row["share_hi"]),
        Cell(numbers.number(row["sheet_points"]), float(row["sheet_points"]), entered),
    ]


def _columns(entered: str) -> Cell:
    """Return the head of a row of the table: ``2 columns``, ``all wins``."""
    if entered == "any":
        return Cell("all wins", 9)
    return Cell(f"{entered} column{'' if entered == '1' else 's'}" if entered != "0" else "no column", int(entered))


# Whether dealing helps.
def dealt_from_other_side(frame: pd.DataFrame, losing: set[Pairing]) -> pd.DataFrame:
    """Return the table `analysis.dealer_effect` with sides exchanged in the pairings where A is behind.

    What the rival scores of the deals that it receives is what A does not score of those that A deals.
    """
    turned = better_first(frame, losing)
    turn = pd.Series([pair in losing for pair in zip(frame["a"], frame["b"], strict=True)], index=frame.index)
    for one, other in (("a_dealing", "a_receiving"), ("a_receiving", "a_dealing")):
        for end, opposite in (("", ""), ("_lo", "_hi"), ("_hi", "_lo")):
            turned[one + end] = frame[one + end].mask(turn, 1 - frame[other + opposite])
    turned["dealt_by_a"] = frame["dealt_by_a"].mask(turn, 1 - frame["dealt_by_a"])
    return turned


def _dealer_figure(material: Material, dealers: pd.DataFrame) -> FigureBlock | None:
    """Draw what dealing goes with in every pairing; one pairing is told in a sentence."""
    if len(dealers) == 1 or dealers["lo_all"].isna().all():
        return None
    frame = names.renamed(dealt_from_other_side(dealers, material.losing), material.names)
    data = download(dealers, "dealer", "analysis.dealer_effect(run)")
    return block(material, "dealer", (dealer.figure, dealer.words), frame, data)


def _dealing(material: Material, dealers: pd.DataFrame) -> str:
    """Say how the featured pairing's deals went by dealer, and its matches by first dealer."""
    row = material.of_featured(dealt_from_other_side(dealers, material.losing)).iloc[0]
    rule = NEXT_DEALER[str(material.run.spec["rules"]["next_dealer"])].format(unit=_unit(material))
    dealt = f"The dealer scores {_share(row, 'share')} of 100 scored deals."
    return " ".join(_told([rule, dealt, _change(row, material), _first_dealer(material)]))


def _change(row: pd.Series, material: Material) -> str:
    """Say what changes for the better player when it deals; nothing if one of the sides never dealt."""
    a, b = (material.names[player] for player in material.featured)
    if pd.isna(row["lo_all"]):
        return ""
    surely = int(row["lo_all"] > 0) - int(row["hi_all"] < 0)
    verdict = {1: "dealing goes with scoring more often", -1: "dealing goes with scoring less often"}
    told = verdict.get(surely, "whether dealing helps is undecided")
    if a == b:
        return f"{names.capital(a)} meets itself here, so {told}."
    error = numbers.plus_minus(100 * row["effect"], 100 * row["lo_all"], 100 * row["hi_all"])
    change = f"{numbers.signed(100 * row['effect'])} {error}".strip()
    caution = ""
    if abs(row["dealt_by_a"] - 0.5) > UNEVEN:
        caution = f"As {a} dealt {numbers.of_100(row['dealt_by_a'])}, that alone says nothing of dealing. "
    return (
        f"{caution}{names.capital(a)} scores {_share(row, 'a_dealing')} of 100 deals that it deals and "
        f"{_share(row, 'a_receiving')} of those that {b} deals, a change of {change} points: {told}."
    )


def _first_dealer(material: Material) -> str:
    """Say how many matches the first dealer of the featured pairing wins; nothing where the rules say who that is."""
    if material.run.spec["rules"]["first_dealer"] in ("a", "b"):
        return ""
    row = material.of_featured(better_first(analysis.first_dealer(material.run), material.losing)).iloc[0]
    share = numbers.share_with_error(row["share"], row["lo"], row["hi"])
    surely = int(row["lo"] > 0.5) - int(row["hi"] < 0.5)
    told = {1: "more than half", -1: "less than half"}.get(surely, "whether dealing first helps is undecided")
    who = f"In {versus(material)}, who deals first wins" if len(material.pairings) > 1 else ("Who deals first wins")
    return f"{who} {share} of 100 matches: {told}."


def _share(row: pd.Series, name: str) -> str:
    """Write a share per 100 with its ±."""
    return numbers.share_with_error(row[name], row[f"{name}_lo"], row[f"{name}_hi"])
