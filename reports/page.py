"""A page: what one run comes to, in reading order, and its HTML, which is one file that needs no network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import jinja2
from markupsafe import Markup

from analysis import Run
from reports import experiment_story, numbers, provenance, story, style, trio_story, trios
from reports.blocks import Section
from reports.commands import changed_rules
from reports.material import Basis, ShortNames, gather
from reports.provenance import Reproduction
from reports.sections import deal_worth, decisive, endings, equity, knocking, length, longer, who_wins, why

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Page:
    """All that is written, as HTML or as Markdown.

    A page of several runs has a chapter for each, after its own sections.
    """

    kicker: str
    headline: str
    lead: str
    notice: str
    facts: list[tuple[str, str]]
    sections: list[Section]
    reproduction: Reproduction
    chapters: list[Chapter] = field(default_factory=list)


@dataclass(frozen=True)
class Chapter:
    """The page of one of several runs, inside theirs; all names in it begin with its own."""

    name: str
    title: str
    page: Page


def compose(run: Run, called: ShortNames | None = None) -> Page:
    """Return the page of a run, in reading order; of a three-handed run, who wins and no more.

    `called` are the short names of a page of several runs, so that a player has one name all over it.
    """
    return _of_trios(run, called) if run.is_three_handed else _of_two_sides(run, called)


def _of_two_sides(run: Run, called: ShortNames | None) -> Page:
    material = gather(run, called)
    told = experiment_story.tell(material)
    parts = [
        told.section,
        who_wins.who_wins(material),
        longer.made_longer(material),
        why.why(material),
        deal_worth.deal_worth(material),
        equity.how_safe(material),
        knocking.knocking(material),
        endings.how_deals_end(material),
        length.how_long(material),
        decisive.most_decisive(material),
        provenance.data_quality(material, provenance.pairing_gain(material)),
    ]
    return _page(material, told.kind, (told.headline, told.lead), parts)


def _of_trios(run: Run, called: ShortNames | None) -> Page:
    material = trios.gather(run, called)
    parts = [trios.who_wins(material), longer.of_no_rates(material), provenance.data_quality(material, trios.UNIT)]
    told = trio_story.headline(material), trio_story.lead(material)
    return _page(material, trios.kind(material), told, parts)


def _page(basis: Basis, kind: str, told: tuple[str, str], parts: Sequence[Section | None]) -> Page:
    """Return the page; `told` is headline and lead."""
    spec = basis.run.spec
    return Page(
        kicker=_kicker(basis, kind),
        headline=told[0],
        lead=f"{told[1]} {longer.SENTENCE}" if longer.NAME in {part.name for part in parts if part} else told[1],
        notice=" ".join(filter(None, (story.partial_notice(basis.quality), experiment_story.how_to_resume(basis.run)))),
        facts=[
            ("Matches", numbers.big(basis.quality.matches)),
            ("Deals", numbers.big(basis.quality.deals)),
            ("Rules", f"{spec['preset']}{', changed' if changed_rules(spec) else ''}"),
            ("Seed", str(spec["seed"])),
        ],
        sections=[section for section in parts if section],
        reproduction=provenance.reproduction(basis),
    )


def _kicker(basis: Basis, kind: str) -> str:
    """Say what kind of run this is and when it was played."""
    when = provenance.day(basis.run.manifest.get("started"))
    return " · ".join(text for text in ("Hollywood Gin laboratory", kind, when) if text)


def render(page: Page) -> str:
    """Return the page as HTML."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    template = environment.get_template("page.html.j2")
    return template.render(
        page=page,
        light=style.LIGHT,
        dark=style.DARK,
        css=Markup((TEMPLATES / "page.css").read_text(encoding="utf-8")),
        script=Markup((TEMPLATES / "sort.js").read_text(encoding="utf-8").strip()),
    )
