"""A page as Markdown: one file of text, a picture for each figure, a CSV file for each table of data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from reports.blocks import Cell, Download, FigureBlock, Section, Table
from reports.page import Chapter, Page
from reports.pictures import picture
from reports.provenance import Reproduction

TEXT_FILE = "report.md"
PICTURES, DATA = "figures", "data"
SPECIAL = re.compile(r"([\\`*_\[\]<>|#~$&])")


def files_of(page: Page) -> Iterator[tuple[str, bytes]]:
    """Yield the name in its folder and the content of every file that a page consists of as Markdown."""
    yield TEXT_FILE, markdown(page).encode()
    for section in (*page.sections, *(section for chapter in page.chapters for section in chapter.page.sections)):
        for figure in section.figures:
            yield f"{PICTURES}/{figure.name}.png", picture(figure)
        for data in _data_of(section):
            yield f"{DATA}/{data.name}", data.text.encode()


def _data_of(section: Section) -> list[Download]:
    tables = [table.data for table in section.tables if table.data]
    return [*tables, *(figure.data for figure in section.figures)]


def markdown(page: Page) -> str:
    """Return the text of a page, in the dialect that GitHub shows."""
    blocks = [
        f"# {escaped(page.headline)}",
        *_opening(page),
        _contents(page),
        *(block for section in page.sections for block in _section(section, 2)),
        *(block for chapter in page.chapters for block in _chapter(chapter)),
        _heading("reproduce", "Reproduce this page", 2),
        *_reproduction(page.reproduction),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def escaped(text: str) -> str:
    """Return text in which no character means anything to Markdown."""
    return SPECIAL.sub(r"\\\1", text)


def _opening(page: Page) -> Iterator[str]:
    """Yield what stands above the contents: when, the lead, what is missing, the facts."""
    yield f"*{escaped(page.kicker)}*"
    yield escaped(page.lead)
    if page.notice:
        yield f"> **Not finished.** {escaped(page.notice)}"
    if page.facts:
        yield _grid([name for name, _ in page.facts], [[value for _, value in page.facts]])


def _contents(page: Page) -> str:
    """Return the list of what the page has, chapters with their sections below."""
    lines = ["**Contents**", ""]
    lines += [_entry(section.title, section.name) for section in page.sections]
    for chapter in page.chapters:
        lines.append(_entry(chapter.title, chapter.name))
        lines += [f"  {_entry(section.title, section.name)}" for section in chapter.page.sections]
    return "\n".join([*lines, _entry("Reproduce this page", "reproduce")])


def _entry(title: str, name: str) -> str:
    return f"- [{escaped(title)}](#{name})"


def _heading(name: str, title: str, level: int) -> str:
    """Return a heading that can be linked to by its name, whatever its words."""
    return f'<a id="{name}"></a>\n\n{"#" * level} {escaped(title)}'


def _section(section: Section, level: int) -> Iterator[str]:
    yield _heading(section.name, section.title, level)
    yield from map(escaped, section.paragraphs)
    if section.commands:
        yield _commands(section.commands)
    for table in section.tables:
        yield from _table(table)
    for figure in section.figures:
        yield from _figure(figure)


def _chapter(chapter: Chapter) -> Iterator[str]:
    """Yield the page of one run as a chapter: all of it, its headings a level lower."""
    page = chapter.page
    yield _heading(chapter.name, chapter.title, 2)
    yield f"**{escaped(page.headline)}**"
    yield from _opening(page)
    for section in page.sections:
        yield from _section(section, 3)
    yield _heading(f"{chapter.name}-reproduce", "Reproduce this run", 3)
    yield from _reproduction(page.reproduction)


def _table(table: Table) -> Iterator[str]:
    yield f"**{escaped(table.title)}**"
    yield _grid(table.heads, [[_cell(row.head), *map(_cell, row.cells)] for row in table.rows])
    yield f"{escaped(table.note)}{_link(table.data)}".strip()


def _cell(cell: Cell) -> str:
    return f"{cell.text} {cell.error}".strip()


def _grid(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: bool = True) -> str:
    """Return a table, the first column to the left and the others, if they are `numbers`, to the right."""
    rule = ["---", *(["---:" if numbers else "---"] * (len(heads) - 1))]
    lines = [[*map(escaped, heads)], rule, *([*map(escaped, row)] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _figure(figure: FigureBlock) -> Iterator[str]:
    """Yield a figure, whose picture carries title and grey line, and how to read it."""
    words = figure.words
    yield f"![{escaped(f'{words.title}. {words.alt}')}]({PICTURES}/{figure.name}.png)"
    yield f"**How to read this:** {escaped(words.how)}{_link(figure.data)}"


def _link(data: Download | None) -> str:
    return f" [Data (CSV)]({DATA}/{data.name})" if data else ""


def _commands(commands: Iterable[Sequence[str]]) -> str:
    """Return commands as a block to copy; its fence is longer than any in them."""
    lines = "\n".join(" ".join(words) for words in commands)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", lines)), default=0))
    return f"{fence}sh\n{lines}\n{fence}"


def _reproduction(told: Reproduction) -> Iterator[str]:
    yield "The same seed and versions give the same matches, on any number of threads:"
    yield _commands(told.commands)
    if told.facts:
        yield _grid(["What", "Value"], told.facts, numbers=False)
    if told.players:
        yield "Players, and the hash of each one’s source:"
        rows = [[name, spec, sha[:12]] for name, spec, sha in told.players]
        yield _grid(["Player", "Specification", "Source"], rows, numbers=False)
