"""The one way in: a run folder becomes a report page."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from analysis import load_run
from reports.page import compose, render


def write_report(run_path: Path, out: Path | None = None) -> Path:
    """Write the report page of a run and return its path, by default ``report.html`` in the run folder.

    The file appears at once and whole, or not at all. The same run gives the same bytes. Raises
    `analysis.RunError` when the run cannot be read, OSError when the page cannot be written.
    """
    target = out or run_path / "report.html"
    html = render(compose(load_run(run_path)))
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(html)
        _as_others_are(Path(temporary))
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return target


def _as_others_are(file: Path) -> None:
    """Give a temporary file, made for its owner alone, the rights that new files have here."""
    mask = os.umask(0)
    os.umask(mask)
    file.chmod(0o666 & ~mask)
