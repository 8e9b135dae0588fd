"""Bad input gets one error that names it, exit code 2, nothing on stdout and no file."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.conftest import Hollywood
from tests.support.strategy_files import write_bad_player, write_player
from tests.support.strategy_runs import files_in

KNOCKER = "AS 2S 3S 4S 5S 6S 7S 8S 9S KD"
DEFENDER = "AC 2C 3C 4D 5D 6D 9H TH JH QS"
OVER = "AS 2S 3S 4S 5S 6S 7S 8S QC KC"


class Bad(NamedTuple):
    """Arguments, what stdin holds, and what the error must name."""

    arguments: list[str]
    named: str
    stdin: str | bytes = ""


def _solve(hand: str, named: str, *options: str) -> Bad:
    return Bad(["solve", hand, *options], named)


def _layoff(named: str, *options: str) -> Bad:
    return Bad(["layoff", KNOCKER, DEFENDER, *options], named)


def _score(lines: str | bytes, named: str, *options: str) -> Bad:
    return Bad(["score", "-", *options], named, lines)


def _simulate(named: str, *arguments: str) -> Bad:
    return Bad(["simulate", "--quiet", *arguments], named)


BAD = [
    Bad(["frobnicate"], "frobnicate"),
    Bad(["--frobnicate"], "--frobnicate"),
    # solve
    Bad(["solve"], "HAND"),
    Bad(["solve", "AS", "2S"], "2S"),
    _solve("", 'hand ""'),
    _solve("AS 1X", '"1X"'),
    _solve("AS 11D", '"11D"'),
    _solve("AS as", '"as"'),
    _solve("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", '"QS"'),
    _solve("AS 2S", '"zz"', "--barred", "zz"),
    _solve("AS 2S", "11", "--knock-limit", "11"),
    _solve("AS 2S", "'ten'", "--knock-limit", "ten"),
    _solve("AS 2S", "--rules", "--rules", "eaai"),
    Bad(["solve", "-"], "line 2", "\nfoo\n"),
    Bad(["solve", "-", "--json"], '"QS"', "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS\n"),
    Bad(["solve", "-"], "stdin", b"\xff\xfe\n"),
    # layoff
    Bad(["layoff"], "two hands"),
    Bad(["layoff", KNOCKER], "1 given"),
    Bad(["layoff", KNOCKER, DEFENDER, "KC"], "3 given"),
    Bad(["layoff", KNOCKER, KNOCKER], "in both hands"),
    Bad(["layoff", KNOCKER, "AC 2C"], "defender holds 2"),
    Bad(["layoff", f"{KNOCKER} QD", DEFENDER], "knocker holds 11"),
    Bad(["layoff", KNOCKER.replace("KD", "KX"), DEFENDER], '"KX"'),
    Bad(["layoff", OVER, DEFENDER], "20 points"),
    Bad(["layoff", "-"], "line 2", f"\n{KNOCKER}\n"),
    Bad(["layoff", "-", "--json"], "line 1", f"{KNOCKER};{KNOCKER}\n"),
    _layoff("10 points", "--set", "knock_limit=9"),
    _layoff('"tournament"', "--rules", "tournament"),
    _layoff('"gin_bonus"', "--set", "gin_bonus"),
    _layoff('"gin_bonus"', "--set", "gin_bonus=-1"),
    _layoff('"gin_bonus"', "--set", "gin_bonus=1", "--set", "gin_bonus=2"),
    _layoff('Did you mean "gin_bonus"', "--set", "ginbonus=1"),
    _layoff('"tie"', "--set", "tie=nobody"),
    # score
    Bad(["score"], "FILE"),
    Bad(["score", "nowhere.txt"], '"nowhere.txt"'),
    Bad(["score", "."], '"."'),
    _score("A 1\nB\n", "line 2"),
    _score("A ten\n", '"A ten"'),
    _score("A -5\n", '"A -5"'),
    _score("A 1.5\n", '"A 1.5"'),
    _score("A 99999\n", "99999"),
    _score("void 5\n", "void"),
    _score("A 1\nB 2\nC 3\n", '"C"'),
    _score(b"\xff 10\n", "stdin"),
    _score("A 1\n", '"columns"', "--set", "columns=2"),
    _score("A 1\n", '"target"', "--set", "target=0"),
    _score("A 1\n", '"hollywod"', "--rules", "hollywod"),
    # strategies
    Bad(["strategies", "explain"], "explain"),
    Bad(["strategies", "show"], "NAME"),
    Bad(["strategies", "show", "thresold"], 'Did you mean "threshold"?'),
    Bad(["strategies", "show", "./nowhere.py"], '"./nowhere.py"'),
    # report
    Bad(["report"], "RUN"),
    Bad(["report", "nowhere"], "nowhere"),
    Bad(["report", "last"], "runs"),
    Bad(["report", "."], "."),
    # a URL where a folder of this machine is wanted
    Bad(["report", "last", "--out", "s3://bucket/page"], '"s3://bucket/page" is a URL'),
    Bad(["batch", "one.toml", "--out", "s3://bucket/night"], '"s3://bucket/night" is a URL'),
    Bad(["batch", "one.toml", "--resume", "s3://bucket/night"], '"s3://bucket/night" is a URL'),
    Bad(["tips", "--out", "s3://bucket/tips"], '"s3://bucket/tips" is a URL'),
    Bad(["tips", "--resume", "s3://bucket/tips"], '"s3://bucket/tips" is a URL'),
    # simulate
    _simulate("A B"),
    _simulate("two strategies", "greedy"),
    _simulate('Did you mean "threshold"?', "greedy", "thresold"),
    _simulate("knock_at=11", "greedy", "threshold:knock_at=11"),
    _simulate('"knob"', "greedy", "threshold:knob=1"),
    _simulate('"./nowhere.py"', "greedy", "./nowhere.py"),
    _simulate("--pairs", "greedy", "simple", "--pairs", "0"),
    _simulate("'many'", "greedy", "simple", "--pairs", "many"),
    _simulate("--deals", "greedy", "simple", "--deals", "-1"),
    _simulate("--pairs or --deals", "greedy", "simple", "--pairs", "1", "--deals", "1"),
    _simulate("--seed", "greedy", "simple", "--seed", "-1"),
    _simulate("--seed", "greedy", "simple", "--seed", str(2**64)),
    _simulate("--threads", "greedy", "simple", "--threads", "0"),
    _simulate("'cards'", "greedy", "simple", "--detail", "cards"),
    _simulate('"eaa"', "greedy", "simple", "--rules", "eaa"),
    _simulate('"turn_cap"', "greedy", "simple", "--set", "turn_cap=1"),
    _simulate("--out", "greedy", "simple", "--pairs", "1", "--out", ""),
]


@pytest.mark.parametrize(
    "bad", BAD, ids=[" ".join(bad.arguments) + (f" < {bad.stdin!r}" * bool(bad.stdin)) for bad in BAD]
)
def test_bad_input_is_named_in_one_error(bad: Bad, hollywood: Hollywood, tmp_path: Path) -> None:
    said = hollywood(*bad.arguments, stdin=bad.stdin)
    _assert_refused(said.err, bad.named)
    assert (said.code, said.out) == (2, "")
    assert files_in(tmp_path) == set()


def _assert_refused(err: str, named: str) -> None:
    assert err.startswith("error: ")
    lines = err.splitlines()
    assert sum("error:" in line for line in lines) == 1
    assert all(line.startswith("  ") for line in lines[1:]), "what follows the error is help, indented"
    assert len(lines) <= 2
    assert named in err
    assert "Traceback" not in err


BAD_FILES = {
    "syntax.py": ("def f(:\n", "syntax.py:1: invalid syntax"),
    "raises.py": ("X = 1\n1 / 0\n", "raises.py:2: ZeroDivisionError"),
    "missing.py": ("import no_such_module_at_all\n", "missing.py:1: ModuleNotFoundError"),
    "empty.py": ("", "empty.py"),
    "exits.py": ("import sys\nsys.exit(3)\n", "exits.py:2"),
}


@pytest.mark.parametrize(("name", "text", "named"), [(name, *told) for name, told in BAD_FILES.items()], ids=BAD_FILES)
@pytest.mark.parametrize("command", ["simulate", "strategies show"])
def test_strategy_file_that_cannot_be_read_is_told_by_file_and_line(
    command: str, name: str, text: str, named: str, hollywood: Hollywood, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    said = hollywood(*command.split(), f"./{name}", *["greedy"] * (command == "simulate"))
    _assert_refused(said.err, named)
    assert (said.code, said.out) == (2, "")
    assert files_in(tmp_path) == {name}


@pytest.mark.parametrize(
    ("functions", "named"),
    [
        ({"discard": "return view.opponents_hand"}, "opponents_hand"),
        ({"discard": "return undefined_thing(view)"}, "undefined_thing"),
        ({"discard": 'return "KS"'}, "choose_discard"),
        ({"knock": "return [].sort(key=str)"}, "should_knock"),
    ],
    ids=["unknown field", "unknown name", "text for a card", "no such feature"],
)
def test_strategy_that_cannot_be_compiled_is_told_by_file_and_line(
    functions: dict[str, str], named: str, hollywood: Hollywood, tmp_path: Path
) -> None:
    path = write_player(tmp_path, "uncompilable", **functions)
    said = hollywood("simulate", "greedy", "./uncompilable.py", "--quiet", "--pairs", "1")
    line = 1 + path.read_text(encoding="utf-8").splitlines().index("    " + next(iter(functions.values())))
    _assert_refused(said.err, named)
    assert any(f"uncompilable.py:{number}:" in said.err for number in (line, line - 1))
    assert (said.code, said.out) == (2, "")
    assert files_in(tmp_path) == {"uncompilable.py"}


# --- commands that fail for another reason than their input


@pytest.mark.parametrize("habit", ["throws a number that is no card", "raises an exception", "never knocks"])
def test_strategy_that_misbehaves_fails_the_run(habit: str, hollywood: Hollywood, tmp_path: Path) -> None:
    write_bad_player(tmp_path, "rogue", habit)
    said = hollywood("simulate", "./rogue.py", "./rogue.py", "--quiet", "--pairs", "1", "--seed", "5", "--out", "run")
    _assert_refused(said.err, "./rogue.py")
    assert "seed 5, pair 0, leg 0, deal " in said.err
    assert (said.code, said.out) == (1, "")
    assert '"failed"' in (tmp_path / "run" / "manifest.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(("out", "reason"), [("letter", ""), ("letter/run", ""), ("full", "is there already")])
def test_folder_that_cannot_be_used_is_named(out: str, reason: str, hollywood: Hollywood, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("dear", encoding="utf-8")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").write_text("dear", encoding="utf-8")
    said = hollywood("simulate", "greedy", "simple", "--quiet", "--pairs", "1", "--out", out)
    _assert_refused(said.err, out)
    assert reason in said.err
    assert said.code in (1, 2)
    assert said.out == ""
    assert files_in(tmp_path) == {"letter", "full/letter"}
