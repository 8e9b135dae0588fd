"""The settings of a sweep: ranges, lists, grids, and what is refused."""

from __future__ import annotations

import pytest

from experiments.arms import MOST_ARMS, make_arms
from experiments.simulate import RequestError
from strategies.lookup import StrategyError
from strategies.registry import effective_params, parse_spec
from tests.support.strategy_files import write_player


def labels(player: str, *params: str) -> list[str]:
    """Return how the rows of the sweep are named."""
    return [arm.label for arm in make_arms(player, params)]


@pytest.mark.parametrize(
    ("param", "values"),
    [
        ("knock_at=0:10", [str(value) for value in range(11)]),
        ("knock_at=0:10:5", ["0", "5", "10"]),
        ("knock_at=0:10:4", ["0", "4", "8"]),
        ("knock_at=3,1,2", ["3", "1", "2"]),
        (" knock_at = 2 , 4 ", ["2", "4"]),
        ("knock_at= 2 : 4 ", ["2", "3", "4"]),
        ("knock_at=0:1", ["0", "1"]),
        ("threshold.knock_at=0:1", ["0", "1"]),
    ],
)
def test_values_are_those_listed_in_their_order(param: str, values: list[str]) -> None:
    arms = make_arms("threshold:knock_at=7", [param])
    assert [arm.label for arm in arms] == values
    assert [arm.player for arm in arms] == [f"threshold:knock_at={value}" for value in values]


def test_steps_of_fractions_meet_their_values_exactly(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = write_player(tmp_path_factory.mktemp("bots"), "my_bot")
    arms = make_arms(str(path), ["slope=0:1:0.25"])
    assert [effective_params(parse_spec(arm.player))["slope"] for arm in arms] == [0, 0.25, 0.5, 0.75, 1]
    assert labels(str(path), "slope=0:0.3:0.1") == ["0.0", "0.1", "0.2", "0.3"]  # as floats the last would be missed
    assert labels(str(path), "slope=-0.5:0.5:0.5") == ["-0.5", "0.0", "0.5"]
    assert labels(str(path), "slope=1e-1:3e-1:1e-1") == ["0.1", "0.2", "0.3"]
    assert labels(str(path), "bold=yes,no") == ["yes", "no"]


def test_switches_are_listed() -> None:
    arms = make_arms("sigra", ["stubborn=yes,no"])
    assert [arm.player for arm in arms] == ["sigra:stubborn=yes", "sigra:stubborn=no"]


def test_several_parameters_make_a_grid_the_last_running_fastest() -> None:
    arms = make_arms("threshold-by-turn:early=1", ["late=2,0", "early=6:8:2"])
    assert [dict(arm.values) for arm in arms] == [
        {"late": late, "early": early} for late in ("2", "0") for early in ("6", "8")
    ]
    assert [arm.label for arm in arms] == [f"late={late} early={early}" for late in "20" for early in "68"]
    assert arms[1].player == "threshold-by-turn:early=8,late=2"


def test_parameter_that_stays_the_same_may_be_listed_alone() -> None:
    assert len(make_arms("threshold-by-turn", ["early=6:8", "late=3"])) == 3


def test_player_keeps_what_is_not_swept() -> None:
    arms = make_arms("threshold-by-turn:late=1+on-schneid", ["on-schneid.k=1:2"])
    assert [arm.player for arm in arms] == [f"threshold-by-turn:late=1+on-schneid:k={k}" for k in (1, 2)]


@pytest.mark.parametrize(
    ("param", "told"),
    [
        ("knock_at", "is not of the form NAME=LOW:HIGH"),
        ("knock_at=", "is not of the form NAME=LOW:HIGH"),
        ("=1:2", "is not of the form NAME=LOW:HIGH"),
        ("", "is not of the form NAME=LOW:HIGH"),
        ("knock_at=5:1", "must rise"),
        ("knock_at=0:5:0", "must rise"),
        ("knock_at=0:5:-1", "must rise"),
        ("knock_at=a:b", "numbers are wanted"),
        ("knock_at=0:", "numbers are wanted"),
        ("knock_at=:5", "numbers are wanted"),
        ("knock_at=0:5:", "numbers are wanted"),
        ("knock_at=0:1:2:3", "numbers are wanted"),
        ("knock_at=nan:3", "numbers are wanted"),
        ("knock_at=0:nan", "numbers are wanted"),
        ("knock_at=0:3:nan", "numbers are wanted"),
        ("knock_at=0:inf", "numbers are wanted"),
        ("knock_at=-inf:3", "numbers are wanted"),
        ("knock_at=0:3:inf", "numbers are wanted"),
        ("knock_at=0:1000000000", "too many values"),
        ("knock_at=0:1e300", "too many values"),
        ("knock_at=1e999:2e999", "too many values"),
        ("knock_at=0:1:1e-30", "too many values"),
        (f"knock_at=0:{MOST_ARMS}", "too many values"),
        ("knock_at=5", "needs 2 to"),
        ("knock_at=5:5", "needs 2 to"),
        ("knock_at=5,5", "some settings are the same"),
        ("knock_at=5,05", "some settings are the same"),
    ],
)
def test_list_that_makes_no_sweep_is_refused_in_one_short_line(param: str, told: str) -> None:
    with pytest.raises(RequestError) as refused:
        make_arms("threshold", [param])
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 160


@pytest.mark.parametrize("param", ["knock_at=0:11", "knock_at=-1:3", "knock_at=1,,2", "knock_at=0:1:0.5", "knock=1,2"])
def test_value_that_the_player_does_not_allow_is_refused(param: str) -> None:
    with pytest.raises(StrategyError):
        make_arms("threshold", [param])


def test_switch_written_in_two_ways_is_the_same_setting() -> None:
    with pytest.raises(RequestError, match="some settings are the same"):
        make_arms("sigra", ["stubborn=yes,true"])


def test_parameter_given_twice_is_refused() -> None:
    with pytest.raises(RequestError, match='"knock_at" twice'):
        make_arms("threshold", ["knock_at=0:3", " knock_at =4:6"])
    with pytest.raises(RequestError, match="some settings are the same"):
        make_arms("threshold", ["knock_at=0:3", "threshold.knock_at=4:6"])


def test_grid_that_is_too_large_is_refused_at_once() -> None:
    with pytest.raises(RequestError, match=f"2 to {MOST_ARMS} settings; this is {11**4}"):
        make_arms("threshold-by-columns", [f"open{number}=0:10" for number in range(4)])


def test_as_many_settings_as_are_allowed_are_made() -> None:
    listed = ["open0=0:9", "open1=0:9", "open2=0:1"]
    assert len(make_arms("threshold-by-columns", listed)) == MOST_ARMS
