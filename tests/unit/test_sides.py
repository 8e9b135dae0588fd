"""Text becomes a side: one player, or with partners two with a slash between, whatever slashes are in their paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from strategies.registry import StrategyError, parse_side, parse_spec
from tests.support.strategy_files import write_player


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with players a and b in folders named ``bots`` and, like a strategy, ``greedy``."""
    monkeypatch.chdir(tmp_path)
    for folder in ("bots", "greedy", "."):
        for name in ("a", "b"):
            write_player(tmp_path / folder, name)
    return tmp_path


def players(text: str) -> list[str]:
    """Return the texts of the players of a side of partners."""
    side = parse_side(text, partners=True)
    assert side.text == "/".join(player.text for player in side.players)
    assert side.players == tuple(parse_spec(player.text) for player in side.players)
    return [player.text for player in side.players]


def split(first: str, second: str) -> tuple[str, list[str]]:
    """Return the text of two players of a side, and the two."""
    return f"{first}/{second}", [first, second]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("greedy", ["greedy"]),
        ("threshold:knock_at=3", ["threshold:knock_at=3"]),
        split("greedy", "simple"),
        split("gin-only", "random"),
        split("threshold:knock_at=3", "simple"),
        split("simple", "threshold:knock_at=3"),
        split("threshold:knock_at=3", "threshold:knock_at=4"),
        (" greedy / simple ", ["greedy", "simple"]),
        ("threshold:knock_at=03/greedy", ["threshold:knock_at=3", "greedy"]),
    ],
)
def test_a_side_of_partners_is_one_or_two_names(text: str, expected: list[str]) -> None:
    assert players(text) == expected


@pytest.mark.parametrize("text", ["greedy/greedy", "threshold:knock_at=3/threshold:knock_at=03", "./a.py/./a.py"])
@pytest.mark.usefixtures("here")
def test_the_same_player_twice_is_one(text: str) -> None:
    assert parse_side(text, partners=True) == parse_side(players(text)[0], partners=True)
    assert len(players(text)) == 1


FILES = [
    "a.py",
    "./a.py",
    "bots/a.py",
    "./bots/a.py",
    "greedy/a.py",
    "./greedy/a.py",
    "HERE/bots/a.py",
    "./bots/../a.py",
]
"""Paths to a file, in a plain folder, in one named like a strategy, absolute."""


@pytest.mark.parametrize("params", ["", ":knob=3", ":knob=3,slope=0.25"])
@pytest.mark.parametrize("path", FILES)
def test_one_file_is_one_player(path: str, params: str, here: Path) -> None:
    text = path.replace("HERE", str(here)) + params
    assert players(text) == [text]
    assert parse_side(text, partners=True) == parse_side(text, partners=False)


@pytest.mark.parametrize("params", ["", ":knob=3"])
@pytest.mark.parametrize("path", FILES)
def test_file_and_name_are_two_players_in_either_order(path: str, params: str, here: Path) -> None:
    text = path.replace("HERE", str(here)) + params
    for other in ("simple", "threshold:knock_at=3"):
        assert players(f"{text}/{other}") == [text, other]
        assert players(f"{other}/{text}") == [other, text]


@pytest.mark.parametrize("params", ["", ":knob=3"])
@pytest.mark.parametrize("path", FILES)
def test_two_files_are_two_players(path: str, params: str, here: Path) -> None:
    first = path.replace("HERE", str(here)) + params
    second = first.replace("a.py", "b.py")
    assert players(f"{first}/{second}") == [first, second]


@pytest.mark.parametrize("text", ["greedy/simple", "threshold:knock_at=3/simple", "a.py/b.py"])
@pytest.mark.usefixtures("here")
def test_without_partners_a_slash_belongs_to_a_path(text: str) -> None:
    with pytest.raises(StrategyError):
        parse_side(text, partners=False)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("greedy/thresold", 'no strategy "thresold".*Did you mean "threshold"'),
        ("nobody/greedy", 'no strategy "nobody"'),
        ("greedy/./nowhere.py", 'no strategy file "./nowhere.py"'),
        ("greedy/threshold:knock_at=11", "knock_at=11"),
        ("threshold:knob=1/greedy", '"knob"'),
        ("greedy/", "greedy/"),
        ("/greedy", "/greedy"),
        ("/", "/"),
        ("", 'no strategy ""'),
        ("greedy/simple/random", "greedy/simple/random"),
    ],
)
def test_what_is_no_side_is_refused_by_name(text: str, told: str) -> None:
    with pytest.raises(StrategyError, match=told):
        parse_side(text, partners=True)
