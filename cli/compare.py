"""`hollywood compare`: play two strategies until a sequential test says who is better."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import general_options, json_option, play_options, rules_options, test_options
from cli.playing import play
from experiments.defaults import COMPARE, DEFAULT_PAIRS

if TYPE_CHECKING:
    from analysis.sequential import Look
    from cli.progress import Progress
    from experiments.compare import Comparison
    from sim.batch.plan import Plan


@click.command("compare")
@click.argument("players", nargs=2, metavar="A B")
@test_options
@click.option(
    "--pairs",
    type=click.IntRange(1, 2**32),
    default=DEFAULT_PAIRS[COMPARE],
    show_default=True,
    help="Most pairs to play.",
)
@rules_options
@play_options
@click.option("--markdown", is_flag=True, help="Print a Markdown table instead of text.")
@json_option
@general_options
def command(
    players: tuple[str, str],
    test: str,
    bounds: tuple[float, float] | None,
    alpha: float | None,
    beta: float | None,
    pairs: int,
    rules: str,
    options: dict[str, str],
    seed: int | None,
    threads: int,
    out: Path | None,
    markdown: bool,
    as_json: bool,
) -> None:
    """Say which of two strategies is better: play duplicate pairs until a sequential test decides.

    \b
    The test looks after every 256 pairs and asks of A's share of the matches:
      gain     is either better, by a point (50% or 51%)?        errors of 5%
      strict   the same,                                         errors of 1%
      nonreg   is A no worse, to within a point (49% or 50%)?    errors of 5%
      equiv    are they within a point of each other?            errors of 5%

    Cards, and so the answer, depend on the seed alone, not on threads.
    """
    from analysis.sequential import make_test
    from cli.texts.verdicts import comparison_markdown, comparison_text, course_note
    from experiments.compare import compare
    from experiments.simulate import Request, two_sided_plan
    from sim.batch.runner import Watch

    if markdown and as_json:
        raise click.UsageError("give --markdown or --json, not both")
    asked = make_test(test, bounds, alpha, beta)
    request = Request(players, pairs, rules=rules, options=options, seed=seed)

    def run(plan: Plan, folder: Path, progress: Progress) -> Comparison:
        """Compare, telling each look."""

        def tell(look: Look) -> None:
            progress.note = course_note(asked, look)

        return compare(plan, asked, folder, (threads, Watch(progress.advance)), tell)

    found = play(lambda: two_sided_plan(request, "a comparison"), out, run)
    if as_json:
        click.echo(json.dumps(found.document()))
    else:
        click.echo(comparison_markdown(found) if markdown else comparison_text(found))
