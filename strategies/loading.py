"""Running the file of a strategy from its collected text: what is hashed and kept is what plays.

Modules beside the file come from the same text and are private to it: two strategies may each have a ``tools.py``, and
an edited one is read anew in the same process.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType


class _TextImporter(MetaPathFinder, Loader):
    """Imports modules from text: `sources` maps paths relative to `folder` to their text."""

    def __init__(self, sources: Mapping[str, str], folder: Path) -> None:
        self._sources, self._folder = sources, folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module among the sources."""
        stem = fullname.replace(".", "/")
        for name in (f"{stem}.py", f"{stem}/__init__.py"):
            if name in self._sources:
                is_package = name.endswith("__init__.py")
                return importlib.util.spec_from_loader(fullname, self, origin=name, is_package=is_package)
        if any(name.startswith(f"{stem}/") for name in self._sources):
            return ModuleSpec(fullname, None, is_package=True)  # a folder without __init__.py
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's text; tracebacks show the file it came from."""
        assert module.__spec__ is not None and module.__spec__.origin is not None
        self.run(module, module.__spec__.origin)

    def run(self, module: ModuleType, name: str) -> None:
        """Run the text of a source file as a module."""
        file = str(self._folder / name)
        module.__file__ = file
        exec(compile(self._sources[name], file, "exec"), module.__dict__)  # what an import does with a file

    def modules(self) -> list[str]:
        """Return the names under which the sources can be imported."""
        stems = [name.removesuffix(".py").removesuffix("/__init__") for name in self._sources]
        folders = {str(folder) for stem in stems for folder in Path(stem).parents if str(folder) != "."}
        return [name.replace("/", ".") for name in [*stems, *sorted(folders)]]


def run_sources(sources: Mapping[str, str], path: Path, sha: str) -> ModuleType:
    """Run a strategy file, whose text and local modules are `sources`, and return its module.

    Whatever the file raises goes through.
    """
    # The name holds the sha, and the module is listed before it runs: Numba looks it up when it loads the compiled
    # code in a later process.
    name = f"strategy_file_{path.stem}_{sha}"
    module = ModuleType(name)
    importer = _TextImporter(sources, path.parent)
    sys.modules[name] = module
    try:
        with _importing(importer):
            importer.run(module, path.name)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextmanager
def _importing(importer: _TextImporter) -> Iterator[None]:
    """Let imports find the importer's modules first, and forget these modules afterwards."""
    hidden = {name: sys.modules.pop(name) for name in importer.modules() if name in sys.modules}
    sys.meta_path.insert(0, importer)
    try:
        yield
    finally:
        sys.meta_path.remove(importer)
        for name in importer.modules():
            sys.modules.pop(name, None)
        sys.modules.update(hidden)
