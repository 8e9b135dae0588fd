"""The one way in: one run folder or several become a report, as an HTML page or as a folder of Markdown."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from analysis import Run, load_run
from reports import markdown
from reports.page import Page, compose, render
from reports.several import compose_several


class ReportError(ValueError):
    """A report that cannot be made as asked; the message is one line naming the path and what is wrong with it."""


def page_of(run_paths: Sequence[Path]) -> Page:
    """Return the page of one run, or of several; the same for the same runs.

    Raises `analysis.RunError` naming the run that cannot be read, `ReportError` if one is named twice.
    """
    runs = [load_run(path) for path in run_paths]
    if len(runs) == 1:
        return compose(runs[0])
    _refuse_twice(runs)
    return compose_several(runs)


def _refuse_twice(runs: Sequence[Run]) -> None:
    """Raise `ReportError` if one run is there twice, under whatever name, or with a copy of it."""
    seen: dict[object, Run] = {}
    for run in runs:
        same = run.manifest["run_id"], run.manifest.get("started"), run.manifest.get("spec_hash")
        for mark in (run.path.resolve(), same):
            if mark in seen:
                other = seen[mark].path
                also = f"{run.path} is named twice" if other == run.path else f"{other} and {run.path} are the same run"
                raise ReportError(f"{also}; name each run once")
            seen[mark] = run


def name_of(run_paths: Sequence[Path]) -> str:
    """Return what the report of several runs is called unless told otherwise: the same for the same runs."""
    names = "\n".join(str(load_run(path).run_id) for path in run_paths)
    return f"report-of-{len(run_paths)}-runs-{hashlib.sha256(names.encode()).hexdigest()[:6]}"


def write_html(page: Page, target: Path) -> Path:
    """Write a page as one HTML file and return its path; it appears at once and whole, or not at all.

    Raises `ReportError` where it cannot lie there, OSError when it cannot be written; so does `write_markdown`.
    """
    _refuse_target(target)
    if target.is_dir():
        raise ReportError(f"{target} is a folder; name an HTML file")
    html = render(page)
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


def write_markdown(page: Page, target: Path) -> Path:
    """Write a page as a folder of Markdown, pictures and data, and return the path of its text.

    The folder appears whole, or not at all; an earlier report in it is replaced, anything else refused.
    """
    folder = target.resolve()
    _refuse_target(target)
    if Path.cwd().is_relative_to(folder):
        raise ReportError(f"{target} is the current folder or has it inside; name a new folder")
    if target.exists() and not _is_report(target):
        raise ReportError(f"{target} is there already and is no report; name a new folder")
    temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        _write_files(temporary / "new", markdown.files_of(page))
        _put_in_place(temporary, folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return target / markdown.TEXT_FILE


def _put_in_place(temporary: Path, folder: Path) -> None:
    """Move the new report out of a temporary folder, and an earlier one into it; it comes back if the new one fails."""
    new, old = temporary / "new", temporary / "old"
    try:
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    except BaseException:
        if old.exists():
            old.rename(folder)
        raise


def _write_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    folder.mkdir()
    for name, content in files:
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)


def _refuse_target(target: Path) -> None:
    """Raise `ReportError` if the folder that a report is to lie in is not there."""
    if not target.parent.is_dir():
        raise ReportError(f"{target.parent} is no folder, so {target.name} cannot be written there")


def _is_report(target: Path) -> bool:
    """Tell whether a folder is empty, or holds what `write_markdown` writes and nothing else."""
    if not target.is_dir():
        return False
    found = {path.name for path in target.iterdir()}
    return found <= {markdown.TEXT_FILE, markdown.PICTURES, markdown.DATA} and (
        not found or markdown.TEXT_FILE in found
    )


def _as_others_are(file: Path) -> None:
    """Give a temporary file, made for its owner alone, the rights that new files have here."""
    mask = os.umask(0)
    os.umask(mask)
    file.chmod(0o666 & ~mask)
