"""Text becomes a player: names, parameters, files, their sources, and what is said when it cannot."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from sim.api import BoundStrategy, StrategySpec
from sim.view import make_view
from strategies.registry import MODULES, StrategyError, about, bind, file_of, params_of, parse_spec, strategy_of
from strategies.sources import sources_sha
from tests.support.strategy_files import write_player


@pytest.mark.parametrize("name", MODULES)
def test_name_alone_is_a_strategy_with_its_defaults(name: str) -> None:
    spec = parse_spec(name)
    assert (spec.text, spec.params) == (name, ())
    assert sources_sha(spec.sources) == spec.sha


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("threshold:knock_at=3", "threshold:knock_at=3"),
        ("  threshold:knock_at = 07 ", "threshold:knock_at=7"),
        ("threshold:knock_at=3,", "threshold:knock_at=3"),
    ],
)
def test_text_is_normalised(typed: str, text: str) -> None:
    spec = parse_spec(typed)
    assert spec.text == text
    assert parse_spec(text) == spec


def test_parameters_are_read_in_their_own_kind_and_order(tmp_path: Path) -> None:
    path = write_player(tmp_path, "kinds")
    spec = parse_spec(f"{path}:bold=yes,slope=-0.25,knob=9")
    assert spec.params == (("knob", 9), ("slope", -0.25), ("bold", True))
    assert spec.text == f"{path}:knob=9,slope=-0.25,bold=yes"
    assert parse_spec(spec.text) == spec
    assert bind(spec).params == (9.0, -0.25, 1.0)
    assert bind(parse_spec(str(path))).params == (5.0, 0.5, 0.0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("thresold", ['no strategy "thresold"', 'Did you mean "threshold"?', *MODULES, "./my_bot.py"]),
        ("Greedy", ['no strategy "Greedy"', 'Did you mean "greedy"?']),
        ("zzz", ['no strategy "zzz"', "known:"]),
        ("", ['no strategy ""', "known:"]),
        ("threshold:knob=3", ['"threshold"', 'no parameter "knob"', "known: knock_at"]),
        ("greedy:knock_at=3", ['"greedy"', 'no parameter "knock_at"', "it has none"]),
        ("threshold:knock_at=11", ["knock_at=11", "from 0 to 10 points"]),
        ("threshold:knock_at=-1", ["knock_at=-1", "from 0 to 10 points"]),
        ("threshold:knock_at=two", ['knock_at="two"', "a whole number"]),
        ("threshold:knock_at=2.5", ['knock_at="2.5"', "a whole number"]),
        ("threshold:knock_at=", ['knock_at=""', "a whole number"]),
        ("threshold:knock_at=1,knock_at=1", ['"knock_at" is given twice']),
        ("threshold:knock_at=1,2", ['"2" is not of the form param=value']),
        ("threshold:knock_at", ['"threshold:knock_at"', "such as threshold:knock_at=5"]),
        ("threshold:", ['"threshold:"', "such as threshold:knock_at=5"]),
        ("./nowhere.py", ['no strategy file "./nowhere.py"']),
        ("./nowhere.py:knob=1", ['no strategy file "./nowhere.py"']),
        ("no/such/thing", ['no strategy file "no/such/thing"']),
    ],
)
def test_error_names_the_part_that_is_wrong_and_what_is_allowed(text: str, told: list[str]) -> None:
    with pytest.raises(StrategyError) as caught:
        parse_spec(text)
    for words in told:
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("slope=nan", "slope=nan"),
        ("slope=inf", "slope=inf"),
        ("slope=steep", "a number"),
        ("bold=perhaps", "yes or no"),
        ("knob=1e1", "a whole number"),
    ],
)
def test_values_of_no_use_are_refused(value: str, told: str, tmp_path: Path) -> None:
    path = write_player(tmp_path, "kinds")
    with pytest.raises(StrategyError, match=told):
        parse_spec(f"{path}:{value}")


# --- files


def test_file_plays_like_a_name_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write_player(tmp_path, "my_bot", knock="return view.deadwood <= p.knob")
    spec = parse_spec("./my_bot.py:knob=2")
    assert spec.text == "./my_bot.py:knob=2"
    assert spec.sources == (("my_bot.py", path.read_text(encoding="utf-8")),)
    assert [_knocks(bind(spec), deadwood) for deadwood in (2, 3)] == [True, False]
    strategy = strategy_of(spec)
    assert about(strategy).startswith("A player made for a test.")
    assert list(params_of(strategy)) == ["knob", "slope", "bold"]


def test_folder_and_file_may_have_a_colon_in_their_names(tmp_path: Path) -> None:
    path = write_player(tmp_path / "a:b", "bot")
    assert parse_spec(str(path)).text == str(path)
    assert parse_spec(f"{path}:knob=3").params == (("knob", 3),)


def test_edited_file_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)  # an old .pyc of the same second must not be taken
    paths, answers = [], []
    for limit in (4, 3, 2):
        paths.append(write_player(tmp_path, "edited", knock=f"return view.deadwood <= {limit}"))
        answers.append(_knocks_plainly(paths[-1], 3))
    assert answers == [True, True, False]


def test_local_helper_is_part_of_the_source(tmp_path: Path) -> None:
    path = write_player(tmp_path, "helped", imports="import helped_limits")
    (tmp_path / "helped_limits.py").write_text("from helped_numbers import FOUR\n", encoding="utf-8")
    (tmp_path / "helped_numbers.py").write_text("FOUR = 4\n", encoding="utf-8")
    first = parse_spec(str(path))
    assert [name for name, _ in first.sources] == ["helped.py", "helped_limits.py", "helped_numbers.py"]
    (tmp_path / "helped_numbers.py").write_text("FOUR = 5\n", encoding="utf-8")
    assert parse_spec(str(path)).sha != first.sha


def test_edited_helper_is_read_anew(tmp_path: Path) -> None:
    path = write_player(tmp_path, "lean", imports="import lean_on", knock="return view.deadwood <= lean_on.LIMIT")
    answers = []
    for limit in (4, 3):
        (tmp_path / "lean_on.py").write_text(f"LIMIT = {limit}  {'#' * limit}\n", encoding="utf-8")
        answers.append(_knocks_plainly(path, 4))
    assert answers == [True, False]


def test_files_in_two_folders_have_each_their_own_helper(tmp_path: Path) -> None:
    answers = []
    for limit in (4, 3):
        folder = tmp_path / str(limit)
        knock = "return view.deadwood <= LIMIT"
        path = write_player(folder, "twin", imports="from twin_limit import LIMIT", knock=knock)
        (folder / "twin_limit.py").write_text(f"LIMIT = {limit}\n", encoding="utf-8")
        answers.append(_knocks_plainly(path, 4))
    assert answers == [True, False]


@pytest.mark.parametrize("files", [["__init__", "limits"], ["limits"]], ids=["package", "plain folder"])
def test_helper_in_a_local_folder_is_part_of_the_source(files: list[str], tmp_path: Path) -> None:
    folder = f"packed_{len(files)}"
    path = write_player(tmp_path, "packed", imports=f"from {folder}.limits import LIMIT", knock="return LIMIT > 3")
    (tmp_path / folder).mkdir()
    for name in files:
        (tmp_path / folder / f"{name}.py").write_text("LIMIT = 4\n", encoding="utf-8")
    first = parse_spec(str(path))
    assert _knocks_plainly(path, 0)
    (tmp_path / folder / "limits.py").write_text("LIMIT = 3\n", encoding="utf-8")
    assert parse_spec(str(path)).sha != first.sha
    assert not _knocks_plainly(path, 0)


@pytest.mark.parametrize(
    "imports", ["from strategies.simple import take_upcard as simple_take", "from strategies import simple"]
)
def test_imported_project_strategy_is_part_of_the_source(imports: str, tmp_path: Path) -> None:
    spec = parse_spec(str(write_player(tmp_path, "heir", imports=imports)))
    names = [name for name, _ in spec.sources]
    assert (
        {"heir.py", "strategies/simple.py"}
        <= set(names)
        <= {"heir.py", "strategies/simple.py", "strategies/__init__.py"}
    )
    assert dict(spec.sources)["strategies/simple.py"] == file_of("simple").read_text(encoding="utf-8")


def test_file_named_like_the_strategy_it_imports_keeps_both_sources(tmp_path: Path) -> None:
    path = write_player(tmp_path, "simple", imports="from strategies.simple import take_upcard as simple_take")
    texts = {text for _, text in parse_spec(str(path)).sources}
    assert {path.read_text(encoding="utf-8"), file_of("simple").read_text(encoding="utf-8")} <= texts


def test_copy_of_a_project_strategy_plays_from_anywhere(tmp_path: Path) -> None:
    copy = tmp_path / "copied_threshold.py"
    shutil.copy(file_of("threshold"), copy)
    assert [_knocks(bind(parse_spec(f"{copy}:knock_at=4")), deadwood) for deadwood in (4, 5)] == [True, False]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("X = 1\ndef f(:\n    pass\n", ":2: invalid syntax"),
        ("X = 1\n\n1 / 0\n", ":3: ZeroDivisionError: division by zero"),
        ("import no_such_module_at_all\n", ":1: ModuleNotFoundError"),
        ("from sim.api import Strategy\nSTRATEGY = Strategy()\n", ":2: TypeError"),
        ("import sys\nsys.exit(3)\n", ":2: SystemExit"),
    ],
    ids=["syntax", "raises", "import", "fields missing", "exits"],
)
def test_broken_file_is_told_with_file_and_line(text: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StrategyError) as caught:
        parse_spec(str(path))
    assert f"{path}{where}" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "X = 1\n", "STRATEGY = 5\n"])
def test_file_without_a_strategy_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "empty.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StrategyError, match="STRATEGY = Strategy") as caught:
        parse_spec(str(path))
    assert str(path) in str(caught.value)


def test_file_that_is_not_text_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "bytes.py"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StrategyError, match=r"bytes\.py.*cannot be read"):
        parse_spec(str(path))


def test_specs_are_plain_data_that_can_be_compared_and_kept() -> None:
    one, other = parse_spec("threshold:knock_at=3"), parse_spec("threshold:knock_at=4")
    assert one != other
    assert {one: 1}[parse_spec("threshold:knock_at=3")] == 1
    assert isinstance(one, StrategySpec)


def _knocks(strategy: BoundStrategy, deadwood: int) -> bool:
    """Ask whether a strategy knocks with so many points of deadwood."""
    view = make_view(deadwood=deadwood, knock_limit=10)
    view.params[: len(strategy.params)] = strategy.params  # type: ignore[attr-defined]  # behind the view
    return bool(strategy.should_knock(view))


def _knocks_plainly(path: Path, deadwood: int) -> bool:
    """Ask the same of a file's plain function: what would be compiled, without leaving it in the disk cache."""
    strategy = strategy_of(parse_spec(str(path)))
    return bool(strategy.should_knock(make_view(deadwood=deadwood, knock_limit=10), strategy.params()))


def test_simulator_beside_a_strategy_file_is_no_part_of_it(tmp_path: Path) -> None:
    """A file in the folder of the project itself, where ``sim`` lies."""
    (tmp_path / "sim").mkdir()
    (tmp_path / "sim" / "api.py").write_text("raise ImportError\n", encoding="utf-8")
    spec = parse_spec(str(write_player(tmp_path, "my_bot")))
    assert [name for name, _ in spec.sources] == ["my_bot.py"]
    assert strategy_of(spec).name
