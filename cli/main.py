"""The `hollywood` command line: commands found by name, imported when used, and errors told in one line.

Exit codes: 0 done, 1 failed, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from types import FrameType

import click

from cli.options import color, general_options
from sim.hints import did_you_mean

COMMANDS = {
    "simulate": ("cli.simulate", "Play strategies against each other and say who wins."),
    "compare": ("cli.compare", "Play two strategies until a test says who is better."),
    "sweep": ("cli.sweep", "Find the best setting of a strategy's parameters."),
    "tournament": ("cli.tournament", "Rate many strategies by playing them against each other."),
    "batch": ("cli.batch", "Run the experiments of a file, one after another."),
    "tips": ("cli.tips", "Test the advice that players give each other."),
    "sprt": ("cli.sprt", "The test of compare, from counts alone."),
    "power": ("cli.power", "Say how many pairs it takes to see a difference."),
    "query": ("cli.query", "Answer SQL about the rows of a run."),
    "report": ("cli.report", "Make a page of charts and tables from a run."),
    "solve": ("cli.solve", "Show the least deadwood, spreads and discards of a hand."),
    "layoff": ("cli.layoff", "Show how a knock comes out: spread, layoffs, points."),
    "score": ("cli.score", "Score a real evening on a Hollywood sheet."),
    "replay": ("cli.replay", "Follow a match or a deal move by move."),
    "rules": ("cli.rules", "List the rules presets, show one, compare two."),
    "strategies": ("cli.strategies", "List the strategies, or show how one plays."),
    "runs": ("cli.runs", "List, check, go on with and compare runs."),
    "doctor": ("cli.doctor", "Check this installation: versions, cache, solver and kernels."),
}
"""Every command: the module that holds it and its one line of help. Modules are imported only when used."""

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130


class _LazyGroup(click.Group):
    """A group that imports a command when it is called, so that --help answers at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module and return the command."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command the arguments begin with; an unknown one is told with the known ones."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            told = f'no command "{args[0]}".{did_you_mean(args[0], COMMANDS)} Known: {" ".join(COMMANDS)}'
            raise click.UsageError(told, ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@general_options
def hollywood() -> None:
    """Hollywood Gin laboratory: solve hands, score sheets, play millions of deals, report what they show.

    \b
    Start with    hollywood simulate greedy simple
    then          hollywood report last
    """


class _Interrupt:
    """Ends the command at the first signal, and the process at once at a second one."""

    def __init__(self) -> None:
        self._asked = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        if self._asked:
            os._exit(INTERRUPTED)  # a strategy that loops for ever keeps its thread, and so the process, alive
        self._asked = True
        raise KeyboardInterrupt


def main() -> None:
    """Run the command line and exit with its code."""
    interrupt = _Interrupt()
    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupt)
    code = run(sys.argv[1:])
    _leave_if_held(code)
    sys.exit(code)


def _leave_if_held(code: int) -> None:
    """End the process at once if a strategy that did not come back would keep it alive."""
    executors = sys.modules.get("sim.batch.executors")
    if executors is not None and executors.threads_left_behind():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; errors are printed as one line on stderr."""
    try:
        code = hollywood.main(arguments, prog_name="hollywood", standalone_mode=False)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return BAD_INPUT
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "hollywood"
        return _tell(f"{error.format_message()}\n  help: {where} --help", BAD_INPUT)
    except click.ClickException as error:
        return _tell(error.format_message(), BAD_INPUT)
    except ValueError as error:
        return _tell(str(error), BAD_INPUT)
    except (RuntimeError, OSError) as error:
        return _tell(str(error), FAILED)
    except Exception as error:
        return _tell(f"unexpected {type(error).__name__}: {error}\n  HOLLYWOOD_DEBUG=1 shows where", FAILED)
    return code if isinstance(code, int) else 0


def _tell(message: str, code: int) -> int:
    """Print the error being handled as one line; with HOLLYWOOD_DEBUG set, let its traceback through."""
    click.echo(f"{click.style('error', fg='red')}: {message}", err=True, color=color())
    if os.environ.get("HOLLYWOOD_DEBUG"):
        raise
    return code


if __name__ == "__main__":
    main()
