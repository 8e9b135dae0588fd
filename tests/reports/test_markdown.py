"""A page as Markdown: the same text as the HTML, pictures that explain themselves, data beside them."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.image import imread

from analysis import Run
from reports.blocks import Cell, Row, Section, Table, download, figure_block
from reports.build import ReportError, write_html, write_markdown
from reports.canvas import WIDE, text_width
from reports.charts import ladder
from reports.markdown import escaped, files_of, markdown
from reports.page import Page, compose
from reports.pictures import TITLE, picture, wrapped
from reports.provenance import Reproduction

LINK = re.compile(r"(?<!\\)\]\(([^)]+)\)")


@pytest.fixture(scope="module")
def page(runs: dict[str, Run]) -> Page:
    return compose(runs["two"])


@pytest.fixture(scope="module")
def files(page: Page) -> dict[str, bytes]:
    return dict(files_of(page))


def text_of(files: dict[str, bytes]) -> str:
    return files["report.md"].decode()


def test_every_link_leads_to_a_file_or_a_heading(files: dict[str, bytes]) -> None:
    text = text_of(files)
    anchors = re.findall(r'<a id="([^"]+)"></a>', text)
    assert len(set(anchors)) == len(anchors)
    for target in LINK.findall(text):
        assert target in files or target.removeprefix("#") in anchors
    assert set(files) == {"report.md", *(target for target in LINK.findall(text) if not target.startswith("#"))}


def test_it_says_what_the_html_page_says(page: Page, files: dict[str, bytes]) -> None:
    text = text_of(files)
    told = [page.headline, page.kicker, page.lead]
    for section in page.sections:
        told += [section.title, *section.paragraphs]
        told += [word for table in section.tables for word in (table.title, table.note)]
        told += [word for figure in section.figures for word in (figure.words.how, figure.words.alt)]
    assert [word for word in told if escaped(word) not in text] == []
    for command in page.reproduction.commands:
        assert " ".join(command) in text


def test_a_table_has_the_numbers_of_the_page_with_their_errors(page: Page, files: dict[str, bytes]) -> None:
    table = page.sections[0].tables[0]
    rows = [line for line in text_of(files).splitlines() if line.startswith("| greedy |")]
    own = next(row for row in table.rows if row.head.text == "greedy")
    assert rows[0].split(" | ")[1] == f"{own.cells[0].text} {own.cells[0].error}"
    assert "±" in rows[0]
    assert rows[0].count(" | ") == len(table.heads) - 1


def test_data_are_what_the_page_embeds(page: Page, files: dict[str, bytes]) -> None:
    data = {figure.data.name: figure.data.text for section in page.sections for figure in section.figures}
    assert data
    for name, text in data.items():
        assert files[f"data/{name}"].decode() == text


def test_pictures_are_the_wide_drawing_at_twice_its_size_below_a_strip(files: dict[str, bytes], tmp_path: Path) -> None:
    png = files["figures/ladder.png"]
    width, height = struct.unpack(">II", png[16:24])
    assert png.startswith(b"\x89PNG")
    assert width == 2 * (WIDE.width + 2 * 16)
    assert height > 2 * (6 + 44 * 6 + 40)
    (tmp_path / "x.png").write_bytes(png)
    pixels = imread(tmp_path / "x.png")
    assert pixels[40:110, 32:1000].min() < 0.3, "the title is written above the drawing"
    assert pixels[:32].min() == pixels[-32:].min() > 0.95, "the margin is empty"


def test_pictures_do_not_tell_when_or_by_what_they_were_drawn(files: dict[str, bytes]) -> None:
    for name, content in files.items():
        if name.endswith(".png"):
            assert not re.search(rb"tEXt|iTXt|zTXt|tIME|Matplotlib", content[:4000])


def test_the_same_figure_gives_the_same_bytes(page: Page, files: dict[str, bytes]) -> None:
    figure = next(figure for section in page.sections for figure in section.figures)
    assert picture(figure) == files[f"figures/{figure.name}.png"]
    assert markdown(page).encode() == files["report.md"]


@pytest.mark.parametrize("letters", [TITLE, 12.0])
def test_no_line_of_the_strip_is_wider_than_the_sheet(letters: float) -> None:
    text = "Greedy wins 59 of 100 matches against ./players/" + "a_bot_with_a_long_name_" * 5 + ".py and is best"
    lines = list(wrapped(text, WIDE, letters))
    assert all(text_width(line, letters, letters == TITLE) <= WIDE.width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert list(wrapped("", WIDE, letters)) == []


def test_what_means_something_to_markdown_is_escaped() -> None:
    assert escaped("a_b*c`d|e<f>[g](h)#~\\&$") == "a\\_b\\*c\\`d\\|e\\<f\\>\\[g\\](h)\\#\\~\\\\\\&\\$"
    assert escaped("59.3% ±0.6, −1.0 – it’s even") == "59.3% ±0.6, −1.0 – it’s even"


def test_names_cannot_break_a_table_or_a_block_of_commands() -> None:
    row = Row(Cell("a|b", "a|b"), [Cell("<b>", 0.0, "±1|2")])
    section = Section("x", "A * title", ["_text_"], [Table("t", "T", ["Who", "What"], [row], "note")])
    told = Reproduction([["hollywood", "simulate", "'a```b'"]], [("Run", "x|y")], [("n|m", "s", "0" * 64)])
    text = markdown(Page("k", "h", "l", "", [], [section], told))
    assert "| a\\|b | \\<b\\> ±1\\|2 |" in text
    assert "````sh\nhollywood simulate 'a```b'\n````" in text
    assert "| n\\|m | s | 000000000000 |" in text


def test_a_partial_run_says_so_above_the_contents(runs: dict[str, Run]) -> None:
    text = markdown(compose(runs["partial"]))
    assert "> **Not finished.** This run is interrupted" in text[: text.index("**Contents**")]


def test_names_in_letters_that_the_font_lacks_are_drawn_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    steps = [(name, 0.6, 0.55, 0.65) for name in ("deals won", "points scored", "matches won")]
    frame = pd.DataFrame(steps, columns=["endpoint", "share", "lo", "hi"]).assign(a="./ボット.py", b="$x^2$")
    figure = figure_block("ladder", (ladder.figure, ladder.words), frame, download(frame, "x", "x"))
    assert picture(figure).startswith(b"\x89PNG")
    assert "ボット" in figure.wide
    assert [str(warning.message) for warning in recwarn] == []


EMPTY = Page("kicker", "headline", "lead", "", [], [], Reproduction([["hollywood"]], [], []))


def test_an_earlier_report_is_replaced_whole(page: Page, tmp_path: Path) -> None:
    target = tmp_path / "report"
    write_markdown(EMPTY, target)
    (target / "data").mkdir()
    (target / "data" / "stale.csv").write_text("old")
    assert write_markdown(EMPTY, target) == target / "report.md"
    assert [path.name for path in target.rglob("*")] == ["report.md"]
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


@pytest.mark.parametrize("there", ["file", "folder"])
def test_what_is_no_report_is_not_replaced(there: str, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    if there == "file":
        target.write_text("dear")
    else:
        target.mkdir()
        (target / "report.md").write_text("dear")
        (target / "letter").write_text("dear")
    with pytest.raises(ReportError, match="mine is there already and is no report"):
        write_markdown(EMPTY, target)
    assert {path.read_text() for path in tmp_path.rglob("*") if path.is_file()} == {"dear"}


def test_a_report_that_cannot_be_drawn_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "report"
    write_markdown(EMPTY, target)
    monkeypatch.setattr("reports.markdown.markdown", lambda page: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_markdown(EMPTY, target)
    assert [path.name for path in tmp_path.rglob("*")] == ["report", "report.md"]


def test_an_earlier_report_comes_back_if_the_new_one_cannot_be_put_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report"
    write_markdown(EMPTY, target).write_text("old")
    rename = Path.rename
    monkeypatch.setattr(
        Path,
        "rename",
        lambda path, to: (_ for _ in ()).throw(OSError("disk gone")) if path.name == "new" else rename(path, to),
    )
    with pytest.raises(OSError, match="disk gone"):
        write_markdown(EMPTY, target)
    assert [path.name for path in tmp_path.rglob("*")] == ["report", "report.md"]
    assert (target / "report.md").read_text() == "old"


def test_the_current_folder_is_refused_and_a_name_that_leads_elsewhere_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for target in (".", "..", "../here"):
        with pytest.raises(ReportError, match=r"current folder .* name a new folder"):
            write_markdown(EMPTY, Path(target))
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    (tmp_path / "kept").mkdir()
    assert write_markdown(EMPTY, Path("../link")) == Path("../link/report.md")
    assert (tmp_path / "link").is_symlink()
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["report.md"]


def test_a_folder_is_no_html_file_and_a_missing_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="is a folder; name an HTML file"):
        write_html(EMPTY, tmp_path)
    for write in (write_html, write_markdown):
        with pytest.raises(ReportError, match="nowhere is no folder"):
            write(EMPTY, tmp_path / "nowhere" / "x")
