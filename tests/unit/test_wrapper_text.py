"""Text such as ``marjj+on-schneid:k=2`` becomes a wrapped player: forms, files, sources, and what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from experiments.simulate import Request, RequestError, make_plan
from sim.api import Layer, Wrapper
from sim.batch.spec import read_plan
from strategies.registry import (
    WRAPPERS,
    StrategyError,
    effective_params,
    file_of,
    layers_of,
    parse_side,
    parse_spec,
    strategy_of,
)
from strategies.sources import sources_sha
from tests.support.strategy_files import write_player
from tests.support.strategy_runs import plan_of, run_into
from tests.support.wrapper_files import WRAPPED, write_wrapper

FIELDS = ("x: float = 0.0", "y: int = 1")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder that holds ``my_bot.py`` and the wrapper ``my_wrap.py``."""
    monkeypatch.chdir(tmp_path)
    write_player(tmp_path, "my_bot")
    write_wrapper(tmp_path, "my_wrap", fields=FIELDS)
    return tmp_path


# --- forms


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("marjj+on_schneid:k=2", "marjj+on-schneid:k=2"),
        ("marjj+on-schneid:k=2", "marjj+on-schneid:k=2"),
        ("  greedy+safe_count ", "greedy+safe-count"),
        ("threshold:knock_at=07+on-schneid:knock_at=3,k=+1", "threshold:knock_at=7+on-schneid:k=1,knock_at=3"),
        ("greedy+on_schneid+safe_count:low=3+score_shift", "greedy+on-schneid+safe-count:low=3+score-shift"),
        ("princeton:scale=1e+1+on-schneid", "princeton:scale=10.0+on-schneid"),
        ("greedy+./my_wrap.py:x=1e+5,y=+2", "greedy+./my_wrap.py:x=100000.0,y=2"),
        ("greedy+my_wrap.py", "greedy+my_wrap.py"),
        ("./my_bot.py+on_schneid:k=1", "./my_bot.py+on-schneid:k=1"),
        ("my_bot.py+./my_wrap.py:y=3+on-schneid", "my_bot.py+./my_wrap.py:y=3+on-schneid"),
    ],
)
@pytest.mark.usefixtures("here")
def test_text_has_one_normal_form(typed: str, text: str) -> None:
    spec = parse_spec(typed)
    assert spec.text == text
    assert parse_spec(text) == spec


@pytest.mark.parametrize("spec", WRAPPED)
def test_every_wrapper_goes_around_every_strategy(spec: str) -> None:
    base, _, wrapper = spec.partition("+")
    assert [layer.player.name for layer in layers_of(parse_spec(spec))] == [base, wrapper]


def test_layers_come_in_the_order_written_with_the_parameters_given() -> None:
    layers = layers_of(parse_spec("threshold:knock_at=3+safe-count+on-schneid:k=1"))
    assert [(layer.player.name, layer.values) for layer in layers] == [
        ("threshold", {"knock_at": 3}),
        ("safe-count", {}),
        ("on-schneid", {"k": 1}),
    ]
    assert all(isinstance(layer, Layer) for layer in layers)
    assert [isinstance(layer.player, Wrapper) for layer in layers] == [False, True, True]
    assert strategy_of(parse_spec("threshold+on-schneid")).name == "threshold"


def test_order_of_wrappers_makes_another_player() -> None:
    assert parse_spec("greedy+on-schneid+safe-count") != parse_spec("greedy+safe-count+on-schneid")


def test_parameters_of_a_wrapper_bear_its_name() -> None:
    spec = parse_spec("threshold:knock_at=3+on-schneid:knock_at=7")
    assert spec.params == (("knock_at", 3), ("on-schneid.knock_at", 7))
    assert effective_params(spec) == {"knock_at": 3, "on-schneid.k": 2, "on-schneid.knock_at": 7}


# --- files and sources


def test_sources_of_player_and_wrapper_are_kept_together(here: Path) -> None:
    spec = parse_spec("./my_bot.py+./my_wrap.py")
    assert spec.sources == tuple((name, (here / name).read_text("utf-8")) for name in ("my_bot.py", "my_wrap.py"))
    names = [name for name, _ in parse_spec("greedy+on-schneid").sources]
    assert {"strategies/greedy.py", "strategies/on_schneid.py", "strategies/tools.py"} <= set(names)
    assert sources_sha(spec.sources) == spec.sha


@pytest.mark.parametrize("edited", ["my_bot.py", "my_wrap.py"])
def test_sha_changes_with_the_source_of_either(edited: str, here: Path) -> None:
    before = parse_spec("./my_bot.py+./my_wrap.py").sha
    with (here / edited).open("a", encoding="utf-8") as file:
        file.write("# edited\n")
    assert parse_spec("./my_bot.py+./my_wrap.py").sha != before


def test_layers_are_run_from_the_sources_of_the_spec(here: Path) -> None:
    spec = parse_spec("./my_bot.py+./my_wrap.py:y=4")
    for name in ("my_bot.py", "my_wrap.py"):
        (here / name).write_text("1 / 0\n", encoding="utf-8")
    assert [layer.player.name for layer in layers_of(spec)] == ["my_bot", "my_wrap"]
    assert effective_params(spec)["my_wrap.y"] == 4


def test_two_different_files_of_one_name_are_refused(here: Path) -> None:
    write_wrapper(here / "other", "my_bot")
    with pytest.raises(StrategyError, match=r'two different files are called "my_bot\.py"') as caught:
        parse_spec("./my_bot.py+./other/my_bot.py")
    assert "\n" not in str(caught.value)


def test_wrappers_of_one_name_are_refused_wherever_they_lie(here: Path) -> None:
    (here / "copies").mkdir()
    shutil.copy(here / "my_wrap.py", here / "copies" / "my_wrap.py")
    with pytest.raises(StrategyError, match="is there twice"):
        parse_spec("greedy+./my_wrap.py+./copies/my_wrap.py")


def test_wrapper_named_like_a_project_file_keeps_both_sources(here: Path) -> None:
    write_wrapper(here, "greedy")
    names = [name for name, _ in parse_spec("greedy+./greedy.py").sources]
    assert {"greedy.py", "strategies/greedy.py"} <= set(names)


# --- what is refused


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("greedy+on_schneidd", ['no wrapper "on_schneidd"', 'Did you mean "on-schneid"?', *WRAPPERS]),
        ("greedy+marjj", ['no wrapper "marjj"', *WRAPPERS]),
        ("on-schneid", ['"on-schneid" is a wrapper', "greedy+on-schneid"]),
        ("greedy+on-schneid:low=3", ['wrapper "on-schneid" has no parameter "low"; known: k knock_at']),
        ("greedy:k=1+on-schneid", ['strategy "greedy" has no parameter "k"']),
        ("greedy+on-schneid:k=4", ['wrapper "on-schneid"', "k=4", "from 1 to 3 columns"]),
        ("greedy+on-schneid:k=two", ['wrapper "on-schneid"', "a whole number"]),
        ("greedy+on-schneid:k=1,k=1", ['wrapper "on-schneid"', '"k" is given twice']),
        ("greedy+on-schneid:k=1,2", ['wrapper "on-schneid"', '"2" is not of the form param=value']),
        ("greedy+./nowhere.py", ["./nowhere.py"]),
        ("my_wrap.py", ['strategy "my_wrap.py"', 'no line "STRATEGY = Strategy(...)"']),
        ("greedy+my_bot.py", ['wrapper "my_bot.py"', 'no line "WRAPPER = Wrapper(...)"']),
        ("greedy+", ['"greedy+"']),
        ("+on-schneid", ['no strategy ""']),
        ("greedy++on-schneid", ['"greedy+"']),
    ],
)
@pytest.mark.usefixtures("here")
def test_error_names_the_layer_that_is_wrong_and_what_is_allowed(text: str, told: list[str]) -> None:
    with pytest.raises(StrategyError) as caught:
        parse_spec(text)
    for words in told:
        assert words in str(caught.value)
    assert "\n" not in str(caught.value).partition("\n  known:")[0]


# --- partners


@pytest.mark.parametrize(
    ("typed", "players"),
    [
        ("greedy+on-schneid/simple", ["greedy+on-schneid", "simple"]),
        ("simple/greedy+on_schneid:k=1", ["simple", "greedy+on-schneid:k=1"]),
        ("simple+safe-count:low=2/greedy+on-schneid", ["simple+safe-count:low=2", "greedy+on-schneid"]),
        ("greedy+on-schneid/greedy+on_schneid", ["greedy+on-schneid"]),
        ("greedy+my_wrap.py/simple", ["greedy+my_wrap.py", "simple"]),
        ("greedy+on-schneid", ["greedy+on-schneid"]),
    ],
)
@pytest.mark.usefixtures("here")
def test_partners_may_be_wrapped(typed: str, players: list[str]) -> None:
    assert [player.text for player in parse_side(typed, partners=True).players] == players


def test_wrapped_partners_play_a_run_that_is_read_back(tmp_path: Path) -> None:
    sides = ("greedy+on-schneid/simple", "simple")
    plan = make_plan(Request(sides, pairs=2, rules="partnership", seed=1))
    run_into(tmp_path / "run", plan)
    assert read_plan(tmp_path / "run") == plan


# --- known defects


@pytest.mark.parametrize("wrapper", ["on-schneid", "./my_wrap.py"])
@pytest.mark.usefixtures("here")
def test_player_from_a_file_may_have_parameters_and_a_wrapper(wrapper: str) -> None:
    assert parse_spec(f"./my_bot.py:knob=2+{wrapper}").params == (("knob", 2),)


@pytest.mark.parametrize("typed", ["greedy+./my_wrap.py", "greedy+./my_wrap.py/simple", "simple/greedy+./my_wrap.py"])
@pytest.mark.usefixtures("here")
def test_wrapper_of_a_partner_may_be_given_by_path(typed: str) -> None:
    assert "my_wrap" in str(parse_side(typed, partners=True).text)


@pytest.mark.parametrize("typed", ["my+bot.py+on-schneid", "c+dir/bot.py+on-schneid", "greedy+c+dir/my_wrap.py"])
def test_names_of_files_with_wrappers_may_hold_a_plus(typed: str, here: Path) -> None:
    for name in ("my+bot.py", "c+dir/bot.py"):
        (here / name).parent.mkdir(exist_ok=True)
        shutil.copy(file_of("greedy"), here / name)
    write_wrapper(here / "c+dir", "my_wrap")
    assert len(layers_of(parse_spec(typed))) == 2


def test_file_with_a_plus_in_its_name_is_replayed_after_it_has_gone(here: Path) -> None:
    shutil.copy(file_of("greedy"), here / "my+bot.py")
    spec = parse_spec("./my+bot.py")
    (here / "my+bot.py").unlink()
    assert len(layers_of(spec)) == 1


@pytest.mark.usefixtures("here")
def test_number_may_begin_with_a_plus_and_a_point() -> None:
    assert effective_params(parse_spec("greedy+./my_wrap.py:x=+.5"))["my_wrap.x"] == 0.5


def test_one_wrapper_twice_is_refused() -> None:
    with pytest.raises(StrategyError, match='wrapper "on-schneid" is there twice'):
        parse_spec("greedy+on-schneid:k=1+on_schneid:k=3")


def test_twins_in_a_round_robin_are_noticed_behind_a_wrapper_too() -> None:
    with pytest.raises(RequestError, match="same player"):
        plan_of("threshold+on-schneid", "threshold:knock_at=5+on-schneid", "simple")
