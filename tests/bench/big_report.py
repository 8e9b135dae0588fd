"""Time and memory of the report on 100 million deal rows: ``python -m tests.bench.big_report [FOLDER] [PAIRS]``.

The run is played once (a good minute on two cores, 0.8 GB on disk) and kept in FOLDER, so that a second call only makes
the report, in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from analysis import load_run

PAIRS = 3_500_000
"""Duplicate pairs of greedy and simple: 100.1 million deals."""


def main() -> None:
    """Play the run unless it is there, make its report, and print how long that took and how much memory."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "hollywood-big-run"
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else PAIRS
    if not folder.exists():
        _hollywood("simulate", "greedy", "simple", "--pairs", str(pairs), "--detail", "deals", "--seed", "7",
                   "--out", str(folder), "--quiet")  # fmt: skip
    deals = sum(part.deals_played for part in load_run(folder).parts)
    begun = time.monotonic()
    peak = _hollywood("report", str(folder))
    seconds = time.monotonic() - begun
    print(f"{deals:,} deal rows, {os.cpu_count()} cores: report in {seconds:.1f} s, at most {peak:.0f} MB resident")


def _hollywood(*words: str) -> float:
    """Run a command in a process of its own and return the most memory it had resident, in MB."""
    child = subprocess.Popen([sys.executable, "-m", "cli.main", *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"hollywood {words[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss / 1024


if __name__ == "__main__":
    main()
