"""A player of one's own: the file `strategies new` writes, what `strategies check` says, and errors at their line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from experiments import check as checking
from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import Said
from tests.support.strategy_files import BAD_HABITS, write_bad_player, write_player

ROOT = Path(__file__).parents[2]


@pytest.fixture
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a player be legal in few deals, where another part of the contract is tested."""
    monkeypatch.setattr(checking, "DEALS", 300)


def _assert_one_line(said: Said, code: int, *words: str) -> None:
    """Require an error: this exit code, nothing on stdout, one line on stderr with these words (and one of help)."""
    assert said.code == code, said.err
    assert said.out == ""
    first, *more = said.err.rstrip("\n").splitlines()
    assert all(line.startswith("  ") for line in more)
    assert len(more) <= 2
    assert first.startswith("error: ")
    assert "Traceback" not in said.err
    for word in words:
        assert word in first


# --- new


def test_new_writes_a_file_and_says_what_to_do_next(hollywood: Hollywood) -> None:
    said = hollywood("strategies", "new", "my_bot")
    assert said == Said(0, "wrote  my_bot.py\nnext   hollywood strategies check ./my_bot.py\n", "")
    text = Path("my_bot.py").read_text(encoding="utf-8")
    assert '"""My bot: ' in text
    assert 'name="my_bot"' in text
    assert "{" not in text


@pytest.mark.parametrize("name", ["my_bot.py", "./my_bot", "B52", "match"])
def test_new_takes_a_name_with_ending_folder_or_odd_letters(name: str, hollywood: Hollywood) -> None:
    assert hollywood("strategies", "new", name).code == 0
    file = f"{Path(name).name.removesuffix('.py')}.py"
    assert Path(file).is_file()


def test_new_writes_into_a_folder_that_is_there(hollywood: Hollywood) -> None:
    Path("bots").mkdir()
    said = hollywood("strategies", "new", "bots/deep")
    assert said.code == 0
    assert "check ./bots/deep.py" in said.out
    assert hollywood("strategies", "show", "./bots/deep.py").code == 0


@pytest.mark.parametrize(
    "name", ["class", "None", "3bot", "my bot", "my-bot", "", ".py", "x.y", "{name}", "bots/class"]
)
def test_new_refuses_what_names_no_module(name: str, hollywood: Hollywood) -> None:
    _assert_one_line(hollywood("strategies", "new", name), 2, "cannot be the name of a strategy file", "such as my_bot")
    assert list(Path().iterdir()) == []


def test_new_overwrites_nothing(hollywood: Hollywood) -> None:
    Path("my_bot.py").write_text("mine\n", encoding="utf-8")
    _assert_one_line(hollywood("strategies", "new", "my_bot"), 2, '"my_bot.py" is there already')
    assert Path("my_bot.py").read_text(encoding="utf-8") == "mine\n"


def test_new_in_a_folder_that_is_missing_is_told_in_one_line(hollywood: Hollywood) -> None:
    said = hollywood("strategies", "new", "nowhere/my_bot")
    _assert_one_line(said, said.code, "nowhere")
    assert said.code in (1, 2)


def test_new_file_is_clean_to_the_linter(hollywood: Hollywood) -> None:
    """Arguments a player does not use are part of the three signatures; the project allows them too."""
    pytest.importorskip("ruff")
    hollywood("strategies", "new", "my_bot")
    options = ["--no-cache", "--ignore", "ARG001", "--config", str(ROOT / "pyproject.toml")]
    command = [sys.executable, "-m", "ruff", "check", *options, "my_bot.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_new_player_shows_its_parameters_with_units_and_ranges(hollywood: Hollywood) -> None:
    hollywood("strategies", "new", "my_bot")
    said = hollywood("strategies", "show", "./my_bot.py")
    assert said.code == 0
    assert "knock_at=6   knock with this much deadwood or less; 0:10 points" in said.out
    assert "gin_hunt=24  with more cards left in stock, wait for gin; 0:31 cards" in said.out
    assert "source   my own idea" in said.out


def test_new_player_plays_with_its_parameters_in_every_command(hollywood: Hollywood) -> None:
    hollywood("strategies", "new", "my_bot")
    low, high = "./my_bot.py:knock_at=0,gin_hunt=31", "./my_bot.py:knock_at=10,gin_hunt=31"
    run = ["simulate", low, high, "--pairs", "50", "--seed", "1", "--json"]
    document = hollywood(*run).json()
    assert low.removeprefix("./") in str(document)
    replays = [hollywood("replay", player, "simple", "--seed", "1", "--pair", "0").out for player in (low, high)]
    assert all(replays)
    assert replays[0].splitlines()[3:] != replays[1].splitlines()[3:]


def test_new_player_passes_its_check(hollywood: Hollywood) -> None:
    hollywood("strategies", "new", "my_bot")
    said = hollywood("strategies", "check", "./my_bot.py")
    assert (said.code, said.err) == (0, "")
    names = [line[8:21].strip() for line in said.out.splitlines()]
    assert names == ["compiles", "legal", "repeatable", "plain Python", "no peeking", "speed"]
    assert all(line.startswith("ok      ") for line in said.out.splitlines())


@pytest.mark.slow
@pytest.mark.usefixtures("few_deals")
def test_check_takes_parameters_and_wrappers(hollywood: Hollywood) -> None:
    hollywood("strategies", "new", "my_bot")
    assert hollywood("strategies", "check", "./my_bot.py:knock_at=2").code == 0
    assert hollywood("strategies", "show", "./my_bot.py+on-schneid:k=1").code == 0


def test_parameters_out_of_range_or_unknown_are_told(hollywood: Hollywood) -> None:
    hollywood("strategies", "new", "my_bot")
    _assert_one_line(hollywood("strategies", "check", "./my_bot.py:knock_at=11"), 2, "knock_at=11", "from 0 to 10")
    _assert_one_line(hollywood("strategies", "check", "./my_bot.py:nock=1"), 2, '"nock"', "knock_at gin_hunt")


def test_file_takes_parameters_and_a_wrapper_together(hollywood: Hollywood) -> None:
    hollywood("strategies", "new", "my_bot")
    assert hollywood("strategies", "show", "./my_bot.py:knock_at=2+on-schneid").code == 0


@pytest.mark.parametrize("name", ["é", "a" * 41])
def test_new_writes_no_file_that_cannot_be_loaded(name: str, hollywood: Hollywood) -> None:
    said = hollywood("strategies", "new", name)
    assert said.code == 2 or hollywood("strategies", "show", f"./{name}.py").code == 0


@pytest.mark.parametrize("name", ["typing"])
def test_new_writes_no_file_that_hides_what_it_imports(name: str, hollywood: Hollywood) -> None:
    said = hollywood("strategies", "new", name)
    assert said.code == 2 or hollywood("strategies", "show", f"./{name}.py").code == 0


def test_next_command_leads_to_the_file_wherever_it_is(tmp_path: Path, hollywood: Hollywood) -> None:
    said = hollywood("strategies", "new", str(tmp_path / "away"))
    assert Path(said.out.split()[-1]).resolve() == tmp_path / "away.py"


# --- check: what is broken


@pytest.mark.parametrize("habit", BAD_HABITS)
def test_illegal_player_fails_and_its_deal_is_shown_up_to_the_move(habit: str, hollywood: Hollywood) -> None:
    write_bad_player(Path(), "bad", habit)
    said = hollywood("strategies", "check", "./bad.py")
    assert (said.code, said.err) == (1, "")
    compiles, legal, *shown = said.out.splitlines()
    assert compiles.startswith("ok      compiles")
    assert legal.startswith("failed  legal ")
    assert "bad.py v " in legal
    assert "(seed 2026, pair " in legal
    assert any(line.startswith("Deal ") for line in shown)
    assert any(line.startswith("  broken off: ") for line in shown)
    assert not any(line.startswith(("ok ", "failed ")) for line in shown)


@pytest.mark.usefixtures("few_deals")
def test_difference_uncompiled_fails_and_is_shown(hollywood: Hollywood) -> None:
    write_player(Path(), "shift", take="return (1 << (view.turn + 60)) > 0")
    said = hollywood("strategies", "check", "./shift.py")
    assert (said.code, said.err) == (1, "")
    assert "failed  plain Python  uncompiled it moves otherwise, first in pair 0, leg " in said.out
    assert "shift.py v simple" in said.out
    assert "ok      no peeking" in said.out


HABITS_NOT_COMPILED = {
    "no field of the view": ({"discard": "return view.secret"}, "a view has no field 'secret'"),
    "no parameter": ({"knock": "return p.nope > 1"}, "'nope'"),
    "no such name": ({"discard": "return nonsense(view)"}, "'nonsense' is not defined"),
    "text for a card": ({"discard": "return 'AS'"}, "str"),
    "nothing for yes or no": ({"knock": "pass"}, "does not return an answer"),
    "a function without @helper": (
        {"take": "return plain(view.turn)", "imports": "def plain(x):\n    return x > 3\n"},
        '"plain"',
    ),
    "a dictionary of the module": ({"take": "D[view.turn] = 1\n    return False", "imports": "D = {}"}, "'D'"),
    "an array of the module": (
        {"take": "SEEN[0] = 1\n    return False", "imports": "import numpy as np\nSEEN = np.zeros(2)"},
        "setitem",
    ),
    "the clock": ({"knock": "return time.time() > 0", "imports": "import time"}, "'time'"),
    "adds text": ({"discard": "return view.hand + 'x'"}, "add"),
}


@pytest.mark.parametrize("habit", HABITS_NOT_COMPILED)
def test_player_that_cannot_be_compiled_is_told_with_file_and_function(habit: str, hollywood: Hollywood) -> None:
    functions, word = HABITS_NOT_COMPILED[habit]
    file = write_player(Path(), "wrong", **functions)
    (function,) = set(functions) - {"imports"}
    decision = {"take": "take_upcard", "discard": "choose_discard", "knock": "should_knock"}[function]
    said = hollywood("strategies", "check", "./wrong.py")
    _assert_one_line(said, 2, f"{decision} cannot be compiled: ", word)
    where, _, _ = said.err.removeprefix("error: ").partition(f": {decision}")
    name, _, line = where.rpartition(":")
    assert Path(name) == file.resolve()
    assert _function_around(file, int(line)) == decision


def _function_around(file: Path, line: int) -> str:
    """Return the name of the function that a line, counted from 1, belongs to."""
    heads = [text for text in file.read_text(encoding="utf-8").splitlines()[:line] if text.startswith("def ")]
    return heads[-1].removeprefix("def ").partition("(")[0]


@pytest.mark.parametrize("discard", ["x = 1\n    return view.secret", "x = 1\n    return nonsense(view)"])
def test_wrong_name_is_told_at_its_own_line(discard: str, hollywood: Hollywood) -> None:
    file = write_player(Path(), "wrong", discard=discard)
    line = file.read_text(encoding="utf-8").splitlines().index(f"    {discard.splitlines()[1].strip()}") + 1
    assert f"wrong.py:{line}:" in hollywood("strategies", "check", "./wrong.py").err


def test_typing_error_is_told_as_a_whole_sentence(hollywood: Hollywood) -> None:
    write_player(Path(), "wrong", discard="return view.hand + 'x'")
    said = hollywood("strategies", "check", "./wrong.py")
    assert not said.err.rstrip().endswith(":")
    assert "<built-in function" not in said.err


def test_function_without_helper_is_told_what_it_needs(hollywood: Hollywood) -> None:
    write_player(Path(), "wrong", take="return plain(view.turn)", imports="def plain(x):\n    return x > 3\n")
    assert "@helper" in hollywood("strategies", "check", "./wrong.py").err


FILES_NOT_PLAYERS = {
    "a function with one argument": ("def take_upcard(view):", "take_upcard must take two arguments, view and p"),
    "no STRATEGY": ("x = 1\n", 'the file has no line "STRATEGY = Strategy(...)"'),
    "another STRATEGY": ("STRATEGY = 3\n", 'the file has no line "STRATEGY = Strategy(...)"'),
    "nothing": ("", 'the file has no line "STRATEGY = Strategy(...)"'),
    "a syntax error": ("x = 1\ndef f(:\n", "wrong.py:2: "),
    "an error when it is run": ("x = 1\n\ny = 1 / 0\n", "wrong.py:3: ZeroDivisionError"),
    "an import of nothing": ("import nothing_such\n", "wrong.py:1: ModuleNotFoundError"),
}


@pytest.mark.parametrize("habit", FILES_NOT_PLAYERS)
@pytest.mark.parametrize("command", ["check", "show"])
def test_file_that_is_no_player_is_told_at_its_line(habit: str, command: str, hollywood: Hollywood) -> None:
    text, word = FILES_NOT_PLAYERS[habit]
    if text.startswith("def take_upcard"):
        whole = write_player(Path(), "wrong").read_text(encoding="utf-8")
        text = whole.replace("def take_upcard(view, p):", text)
    Path("wrong.py").write_text(text, encoding="utf-8")
    _assert_one_line(hollywood("strategies", command, "./wrong.py"), 2, "wrong.py", word)


@pytest.mark.parametrize("player", ["./nothere.py", "nobody", "greedy+nobody", "."])
def test_player_that_is_not_there_is_told(player: str, hollywood: Hollywood) -> None:
    _assert_one_line(hollywood("strategies", "check", player), 2)
