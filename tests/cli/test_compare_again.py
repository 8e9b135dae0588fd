"""What `hollywood compare` prints to be used elsewhere: the command that plays it again, and a Markdown table."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.cli.conftest import Hollywood
from tests.cli.test_compare import SOON, answer, compared, every_case, text
from tests.support.strategy_files import write_player


def again(lines: list[str]) -> list[str]:
    """Return the words of the command under "Again", as a shell would read them."""
    first = next(place for place, line in enumerate(lines) if line.startswith("  Again    "))
    last = next(place for place in range(first, len(lines)) if not lines[place].endswith("\\"))
    pasted = "\n".join([lines[first].removeprefix("  Again    "), *lines[first + 1 : last + 1]])
    program, *words = shlex.split(pasted.replace("\\\n", " "))
    assert program == "hollywood"
    return words


def assert_plays_again(hollywood: Hollywood, *case: str) -> None:
    told = answer(compared(hollywood, *case))
    words = again(text(hollywood, *case, out="text"))
    assert answer(hollywood(*words, "--out", "again", "--json").json()) == told


@every_case
def test_command_that_is_printed_gives_the_same_answer(case: tuple[str, ...], hollywood: Hollywood) -> None:
    assert_plays_again(hollywood, *case)


def test_command_that_is_printed_repeats_rules_of_a_file(hollywood: Hollywood, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('preset = "gin"\nundercut_bonus = 25\n', encoding="utf-8")
    assert_plays_again(hollywood, *SOON, "--rules", "mine.toml", "--set", "gin_bonus=30", "--pairs", "300")


def test_command_that_is_printed_quotes_a_players_file(hollywood: Hollywood, tmp_path: Path) -> None:
    write_player(tmp_path / "my bots", "my_bot", knock="return view.deadwood <= p.knob")
    assert_plays_again(hollywood, "./my bots/my_bot.py:knob=3", "simple", "--seed", "7")


def test_seed_is_random_unless_given_and_the_command_names_it(hollywood: Hollywood) -> None:
    lines = text(hollywood, "greedy", "simple", "--pairs", "300")
    words = again(lines)
    seed = words[words.index("--seed") + 1]
    assert f"seed {seed}" in " ".join(lines)
    other = again(text(hollywood, "greedy", "simple", "--pairs", "300", out="other"))
    assert other[-1] != words[-1]


# --- Markdown


def cells(line: str) -> list[str]:
    """Return the cells of a row of a Markdown table."""
    assert line.startswith("| ")
    assert line.endswith(" |")
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


@every_case
def test_markdown_is_a_table_between_the_verdict_and_the_command(case: tuple[str, ...], hollywood: Hollywood) -> None:
    said = hollywood("compare", *case, "--markdown", "--out", "run")
    assert said.code == 0
    verdict, *rest = said.out.splitlines()
    assert re.fullmatch(r"\*\*[^*]+\*\*", verdict)
    start = rest.index("| | |")
    assert rest[start - 1] == ""
    end = rest.index("", start)
    assert rest[start + 1] == "| --- | --- |"
    rows = dict(cells(line) for line in rest[start + 2 : end])
    assert rows.keys() >= {"A v B", "Rules", "Matches", "Columns", "Points", "Pairs", "Test"}
    fence, command, closing = rest[end + 1 :]
    assert (fence, closing) == ("```", "```")
    assert shlex.split(command) == ["hollywood", *again(text(hollywood, *case, out="text"))]


def test_markdown_table_survives_a_bar_in_a_players_file(hollywood: Hollywood, tmp_path: Path) -> None:
    write_player(tmp_path / "a|b", "my_bot")
    said = hollywood("compare", "./a|b/my_bot.py", "simple", "--pairs", "2", "--markdown", "--out", "run")
    rows = [cells(line) for line in said.out.splitlines() if line.startswith("| ") and "---" not in line]
    assert {len(row) for row in rows} == {2}
    assert [r"A v B", r"./a\|b/my_bot.py v simple"] in rows
