"""What leads the page of a run: the answer of its experiment, if it is one and was finished, else who won."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analysis import Run
from reports import comparison_story, story, sweep_story, tournament_story
from reports.blocks import Section
from reports.commands import run_words
from reports.material import Material
from reports.sections import course, ratings, setting, who_wins


@dataclass(frozen=True)
class Told:
    """What leads a page: the kind of run, the headline, the lead, and the section that shows the answer, if any."""

    kind: str
    headline: str
    lead: str
    section: Section | None = None


Say = Callable[[Material], str]
TELLERS: dict[str, tuple[Say, Say, Say, Callable[[Material], Section | None]]] = {
    "sweep": (sweep_story.kind, sweep_story.headline, sweep_story.lead, setting.where_to_set),
    "tournament": (tournament_story.kind, tournament_story.headline, tournament_story.lead, ratings.how_strong),
    "compare": (comparison_story.kind, comparison_story.headline, comparison_story.lead, course.how_sure),
}
"""Kind of experiment -> its name, headline, lead and section."""


def tell(material: Material) -> Told:
    """Return what leads the page of a run of two sides."""
    run = material.run
    if not run.summary or run.kind not in TELLERS:
        kind = who_wins.meeting_kind(material).removeprefix("a ")
        return Told(kind, story.headline(material), story.lead(material))
    kind_of, headline, lead, section = TELLERS[run.kind]
    return Told(kind_of(material), headline(material), lead(material), section(material))


def how_to_resume(run: Run) -> str:
    """Say how to go on with a run that ended before it was done; an empty text for any other."""
    if not run.is_partial or run.manifest["status"] == "running":
        return ""
    return f"hollywood runs resume {run_words(run)} goes on with it."
