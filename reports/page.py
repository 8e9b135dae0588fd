"""One run as one self-contained HTML page: text, figures, tables and data, without network and without script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2
from markupsafe import Markup

from analysis import Run
from reports import numbers, provenance, story, style, trio_story, trios
from reports.blocks import Section
from reports.commands import changed_rules
from reports.material import Basis, gather
from reports.provenance import Reproduction
from reports.rules_in_words import not_covered
from reports.sections import endings, length, who_wins, why

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Page:
    """All that the template sets; `not_covered` may be empty."""

    kicker: str
    headline: str
    lead: str
    notice: str
    facts: list[tuple[str, str]]
    sections: list[Section]
    not_covered: str
    reproduction: Reproduction


def compose(run: Run) -> Page:
    """Return the page of a run, in reading order; of a three-handed run, who wins and no more."""
    return _of_trios(run) if run.is_three_handed else _of_two_sides(run)


def _of_two_sides(run: Run) -> Page:
    material = gather(run)
    parts = [
        who_wins.who_wins(material),
        why.why(material),
        endings.how_deals_end(material),
        length.how_long(material),
        provenance.data_quality(material, provenance.pairing_gain(material)),
    ]
    kind = who_wins.meeting_kind(material).removeprefix("a ")
    told = story.headline(material), story.lead(material)
    return _page(material, kind, told, parts, not_covered(run))


def _of_trios(run: Run) -> Page:
    material = trios.gather(run)
    parts = [trios.who_wins(material), provenance.data_quality(material, trios.UNIT)]
    told = trio_story.headline(material), trio_story.lead(material)
    return _page(material, trios.kind(material), told, parts)


def _page(basis: Basis, kind: str, told: tuple[str, str], parts: Sequence[Section | None], left_out: str = "") -> Page:
    """Return the page; `told` is headline and lead, `left_out` what it does not cover."""
    spec = basis.run.spec
    return Page(
        kicker=_kicker(basis, kind),
        headline=told[0],
        lead=told[1],
        notice=story.partial_notice(basis.quality),
        facts=[
            ("Matches", numbers.big(basis.quality.matches)),
            ("Deals", numbers.big(basis.quality.deals)),
            ("Rules", f"{spec['preset']}{', changed' if changed_rules(spec) else ''}"),
            ("Seed", str(spec["seed"])),
        ],
        sections=[section for section in parts if section],
        not_covered=left_out,
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
