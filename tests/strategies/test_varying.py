"""The text of a player with other parameters: which layer a parameter belongs to, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from strategies.lookup import StrategyError
from strategies.registry import effective_params, names_of, parse_spec
from strategies.varying import vary
from tests.support.strategy_files import write_player
from tests.support.wrapper_files import write_wrapper


@pytest.mark.parametrize(
    ("player", "changes", "varied"),
    [
        ("threshold", {"knock_at": "7"}, "threshold:knock_at=7"),
        ("threshold:knock_at=2", {"knock_at": "7"}, "threshold:knock_at=7"),
        ("threshold:knock_at=2", {"threshold.knock_at": "7"}, "threshold:knock_at=7"),
        ("threshold:knock_at=2", {}, "threshold:knock_at=2"),
        (" threshold: knock_at = 2 ", {"knock_at": " 07 "}, "threshold:knock_at=7"),
        ("threshold-by-turn:late=1", {"early": "9"}, "threshold-by-turn:early=9,late=1"),
        ("threshold-by-turn", {"late": "1", "early": "9"}, "threshold-by-turn:early=9,late=1"),
        ("sigra", {"stubborn": "no"}, "sigra:stubborn=no"),
        ("sigra:stubborn=no", {"stubborn": "TRUE"}, "sigra:stubborn=yes"),
    ],
)
def test_parameter_gets_its_value_and_the_others_keep_theirs(player: str, changes: dict[str, str], varied: str) -> None:
    assert vary(player, changes) == varied


@pytest.mark.parametrize(
    ("player", "changes", "varied"),
    [
        ("greedy+on-schneid", {"k": "2"}, "greedy+on-schneid:k=2"),
        ("greedy+on-schneid", {"on-schneid.k": "2"}, "greedy+on-schneid:k=2"),
        ("greedy+on_schneid", {"on_schneid.k": "2"}, "greedy+on-schneid:k=2"),
        ("threshold:knock_at=3+on-schneid:k=1", {"k": "2"}, "threshold:knock_at=3+on-schneid:k=2"),
        ("threshold:knock_at=3+on-schneid", {"threshold.knock_at": "4"}, "threshold:knock_at=4+on-schneid"),
        (
            "threshold+on-schneid:k=1",
            {"threshold.knock_at": "9", "on-schneid.knock_at": "1"},
            "threshold:knock_at=9+on-schneid:k=1,knock_at=1",
        ),
    ],
)
def test_parameter_of_a_wrapper_goes_to_the_wrapper(player: str, changes: dict[str, str], varied: str) -> None:
    assert vary(player, changes) == varied


def test_parameter_that_several_layers_have_must_be_written_with_its_layer() -> None:
    with pytest.raises(StrategyError) as refused:
        vary("threshold+on-schneid", {"knock_at": "4"})
    assert '"knock_at": write threshold.knock_at or on-schneid.knock_at' in str(refused.value)


@pytest.mark.parametrize(
    ("player", "name", "known"),
    [
        ("threshold", "knock", "known: knock_at"),
        ("threshold", "on-schneid.k", "known: knock_at"),
        ("threshold", "", "known: knock_at"),
        ("threshold", "threshold.", "known: knock_at"),
        ("random", "knock_at", "known: it has none"),
        ("random+on-schneid", "p", "known: on-schneid.k on-schneid.knock_at"),
    ],
)
def test_unknown_parameter_is_refused_with_those_that_are_known(player: str, name: str, known: str) -> None:
    with pytest.raises(StrategyError) as refused:
        vary(player, {name: "1"})
    assert f'no parameter "{name}"' in str(refused.value)
    assert known in str(refused.value)


@pytest.mark.parametrize("value", ["11", "-1", "2.5", "many", "", "1,2", "1,knock_at=2"])
def test_value_that_the_player_does_not_allow_is_refused(value: str) -> None:
    with pytest.raises(StrategyError):
        vary("threshold", {"knock_at": value})


def test_unknown_player_is_refused() -> None:
    with pytest.raises(StrategyError, match="no strategy"):
        vary("thresold", {"knock_at": "1"})


def test_player_from_a_file_keeps_its_path(tmp_path: Path) -> None:
    path = write_player(tmp_path / "my.own players", "my_bot")
    varied = vary(f"{path}:knob=3", {"slope": "-0.25", "bold": "yes"})
    assert varied == f"{path}:knob=3,slope=-0.25,bold=yes"
    assert vary(str(path), {"my_bot.knob": "9"}) == f"{path}:knob=9"
    assert effective_params(parse_spec(varied)) == {"knob": 3, "slope": -0.25, "bold": True}


def test_wrapper_from_a_file_is_called_by_its_name(tmp_path: Path) -> None:
    path = write_wrapper(tmp_path, "too_careful", fields=["limit: int = 0"])
    varied = vary(f"random+{path}", {"too_careful.limit": "1"})
    assert varied == f"random+{path}:limit=1"
    assert names_of(parse_spec(varied)) == ("random", str(path))
