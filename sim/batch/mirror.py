"""A run kept on another file system (s3://, gs://, anything fsspec knows), through a folder of this machine.

What is written goes to the local folder first and then to the remote one, file by file. The remote folder has the same
files as a local run, but for parts.jsonl: objects cannot be appended to, so there each finished part has a line of its
own in ``lines/``. Which run a local folder mirrors is noted in it, in remote.json.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.batch.lines import LINES, PARTS
from sim.batch.part_lines import append_line

NOTE = "remote.json"


class RemoteError(RuntimeError):
    """A remote folder that cannot be reached, read or written; the message names it and what is wrong."""


class Mirror:
    """The remote twin of a local run folder."""

    def __init__(self, local: Path, url: str) -> None:
        self.url = url.rstrip("/")
        self._local = local
        self._system, self._root = _open(self.url)

    @classmethod
    def of(cls, local: Path) -> Mirror | None:
        """Return the mirror that a local folder has, if any."""
        url = mirrored_at(local)
        return None if url is None else cls(local, url)

    def put(self, name: str) -> None:
        """Copy a file of the local folder to the remote one."""
        self._write(self._system.put_file, name, str(self._local / name), f"{self._root}/{name}")

    def put_line(self, line: Mapping[str, Any]) -> None:
        """Write the line of a finished part."""
        name = f"{LINES}/part-{line['part']:06d}.json"
        self._write(self._system.pipe_file, name, f"{self._root}/{name}", json.dumps(line).encode())

    def sizes(self) -> dict[str, int]:
        """Return the size of every file there is, by its name inside the folder."""
        self._system.invalidate_cache()
        found = self._do("read", self._system.find, self._root, detail=True)
        return {name[len(self._root) + 1 :]: int(entry["size"] or 0) for name, entry in found.items()}

    def fetch(self, *, parts: bool, anew: bool = False) -> None:
        """Bring the run to the local folder: all of it, or with `parts` off what it takes to go on with it.

        Files of rows that are here with the right size are not fetched again, unless `anew` asks for the very bytes
        that are there. Raises `RemoteError` when there is no run.
        """
        sizes = self.sizes()
        if "manifest.json" not in sizes:
            raise RemoteError(f"{self.url}: no run there (no manifest.json)")
        if anew:
            shutil.rmtree(self._local)
            note_mirror(self._local, self.url)
        wanted = [name for name in sizes if not name.startswith(f"{LINES}/")]
        if not parts:
            wanted = [name for name in wanted if not name.endswith(".parquet")]
        for name in wanted:
            self._get(name, sizes[name])
        self._fetch_lines(sizes)

    def _get(self, name: str, size: int) -> None:
        file = self._local / name
        if name.endswith(".parquet") and file.is_file() and file.stat().st_size == size:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        self._do("read", self._system.get_file, f"{self._root}/{name}", str(file))

    def _fetch_lines(self, sizes: Mapping[str, int]) -> None:
        """Write parts.jsonl anew from the lines of the finished parts."""
        names = sorted(name for name in sizes if name.startswith(f"{LINES}/"))
        found = self._do("read", self._system.cat, [f"{self._root}/{name}" for name in names]) if names else {}
        (self._local / PARTS).write_text("", encoding="utf-8")
        for _, content in sorted(found.items()):
            append_line(self._local, json.loads(content))

    def _write(self, work: Any, name: str, *arguments: Any) -> None:
        """Write a file; where there are folders (sftp has some, s3 none) its own is made if it is missing."""

        def write() -> None:
            """Write, and once more after making the folder."""
            try:
                work(*arguments)
            except FileNotFoundError:
                self._system.makedirs(f"{self._root}/{name}".rpartition("/")[0], exist_ok=True)
                work(*arguments)

        self._do("written", write)

    def _do(self, what: str, work: Any, *arguments: Any, **options: Any) -> Any:
        """Do something remote; what the library raises for a missing bucket, no rights or no network is told."""
        try:
            return work(*arguments, **options)
        except Exception as error:  # every file system raises its own
            raise RemoteError(f"{self.url} cannot be {what}: {type(error).__name__}: {error}") from error


def _open(url: str) -> tuple[Any, str]:
    """Return the file system of a URL and the folder in it."""
    try:
        import fsspec

        system, root = fsspec.core.url_to_fs(url)
    except ImportError as error:
        told = "pip install 'hollywood-gin-lab[remote]'"
        raise RemoteError(f"{url}: this needs a library that is not installed ({error}): {told}") from error
    except ValueError as error:
        raise RemoteError(f"{url}: {error}") from error
    return system, str(root).rstrip("/")


def mirrored_at(local: Path) -> str | None:
    """Return the URL that a local folder is the twin of, if any."""
    note = local / NOTE
    return str(json.loads(note.read_text(encoding="utf-8"))["url"]) if note.is_file() else None


def note_mirror(local: Path, url: str) -> None:
    """Make a local folder the twin of a remote one."""
    local.mkdir(parents=True, exist_ok=True)
    (local / NOTE).write_text(json.dumps({"url": url.rstrip("/")}) + "\n", encoding="utf-8")
