"""Fresh Python processes for tests: a private copy of the simulator with a private cache of compiled code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGES = ("sim", "strategies")

TINY_MATCH = """
import hashlib, json
import numpy as np
from sim.batch.fingerprint import IMPROVER, STOCK_DRAWER
from sim.decisions import bind_strategy
from sim.match import block_kernel, new_desk, line_up
from sim.rows import DEAL_ROW, MATCH_ROW
from sim.rules import Rules

a, b = (bind_strategy(player, "tiny", {}) for player in (STOCK_DRAWER, IMPROVER))
desk = new_desk(Rules(), 3, (a.params, b.params))
matches, deals = np.zeros(4, MATCH_ROW).view(np.recarray), np.zeros(400, DEAL_ROW).view(np.recarray)
with np.errstate(over="ignore"):
    state, pairs, used = block_kernel()(line_up(a, b), desk, 0, matches, deals, True)
digest = hashlib.sha256(matches.tobytes() + deals[:used].tobytes()).hexdigest()
print(json.dumps([int(state), int(pairs), int(used), digest]))
"""
"""Two duplicate pairs between the players of the engine fingerprint; prints how it went and a checksum of the rows."""

SOLVE_AND_SCORE = """
import json
from sim.cards import parse_hand
from sim.melds import deadwood
from sim.rules import Rules
from sim.evening import read_evening, score_evening
from sim.solve import best_discard, showdown

ten = parse_hand("4C 4D 4H AS 2D 3C 5S 9H QD KC")
knocker = parse_hand("3C 4C 5C 3D 4D 5D 3H 4H 5H AS")
defender = parse_hand("8C QC KC 2C AD 3S 6S 8D TD TH")
sheet = score_evening(read_evening(["A 30", "B 20", "A 80"]), Rules()).document()
print(json.dumps({
    "deadwood": [int(deadwood(hand)) for hand in (ten, knocker, defender)],
    "discard": best_discard(parse_hand("AC 5C AD 6D 4H 5H 6H 3S 4S 5S 6S")),
    "spread": showdown(knocker, defender, Rules()).spread,
    "net": sheet["settlement"][0]["net"],
}))
"""
"""Answers of small compiled functions, each of which calls into other files: meld tables, layoffs, the sheet."""

NAME_VERSIONS = """
import json
from strategies.registry import MODULES, parse_spec

print(json.dumps({name: parse_spec(name).sha for name in MODULES}))
"""
"""Prints the sha of every registered strategy, which is part of the name of its compiled code."""

ASK_FILE = """
import json, sys
from sim.view import make_view
from strategies.registry import bind, parse_spec

player = bind(parse_spec(sys.argv[1]))
print(json.dumps([bool(player.should_knock(make_view(deadwood=points, knock_limit=10))) for points in range(11)]))
"""
"""Asks the strategy of a file whether it knocks with 0, 1, .. 10 points; prints the eleven answers."""


@dataclass(frozen=True)
class Laboratory:
    """A private copy of the simulator's packages, and a private cache."""

    home: Path
    cache: Path

    @classmethod
    def build(cls, folder: Path) -> Laboratory:
        """Copy the packages of the project."""
        for package in PACKAGES:
            shutil.copytree(ROOT / package, folder / "home" / package, ignore=shutil.ignore_patterns("__pycache__"))
        return cls(folder / "home", folder / "cache")

    def run(self, code: str, *arguments: str, compiled: bool = True) -> Any:
        """Run code in a new process and return the JSON it prints."""
        environment = {**os.environ, "PYTHONPATH": str(self.home), "NUMBA_CACHE_DIR": str(self.cache)}
        environment["NUMBA_DISABLE_JIT"] = "0" if compiled else "1"
        command = [sys.executable, "-W", "ignore", "-c", code, *arguments]
        done = subprocess.run(command, cwd=self.home, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def replace(self, file: str, old: str, new: str) -> None:
        """Edit one place of a file of the copy."""
        path = self.home / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{file} holds {text.count(old)} times: {old}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def compiled_files(self) -> dict[str, int]:
        """Return the files of compiled code in the cache, and when each was last written."""
        return {path.relative_to(self.cache).as_posix(): path.stat().st_mtime_ns for path in self.cache.rglob("*.nbc")}
