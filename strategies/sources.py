"""The source of a strategy: its file and every project or local module it imports, transitively, and their sha."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
SHA_DIGITS = 12


def collect_sources(path: Path) -> tuple[tuple[str, str], ...]:
    """Return (file name, text) of a strategy file and of the modules beside it that it imports, sorted by name.

    The simulator itself is not included: it is named by the engine version and fingerprint of a run. Raises
    SyntaxError if a file cannot be parsed.
    """
    found: dict[str, str] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file.name in found:
            continue
        text = file.read_text(encoding="utf-8")
        found[file.name] = text
        waiting += _imported_files(ast.parse(text, str(file)), file.parent)
    return tuple(sorted(found.items()))


def _imported_files(tree: ast.Module, folder: Path) -> Iterator[Path]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module or ''}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            yield from _file_of(name, folder)


def _file_of(module: str, folder: Path) -> Iterator[Path]:
    """Yield the file of a module that lies beside the importing one or among the project's strategies."""
    package, _, stem = module.strip(".").rpartition(".")
    home = HERE if package == "strategies" else folder if not package else None
    if home is not None and (home / f"{stem}.py").is_file():
        yield home / f"{stem}.py"


def sources_sha(sources: tuple[tuple[str, str], ...]) -> str:
    """Return the hex digits that name these sources."""
    digest = hashlib.sha256()
    for name, text in sources:
        digest.update(f"{name}\0{text}\0".encode())
    return digest.hexdigest()[:SHA_DIGITS]
