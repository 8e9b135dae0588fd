"""What the functions for people refuse."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cli.texts.sheets import sheet_text
from experiments.recording import default_folder
from sim.api import best_discard, best_spreads, deadwood_many, parse_hand
from sim.cards import CardError
from sim.evening import read_evening, score_evening
from sim.presets import preset_rules
from tests.support.strategy_runs import plan_of

ROOT = Path(__file__).parents[2]


def test_more_than_eleven_cards_are_no_hand() -> None:
    with pytest.raises(CardError, match="at most 11"):
        best_spreads((1 << 32) - 1)


@pytest.mark.parametrize("hand", ["AC 2C 3C", "AC 2C 3C 4C 5C 6C 7C 8C 9C TC"])
def test_discard_is_made_from_eleven_cards(hand: str) -> None:
    with pytest.raises(CardError, match="from 11 cards"):
        best_discard(parse_hand(hand))


@pytest.mark.parametrize("hands", [[-1], [1.5], ["AC"]])
def test_only_whole_numbers_from_0_are_hands(hands: list[object]) -> None:
    with pytest.raises(ValueError, match="whole numbers"):
        deadwood_many(np.array(hands))


def test_sheet_shows_a_column_closed_to_a_player_only_when_he_has_the_target_himself() -> None:
    lines = ["A 100", "A 100", "B 100", "B 40", "B 60"]
    text = sheet_text(score_evening(read_evening(lines), preset_rules("hollywood", {"closing": "player"})))
    rows = [line.split() for line in text.splitlines()[2:7]]
    assert rows[2] == ["3", "B", "100", "=100", ".", "."]
    assert rows[3] == ["4", "B", "40", "--", "40", "."]
    assert rows[4] == ["5", "B", "60", "--", "=100", "60"]


def test_two_runs_of_one_second_get_folders_of_their_own(tmp_path: Path) -> None:
    plan = plan_of("greedy", "simple", pairs=1, seed=1)
    folders = {default_folder(plan, tmp_path) for _ in range(3)}
    assert len(folders) == 3


def test_cache_that_cannot_be_written_is_replaced_for_this_process_and_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "file")}
    code = "from sim import jit; print(jit.CACHE_DIR)"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, cwd=ROOT, check=True)
    assert "cannot be written" in done.stderr
    folder = Path(done.stdout.strip())
    assert tmp_path not in folder.parents
    assert not folder.exists()  # gone with its process
