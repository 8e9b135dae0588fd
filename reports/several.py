"""Several runs as one page: what they have in common and what is different, then a chapter for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from analysis import Run
from reports import numbers
from reports.blocks import Section
from reports.charts import conditions as chart
from reports.commands import again_commands
from reports.condition_names import rules_told, short_rules
from reports.names import capital
from reports.page import Chapter, Page, compose
from reports.provenance import Reproduction, players_told
from reports.sections.conditions import change_told, in_each, what_changes
from reports.sections.glance import at_a_glance, met
from reports.side_by_side import SeveralRuns, gather


def compose_several(runs: Sequence[Run]) -> Page:
    """Return the page of at least two runs of any kinds; all names in a run's chapter begin with ``run1-``, ..."""
    several = gather(runs)
    chapters = [_chapter(several, number, rules) for number, rules in enumerate(rules_told(runs))]
    changes = what_changes(several)
    return Page(
        kicker=f"Hollywood Gin laboratory · {numbers.in_words(len(runs))} runs",
        headline=_headline(several, chapters),
        lead=_lead(several),
        notice=_notice(chapters),
        facts=_facts(runs),
        sections=[at_a_glance(several), *([changes] if changes else [])],
        reproduction=_reproduction(several),
        chapters=chapters,
    )


def _chapter(several: SeveralRuns, number: int, rules: str) -> Chapter:
    """Return the chapter of one run; `rules` tell it from the others, if they do."""
    name, run = f"run{number + 1}", several.runs[number]
    title = f"Run {number + 1}: {met(several, run)}{f', {rules}' if rules else ''}"
    return Chapter(name, title, _prefixed(compose(run, (several.names, several.player_names)), name))


def _prefixed(page: Page, name: str) -> Page:
    """Return a page on which every name begins with that of its chapter, so that names stay unique."""

    def renamed(section: Section) -> Section:
        """Return a section whose own name, and those of all in it, begin so."""
        tables = [
            replace(
                table,
                name=f"{name}-{table.name}",
                data=replace(table.data, name=f"{name}-{table.data.name}") if table.data else None,
            )
            for table in section.tables
        ]
        figures = [
            replace(figure, name=f"{name}-{figure.name}", data=replace(figure.data, name=f"{name}-{figure.data.name}"))
            for figure in section.figures
        ]
        return replace(section, name=f"{name}-{section.name}", tables=tables, figures=figures)

    return replace(page, sections=[renamed(section) for section in page.sections])


def _notice(chapters: Sequence[Chapter]) -> str:
    """Say which runs were not finished."""
    pages = enumerate((chapter.page for chapter in chapters), start=1)
    return " ".join(f"Run {number}: {page.notice}" for number, page in pages if page.notice)


def _headline(several: SeveralRuns, chapters: Sequence[Chapter]) -> str:
    """Say what the pairing that most runs have comes to in each; without one, what the first runs say."""
    if several.featured is None or not several.is_comparison:
        return ". ".join(chapter.page.headline for chapter in chapters[:2])
    own = several.rows_of(several.featured)
    if len(own) > 2:
        return capital(chart.title(own, own.attrs["phrases"]))
    one, other = (numbers.of_100(share) for share in own["match_win_rate"])
    first, second = (own.attrs["phrases"][label] for label in own["label"])
    name, rival = capital(str(own["a"].iloc[0])), own["b"].iloc[0]
    if not chart.is_change(own.iloc[1]):
        return f"{name} against {rival}: no difference seen {first} and {second}"
    return f"{name} wins {one} matches against {rival} {first}, {other.removesuffix(' of 100')} {second}"


def _lead(several: SeveralRuns) -> str:
    """Say how surely, and whether anything can be compared at all."""
    if several.featured is None:
        return f"{_nothing_compared(several.runs)}: each run has its own chapter."
    if not several.is_comparison:
        return (
            "Some players met in several of these runs under the same rules; what came out each time is compared below."
        )
    own = several.rows_of(several.featured)
    over = "95% intervals over duplicate pairs (the same cards played twice with the seats swapped)"
    if len(own) == 2:
        return f"{capital(str(own['a'].iloc[0]))} wins {in_each(own)}; {over}.{change_told(own)}"
    ranked = own.sort_values("match_win_rate", kind="stable")
    least, most = (
        f"{numbers.share_with_error(*row[['match_win_rate', 'lo', 'hi']])} {own.attrs['phrases'][row['label']]}"
        for row in (ranked.iloc[0], ranked.iloc[-1])
    )
    return f"Of {numbers.in_words(len(own))} runs, the most is {most}, the least {least}; {over}.{change_told(own)}"


def _nothing_compared(runs: Sequence[Run]) -> str:
    """Say why nothing is compared: no meeting is in two runs, or only such as `analysis.conditions` leaves out."""
    times = Counter(meeting for run in runs for meeting in {tuple(sorted(sides)) for sides in run.pairings})
    shared = [meeting for meeting, runs_with_it in times.items() if runs_with_it > 1]
    if not shared:
        return "No two of these runs have a pairing in common, so nothing is compared"
    kinds = dict.fromkeys("three-handed" if len(meeting) > 2 else "mirror" for meeting in shared)
    told = numbers.listed([f"{kind} matches" for kind in kinds])
    return f"What several of these runs have in common are {told}, which are not compared"


def _facts(runs: Sequence[Run]) -> list[tuple[str, str]]:
    """Return the four facts; what is not the same in all runs is counted."""
    parts = [part for run in runs for part in run.parts]
    rules, seeds = ({text(run) for run in runs} for text in (short_rules, lambda run: str(run.spec["seed"])))
    return [
        ("Matches", numbers.big(sum(part.rows for part in parts))),
        ("Deals", numbers.big(sum(part.deals_played for part in parts))),
        ("Rules", next(iter(rules)) if len(rules) == 1 else numbers.plural(len(rules), "set")),
        ("Seed", next(iter(seeds)) if len(seeds) == 1 else numbers.plural(len(seeds), "seed")),
    ]


def _reproduction(several: SeveralRuns) -> Reproduction:
    """Return the commands that play all runs again, each to a folder of its own, and make this page; all players."""
    runs = several.runs
    played: list[list[str]] = []
    for number, run in enumerate(runs, start=1):
        own = again_commands(run.spec, run.manifest)
        names = [f"run{number}" if len(own) == 1 else f"run{number}-{one}" for one in range(1, 1 + len(own))]
        played += [[*words, "--out", name] for words, name in zip(own, names, strict=True)]
    facts = [(f"Run {number}", run.run_id) for number, run in enumerate(runs, start=1)]
    players = dict.fromkeys(player for run in runs for player in players_told(run.spec, several.player_names))
    return Reproduction([*played, ["hollywood", "report", *(words[-1] for words in played)]], facts, list(players))
