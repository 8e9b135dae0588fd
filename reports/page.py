"""One run as one self-contained HTML page: text, figures, tables and data, without network and without script."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import jinja2
from markupsafe import Markup

from analysis import Run
from reports import numbers, provenance, sections, story, style
from reports.blocks import Section
from reports.material import Material, gather
from reports.provenance import Reproduction

TEMPLATES = Path(__file__).parent / "templates"
NOT_COVERED = (
    "This page does not cover what a single deal is worth, when a knock risks an undercut, where to set a knocking "
    "threshold, or players’ tips: the first two need a run that records every deal, the others a sweep or a comparison "
    "made for the tip."
)


@dataclass(frozen=True)
class Page:
    """All that the template sets."""

    kicker: str
    headline: str
    lead: str
    notice: str
    facts: list[tuple[str, str]]
    sections: list[Section]
    not_covered: str
    reproduction: Reproduction


def compose(run: Run) -> Page:
    """Return the page of a run, in reading order."""
    material = gather(run)
    parts = [
        sections.who_wins(material),
        sections.why(material),
        sections.how_deals_end(material),
        sections.how_long(material),
        provenance.data_quality(material),
    ]
    return Page(
        kicker=_kicker(material),
        headline=story.headline(material),
        lead=story.lead(material),
        notice=story.partial_notice(material),
        facts=[
            ("Matches", numbers.big(material.quality.matches)),
            ("Deals", numbers.big(material.quality.deals)),
            ("Rules", str(run.spec["preset"])),
            ("Seed", str(run.spec["seed"])),
        ],
        sections=[section for section in parts if section],
        not_covered=NOT_COVERED,
        reproduction=provenance.reproduction(material),
    )


def _kicker(material: Material) -> str:
    """Say what kind of run this is and when it was played."""
    kind = sections.meeting_kind(material).removeprefix("a ")
    when = provenance.day(material.run.manifest.get("started"))
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
