"""`hollywood doctor`: whether this installation is sound, check by check, and whether its statistics hold."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import click

from cli.find_run import ROOT
from cli.options import general_options, is_quiet, json_option
from cli.progress import Progress
from cli.texts.calibration import line_text, proof_text
from cli.texts.doctor import check_text, verdict_text

if TYPE_CHECKING:
    from experiments.calibration.rule import Line
    from experiments.doctor.checks import Check

FEWEST_RUNS = 100
"""With fewer simulated runs hardly anything could fail."""
DEFAULT_RUNS = 1_000
RUNS_A_SECOND = 33
"""Simulated runs of each line, all lines being made: about."""


@click.command("doctor")
@click.option(
    "--stats", is_flag=True, help="Prove the statistics instead: simulate, and hold answers against the truth."
)
@click.option(
    "--runs",
    type=click.IntRange(FEWEST_RUNS, 1_000_000),
    help=f"With --stats: simulated runs a line.  [default: {DEFAULT_RUNS}]",
)
@json_option
@general_options
def command(stats: bool, runs: int | None, as_json: bool) -> None:
    """Check this installation: versions, cache, folders, terminal, solver and kernels.

    Every check is ok, failed or a note; what failed says what to do. The exit code is 1 if any failed.

    With --stats nothing of that is looked at: intervals, tests, bands and ratings are put to the test on simulated
    runs of which the truth is known. A line fails if chance does not explain how far it is from what it promises.
    """
    if runs is not None and not stats:
        raise click.UsageError("--runs goes with --stats")
    states = _prove(runs or DEFAULT_RUNS, as_json) if stats else _examine(as_json)
    if "failed" in states:
        raise click.exceptions.Exit(1)


def _examine(as_json: bool) -> list[str]:
    """Check the installation; return the states of its checks."""
    from experiments.doctor.checks import examine

    encoding = sys.stdout.encoding or "utf-8"
    progress = Progress(quiet=is_quiet())
    checks: list[Check] = []
    # Each check is printed as it is made: where a broken library ends the process, the last line tells which.
    for check in examine(ROOT, encoding, lambda: progress.say("  compiling the kernels: once, about 15 seconds")):
        if not as_json:
            _print(check_text(check, checks[-1].group if checks else ""), encoding)
        checks.append(check)
    if as_json:
        click.echo(json.dumps({"checks": [check.document() for check in checks]}))
    else:
        _print(verdict_text(checks), encoding)
    return [check.state for check in checks]


def _prove(runs: int, as_json: bool) -> list[str]:
    """Put the statistics to the test; return the states of the lines."""
    if "numpy" not in sys.modules:
        # The matrices are small: threads that multiply them wait for each other more than they save.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from experiments.calibration.prove import prove

    encoding = sys.stdout.encoding or "utf-8"
    Progress(quiet=is_quiet()).say(f"  simulating: about {max(1, round(runs / RUNS_A_SECOND))} seconds")
    lines: list[Line] = []
    for line in prove(runs):
        if not as_json:
            _print(line_text(line, lines[-1].group if lines else ""), encoding)
        lines.append(line)
    if as_json:
        click.echo(json.dumps([line.document() for line in lines]))
    else:
        _print(proof_text(lines), encoding)
    return [line.state for line in lines]


def _print(text: str, encoding: str) -> None:
    """Print text, with a question mark for what stdout has no character for: a path, or a processor's name."""
    click.echo(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()
