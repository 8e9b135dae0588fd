"""The source of a strategy: its file and every project or local module it imports, transitively, and their sha."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
SHA_DIGITS = 12


def collect_sources(path: Path) -> tuple[tuple[str, str], ...]:
    """Return (name, text) of a strategy file and of all modules it imports from its folder or the project, sorted.

    Names are paths relative to the file's folder, or ``strategies/...`` for the project's own. The simulator itself
    is not included: the engine version and fingerprint of a run name it. Raises SyntaxError if a file cannot be
    parsed.
    """
    found: dict[str, str] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        name = name_of(file, path.parent)
        if name in found:
            continue
        found[name] = file.read_text(encoding="utf-8")
        waiting += _imported_files(ast.parse(found[name], str(file)), file.parent, path.parent)
    return tuple(sorted(found.items()))


def name_of(file: Path, folder: Path) -> str:
    """Return the name under which a file is collected: relative to the strategy's folder, or ``strategies/...``."""
    if file.is_relative_to(HERE):
        return str(Path("strategies") / file.relative_to(HERE))
    return str(file.relative_to(folder)) if file.is_relative_to(folder) else file.name


def _imported_files(tree: ast.Module, here: Path, folder: Path) -> Iterator[Path]:
    """Yield the local files that a module imports; `here` is its own folder, `folder` the strategy's."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files_of(alias.name, folder)
        elif isinstance(node, ast.ImportFrom):
            base = here if node.level else folder
            for _ in range(node.level - 1):
                base = base.parent
            module = node.module or ""
            for name in (module, *(f"{module}.{alias.name}".strip(".") for alias in node.names)):
                yield from _files_of(name, base)


def _files_of(module: str, folder: Path) -> Iterator[Path]:
    """Yield the file of a module, and of the packages around it, as far as they lie in the folder or the project."""
    parts = module.split(".") if module else []
    if parts[:1] == ["sim"]:  # beside a file in the project's own folder, but never a part of the strategy
        return
    if parts[:1] == ["strategies"]:
        parts, folder = parts[1:], HERE
    for count in range(1, len(parts) + 1):
        place = folder.joinpath(*parts[:count])
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file():
                yield file


def sources_sha(sources: tuple[tuple[str, str], ...]) -> str:
    """Return the hex digits that name these sources."""
    digest = hashlib.sha256()
    for name, text in sources:
        digest.update(f"{name}\0{text}\0".encode())
    return digest.hexdigest()[:SHA_DIGITS]
