"""Play a fixed set of experiments and refresh the pictures of docs/gallery.md and of the README: `make gallery`.

Everything is seeded, so that the same versions give the same pictures. Two minutes on two cores.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cli.main import run
from reports.blocks import FigureBlock
from reports.build import page_of
from reports.page import Page
from reports.pictures import picture
from reports.tips_page import is_tips, page_of_tips

DOCS = Path(__file__).parent
PICTURES = DOCS / "gallery"
SEED = ("--seed", "2026")
EARLY_OR_BIG = ("simulate", "threshold:knock_at=10", "gin-only", "--pairs", "40000", *SEED)
FIELD = (
    *("princeton:fading=yes", "marjj", "tracking", "simple", "greedy", "heuristic"),
    *("threshold:knock_at=5", "gin-only", "gin-only+on-schneid"),
)

EXPERIMENTS: dict[str, tuple[str, ...]] = {
    "undercut-10": EARLY_OR_BIG,
    "undercut-25": (*EARLY_OR_BIG, "--set", "undercut_bonus=25"),
    "where-to-knock": ("sweep", "threshold", "--param", "knock_at=0:10", "--pairs", "10000", *SEED),
    "every-deal": ("simulate", "simple", "greedy", "--pairs", "100000", "--detail", "deals", *SEED),
    "field": ("tournament", *FIELD, "--pairs", "10000", *SEED),
    "tips": ("tips", *SEED),
}
"""Every run, by the name of its folder, and the arguments of `hollywood` that make it."""


@dataclass(frozen=True)
class Shown:
    """A picture: its file, the runs whose page it is from, the figure's name there, and whether the README shows it."""

    name: str
    runs: tuple[str, ...]
    figure: str
    in_readme: bool = False


GALLERY = (
    Shown("what-the-rules-change", ("undercut-10", "undercut-25"), "conditions", in_readme=True),
    Shown("where-to-knock", ("where-to-knock",), "settings"),
    Shown("column-openings", ("undercut-10",), "openings"),
    Shown("first-to-open", ("undercut-10",), "first"),
    Shown("undercut-risk", ("every-deal",), "undercut-risk", in_readme=True),
    Shown("price-of-a-deal", ("every-deal",), "price"),
    Shown("how-far-ahead-is-safe", ("every-deal",), "equity"),
    Shown("ratings", ("field",), "ratings"),
    Shown("advice", ("tips",), "advice"),
)
"""The pictures in the order of docs/gallery.md."""


def main() -> None:
    """Play, draw and write everything; runs that are in the folder given as argument are not played again."""
    if len(sys.argv) > 1:
        _refresh_all(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            _refresh_all(Path(folder))


def _refresh_all(home: Path) -> None:
    for name, words in EXPERIMENTS.items():
        if not (home / name).exists():
            print(f"plays  hollywood {shlex.join(words)}", flush=True)
            if run([*words, "--out", str(home / name), "--quiet"]):
                sys.exit(f"{name} was not played")
    pages = {shown.runs: _page([home / name for name in shown.runs]) for shown in GALLERY}
    figures = {shown.name: _figure(pages[shown.runs], shown.figure) for shown in GALLERY}
    PICTURES.mkdir(exist_ok=True)
    for name, figure in figures.items():
        (PICTURES / f"{name}.png").write_bytes(picture(figure))
    (DOCS / "gallery.md").write_text(_gallery_page(figures), encoding="utf-8")
    _refresh(DOCS.parent / "README.md", figures)


def _page(folders: list[Path]) -> Page:
    return page_of_tips(folders[0]) if is_tips(folders[0]) else page_of(folders)


def _figure(page: Page, name: str) -> FigureBlock:
    figures = {figure.name: figure for section in page.sections for figure in section.figures}
    if name not in figures:
        sys.exit(f"no figure {name!r} on the page {page.headline!r}; it has {', '.join(figures)}")
    return figures[name]


def _gallery_page(figures: dict[str, FigureBlock]) -> str:
    """Return docs/gallery.md: each picture with how to read it and how to get it again."""
    lines = [
        "# What the pages show",
        "",
        "Made by `make gallery`, which plays the commands below and refreshes this page. Each picture is one figure of",
        "what `hollywood report` makes.",
    ]
    for shown in GALLERY:
        words = figures[shown.name].words
        lines += ["", f"## {words.title}", "", _image(shown, figures[shown.name], "gallery"), ""]
        lines += [f"**How to read this:** {words.how}", "", "```", *_commands(shown), "```"]
    return "\n".join(lines) + "\n"


def _image(shown: Shown, figure: FigureBlock, folder: str) -> str:
    text = figure.words.alt.replace("[", "(").replace("]", ")")
    return f"![{text}]({folder}/{shown.name}.png)"


def _commands(shown: Shown) -> Iterator[str]:
    for name in shown.runs:
        yield f"hollywood {shlex.join([*EXPERIMENTS[name], '--out', name])}"
    yield f"hollywood report {' '.join(shown.runs)}"


def _refresh(page: Path, figures: dict[str, FigureBlock]) -> None:
    """Make the pictures of the README anew, which stand between two marks."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition("<!-- begin gallery -->")
    _, end, after = rest.partition("<!-- end gallery -->")
    if not (begin and end):
        sys.exit(f'{page.name} must hold "<!-- begin gallery -->" and "<!-- end gallery -->"')
    images = "\n\n".join(_image(shown, figures[shown.name], "docs/gallery") for shown in GALLERY if shown.in_readme)
    page.write_text(f"{before}{begin}\n{images}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
