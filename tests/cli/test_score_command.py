"""`hollywood score`: the sheet as text and as Markdown, what a column settles, three names, and what is rejected."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import product

import pytest

from sim.evening import Scored, read_evening, score_evening
from sim.presets import preset_rules
from sim.rules import Rules
from tests.cli.conftest import Hollywood
from tests.support.naive_sheet import NaiveSheet

SETTLING = {
    "game_bonus": (0, 100),
    "box_bonus": (0, 25),
    "shutout_doubles": ("no", "yes"),
    "third_column_doubled": ("no", "yes"),
    "closing": ("column", "player"),
}
DEAL, FIRST_COLUMN = 2, 19
"""Where in a line of the text its label starts, and the first column."""


def finished(rules: Rules, favour: float) -> str:
    """Return the lines of a match played to its end and no further; A wins this share of the deals while he can."""
    rng, sheet, lines = random.Random(5), NaiveSheet(rules), []
    while not sheet.is_over:
        side = 0 if rng.random() < favour and any(sheet.is_open(0, c) for c in range(rules.columns)) else 1
        points = rng.randint(10, 70)
        sheet.enter(side, points)
        lines.append(f"{'AB'[side]} {points}\n")
    return "".join(lines)


def settings(options: dict[str, object]) -> list[str]:
    return [text for name, value in options.items() for text in ("--set", f"{name}={value}")]


def bare(text: str) -> str:
    return " ".join(text.split())


# --- the text


def test_text_is_the_sheet_deal_by_deal(hollywood: Hollywood) -> None:
    said = hollywood("score", "-", stdin="Bob 10\nAnn 18\nvoid\nBob gin 30\nBob 4\n")
    assert said.out.splitlines() == [
        "                      Column 1       Column 2       Column 3",
        "  deal                Bob    Ann     Bob    Ann     Bob    Ann",
        "   1  Bob 10           10              .              .",
        "   2  Ann 18                  18              .              .",
        "   3  void",
        "   4  Bob gin 30       40             30              .",
        "   5  Bob 4            44             34              4",
        "  total                44     18      34      0       4      0",
        "  wins (boxes)          3      1       2      0       1      0",
        "  Nobody has 100 yet.",
        "  Bob's next win enters all three. Ann's next win enters 1 and 2.",
    ]


def cells_of(line: str, sides: int, columns: int) -> list[str]:
    """Return the cells of a line of the text by the places where they stand."""
    width = 6 if sides == 2 else 5
    block = (width + 1) * sides + 1
    starts = [FIRST_COLUMN + column * block + side * (width + 1) for column in range(columns) for side in range(sides)]
    return [line[start : start + width].strip() for start in starts]


@pytest.mark.parametrize("option", ["carry=carry", "carry=strict", "closing=player"])
@pytest.mark.parametrize("preset", ["hollywood", "gin", "partnership", "three-handed"])
def test_running_totals_stand_where_players_write_them(preset: str, option: str, hollywood: Hollywood) -> None:
    """Each cell against the naive sheet: a total when the win enters, = when it closes, -- closed, . not yet open."""
    rng, rules = random.Random(8), preset_rules(preset, dict([option.split("=")]))
    for _ in range(12):
        wins = [(rng.randrange(rules.sides), rng.randint(1, 90)) for _ in range(9)]
        deals = "".join(f"{'ABC'[side]} {points}\n" for side, points in wins)
        said = hollywood("score", "-", "--rules", preset, "--set", option, stdin=deals)
        lines, sheet = said.out.splitlines(), NaiveSheet(rules)
        for line, (side, points) in zip(lines[2:], wins, strict=False):
            if sheet.is_over:
                break
            cells = cells_of(line, rules.sides, rules.columns)
            was_open = [sheet.is_open(side, column) for column in range(rules.columns)]
            entered = sheet.enter(side, points)
            for column, cell in enumerate(cells[side :: rules.sides]):
                total = sheet.totals[side][column]
                if column + 1 in entered:
                    assert cell == f"{'=' if total >= rules.target else ''}{total}"
                else:
                    assert cell == ("." if was_open[column] else "--")
            assert "".join(cells[other] for other in range(len(cells)) if other % rules.sides != side) == ""
        totals = [str(total) for column in zip(*sheet.totals, strict=True) for total in column]
        assert cells_of(lines[2 + len(wins)], rules.sides, rules.columns) == totals


# --- settlement


def settled_lines(found: Scored) -> Iterator[str]:
    """Write what each won column comes to, from `Scored.settlements` and the rules."""
    names, rules = found.evening.names, found.rules
    for column, won in enumerate(found.settlements(), start=1):
        if won is None or won.net is None:
            continue
        points, boxes = won.stood(found, "points"), won.stood(found, "boxes")
        terms = [f"game {rules.game_bonus}"] * (rules.game_bonus > 0)
        terms += [f"boxes {boxes[0]} - {boxes[1]} x {rules.box_bonus}"] * (rules.box_bonus > 0)
        times = 2 ** ((rules.shutout_doubles and won.shutout) + (rules.third_column_doubled and column == 3))
        terms += [f"all x {times}"] * (times > 1)
        sums = f": {'; '.join([f'{points[0]} - {points[1]}', *terms])}" if terms else ""
        unit, shutout = "" if sums else " points", ", a shutout" if won.shutout else ""
        yield f"{names[won.winner]} wins column {column} by {won.net}{unit}{shutout}{sums}."
        net = points[0] - points[1] + rules.game_bonus + rules.box_bonus * (boxes[0] - boxes[1])
        assert won.net == times * net


@pytest.mark.parametrize("favour", [0.5, 1], ids=["mixed", "shutout"])
@pytest.mark.parametrize("values", list(product(*SETTLING.values())), ids=lambda values: " ".join(map(str, values)))
def test_settlement_is_told_with_every_term(values: tuple[object, ...], favour: float, hollywood: Hollywood) -> None:
    options = dict(zip(SETTLING, values, strict=True))
    rules = preset_rules("hollywood", options)
    lines = finished(rules, favour)
    found = score_evening(read_evening(lines.splitlines()), rules)
    said = hollywood("score", "-", *settings(options), stdin=lines)
    told, expected = bare(said.out), list(settled_lines(found))
    assert len(expected) == 3
    for line in expected:
        assert line in told
    nets = [won.net * (1 if won.winner == 0 else -1) for won in found.settlements() if won and won.net is not None]
    assert f"Settled in all: {'A' if sum(nets) > 0 else 'B'} is {abs(sum(nets))} points ahead." in told
    assert f"{'AB'[found.winner]} wins the match." in told
    document = hollywood("score", "-", *settings(options), "--json", stdin=lines).json()
    assert [won["net"] for won in document["settlement"]] == [won.net for won in found.settlements() if won]


def test_one_column_is_ordinary_gin(hollywood: Hollywood) -> None:
    said = hollywood("score", "-", "--rules", "gin", stdin="A 60\nB 30\nA 50\n")
    assert "Column 2" not in said.out
    assert "Settled in all" not in said.out
    assert said.out.endswith("A wins column 1 by 80 points.\n  A wins the match.\n")
    said = hollywood("score", "-", *settings({"columns": 1, "box_bonus": 25}), stdin="B 30\nB 20\nA 100\n")
    assert "A wins column 1 by 25: 100 - 50; boxes 1 - 2 x 25." in said.out


def test_tie_is_told(hollywood: Hollywood) -> None:
    said = hollywood("score", "-", "--set", "match_winner=first_column", stdin="B 60\nB 20\nA 100\n")
    assert said.out.endswith("The match is tied.\n")


def test_closing_by_player_settles_a_column_as_it_stood_when_it_was_won(hollywood: Hollywood) -> None:
    """Source 003: B goes on in column 1, which A has won, and passes him; the settlement does not change."""
    rules = ("--rules", "hollywood-003")
    for lines in ("A 60\nB 30\nA 60\n", "A 60\nB 30\nA 60\nB 200\n"):
        said = hollywood("score", "-", *rules, stdin=lines)
        assert "A wins column 1 by 215: 120 - 30; game 100; boxes 2 - 1 x 25." in said.out
        assert hollywood("score", "-", *rules, "--json", stdin=lines).json()["settlement"][0]["net"] == 215
    assert bare(said.out).count("230") == 2  # B's running total and total


# --- Markdown


def markdown_table(text: str) -> tuple[list[list[str]], list[str]]:
    """Read Markdown back as a reader of tables does: rows of cells, and the points of the list."""
    rows, points = [], []
    for line in text.splitlines():
        if line.startswith("| "):
            assert line.endswith(" |")
            cells = re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]
            rows.append([re.sub(r"\\([^\w\s])", r"\1", cell.strip()) for cell in cells])
        elif line:
            assert line.startswith("- ")
            points.append(line[2:])
    return rows, points


@pytest.mark.parametrize(
    ("preset", "lines"),
    [
        ("hollywood", "A 60\nB gin 45\nvoid\nB 70\nA undercut 55\n"),
        ("hollywood-003", "A 60\nB gin 45\nB 70\nA undercut 85\nB 4\n"),
        ("gin", "A 60\nB 4\nA 50\n"),
        ("three-handed", "C 9\nA 2\nB undercut 120\n"),
    ],
)
def test_markdown_says_the_same_as_the_text(preset: str, lines: str, hollywood: Hollywood) -> None:
    said = hollywood("score", "-", "--rules", preset, "--markdown", stdin=lines)
    text = hollywood("score", "-", "--rules", preset, stdin=lines).out.splitlines()
    rows, points = markdown_table(said.out)
    rules, (head, rule, *body) = preset_rules(preset), rows
    names = "ABC"[: rules.sides]
    assert head == ["deal", *(f"{name}, column {c}" for c in range(1, rules.columns + 1) for name in names)]
    assert rule == ["---", *["---:"] * (len(head) - 1)]
    for row, line in zip(body, text[2:], strict=False):
        assert row[1:] == cells_of(line, len(names), rules.columns)
        assert row[0].split()[:3] == line[DEAL:FIRST_COLUMN].split()[:3]
    assert len(body) == len(lines.splitlines()) + 2
    assert bare(" ".join(points)) == bare(" ".join(text[2 + len(body) :]))


def test_markdown_keeps_names_with_bars_in_their_cells(hollywood: Hollywood) -> None:
    rows, _ = markdown_table(hollywood("score", "-", "--markdown", stdin="A|x 10\nB\\ 15\n").out)
    assert {len(row) for row in rows} == {7}
    assert rows[0][1].replace("\\", "") == "A|x, column 1"
    assert rows[2][0] == "1 A|x 10"


def test_markdown_and_json_together_are_refused(hollywood: Hollywood) -> None:
    said = hollywood("score", "-", "--markdown", "--json", stdin="A 1\n")
    assert (said.code, said.out) == (2, "")
    assert "not both" in said.err


# --- three names, partners, one column


def test_three_names_each_keep_a_sheet(hollywood: Hollywood) -> None:
    lines = "Cy 60\nAnn 50\nBob 5\nCy 60\nAnn 50\n"
    told = hollywood("score", "-", "--rules", "three-handed", "--json", stdin=lines).json()
    assert told["names"] == {"A": "Cy", "B": "Ann", "C": "Bob"}
    assert told["totals"] == {"A": [120, 60, 0], "B": [50, 50, 0], "C": [5, 0, 0]}
    assert told["closed_by"] == ["A", None, None]
    assert told["settlement"][0] == {"winner": "A", "net": None, "shutout": False}
    said = hollywood("score", "-", "--rules", "three-handed", stdin=lines)
    assert "Cy wins column 1." in said.out
    assert "Settled" not in said.out


@pytest.mark.parametrize("lines", ["C 5\nA 7\n", "B 1\nC 5\nA 7\n", "C 5\n", "B 3\nA 4\n"])
def test_letters_are_sides_in_their_own_order(lines: str, hollywood: Hollywood) -> None:
    told = hollywood("score", "-", "--rules", "three-handed", "--json", stdin=lines).json()
    assert told["names"] == {"A": "A", "B": "B", "C": "C"}
    for side in "ABC":
        assert told["totals"][side][0] == sum(int(line[2:]) for line in lines.splitlines() if line[0] == side)


def test_fourth_name_is_refused_with_the_three_known(hollywood: Hollywood) -> None:
    said = hollywood("score", "-", "--rules", "three-handed", stdin="Ann 5\nBob 5\nCy 5\nDan 5\n")
    assert (said.code, said.out) == (2, "")
    assert 'line 4, "Dan 5": "Dan" is a fourth name' in said.err
    assert "Ann, Bob, Cy" in said.err


def test_partners_enter_the_net_of_a_round(hollywood: Hollywood) -> None:
    told = hollywood("score", "-", "--rules", "partnership", "--json", stdin="Us 41\nvoid\nThem 12\nUs 3\n").json()
    assert told["names"] == {"A": "Us", "B": "Them"}
    assert told["totals"] == {"A": [44, 3, 0], "B": [12, 0, 0]}


# --- what is rejected


@pytest.mark.parametrize("form", [[], ["--json"], ["--markdown"]], ids=["text", "json", "markdown"])
def test_lines_after_the_end_are_marked_and_warned_of(form: list[str], hollywood: Hollywood) -> None:
    said = hollywood("score", "-", *form, stdin="A 100\nB 100\nA 100\n# tired\nB 5\nvoid\nA 5\n")
    assert said.code == 0
    assert said.err.startswith("warning: ")
    assert re.findall(r"\d+", said.err) == ["4", "5", "6"]
    assert said.out.count("rejected") == 3
    assert hollywood("score", "-", stdin="A 100\nB 100\nA 100\n").err == ""


BAD = ["B", "B ten", "B -5", "B 5.5", "B 99999", "void 5", "C 5"]
TWO = ["B 10, A 20", "B 10 A 20", "B 10 20", "B 10 void"]
"""Two entries on one line: else one of them would be lost without a word."""


@pytest.mark.parametrize("bad", BAD + TWO)
def test_bad_line_is_named_by_its_number_in_the_file_and_nothing_is_scored(bad: str, hollywood: Hollywood) -> None:
    said = hollywood("score", "-", stdin=f"A 10\n\n# B begins\nB 1\n{bad}\nA 4\n")
    assert (said.code, said.out) == (2, "")
    assert f'line 5, "{bad}"' in said.err


def test_file_of_another_system_is_read_as_well(hollywood: Hollywood) -> None:
    expected = hollywood("score", "-", "--json", stdin="Bob 10\nAnn 5\nBob 3\n").json()
    for content in (b"Bob 10\r\nAnn 5\r\nBob 3\r\n", b"\xef\xbb\xbfBob 10\nAnn 5\nBob 3", b"Bob,10\nAnn, 5\nBob 3"):
        assert hollywood("score", "-", "--json", stdin=content).json() == expected


LONG = ("Alexandra_the_Great", "Bartholomew_Smith", "Cleopatra_of_Egypt")


@pytest.mark.parametrize("preset", ["hollywood", "hollywood-003", "gin", "partnership", "three-handed"])
def test_lines_fit_into_80_columns(preset: str, hollywood: Hollywood) -> None:
    names = LONG[: preset_rules(preset).sides]
    options = {} if preset == "three-handed" else {"shutout_doubles": "yes", "game_bonus": 10_000}
    for wins in (6, 40):
        lines = "".join(f"{names[deal % len(names)]} undercut {9_000}\n" for deal in range(wins))
        for target in (100, 10_000):
            given = settings({**options, "target": target})
            said = hollywood("score", "-", "--rules", preset, *given, stdin=lines)
            assert [line for line in said.out.splitlines() if len(line) > 80] == []
