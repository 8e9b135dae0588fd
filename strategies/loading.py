"""Running the file of a strategy from its collected text: what is hashed and kept is what plays.

All modules of one strategy live in a private package named after the sha of their sources. So two strategies may each
have a ``tools.py``, an edited one is read anew in the same process, and Numba finds the modules by name when it loads
their compiled code in a later process.
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
    """Imports modules from text: `sources` maps file names, relative to `folder`, to their text.

    Under its own name a source is found as ``<package>.<name>``; under its bare name, as strategies write it, the same
    module is found again.
    """

    def __init__(self, sources: Mapping[str, str], folder: Path, package: str) -> None:
        self._sources, self._folder, self._package = sources, folder, package

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module among the sources; folders without ``__init__.py`` are packages too."""
        if fullname == self._package:
            return importlib.util.spec_from_loader(fullname, self, is_package=True)
        stem = fullname.removeprefix(f"{self._package}.").replace(".", "/")
        for name in (f"{stem}.py", f"{stem}/__init__.py"):
            if name in self._sources:
                is_package = name.endswith("__init__.py")
                return importlib.util.spec_from_loader(fullname, self, origin=name, is_package=is_package)
        if any(name.startswith(f"{stem}/") for name in self._sources):
            return importlib.util.spec_from_loader(fullname, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return the private module for a bare name; a private one is made as usual."""
        if self._is_private(spec.name):
            return None
        return importlib.import_module(f"{self._package}.{spec.name}")

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's text, once; tracebacks show the file it came from."""
        spec = module.__spec__
        assert spec is not None
        if spec.origin is None or not self._is_private(spec.name):
            return
        module.__file__ = str(self._folder / spec.origin)
        # What an import does with a file, with the file's own __future__ imports and not this one's.
        exec(compile(self._sources[spec.origin], module.__file__, "exec", dont_inherit=True), module.__dict__)

    def _is_private(self, name: str) -> bool:
        return name == self._package or name.startswith(f"{self._package}.")

    def bare_names(self) -> list[str]:
        """Return the names under which strategies import the sources."""
        stems = [name.removesuffix(".py").removesuffix("/__init__") for name in self._sources]
        folders = {str(folder) for stem in stems for folder in Path(stem).parents if str(folder) != "."}
        return [name.replace("/", ".") for name in [*stems, *sorted(folders)]]


def run_sources(sources: Mapping[str, str], main: str, folder: Path, sha: str) -> ModuleType:
    """Run the source named `main`, and what it imports of the others, and return its module.

    `folder` is where the sources came from, for messages. Whatever the file raises goes through.
    """
    package = f"strategy_{sha}"
    importer = _TextImporter(sources, folder, package)
    try:
        with _importing(importer):
            return importlib.import_module(f"{package}.{main.removesuffix('.py').replace('/', '.')}")
    except BaseException:
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]
        raise


@contextmanager
def _importing(importer: _TextImporter) -> Iterator[None]:
    """Let imports find the importer's modules first; afterwards forget their bare names."""
    hidden = {name: sys.modules.pop(name) for name in importer.bare_names() if name in sys.modules}
    sys.meta_path.insert(0, importer)
    try:
        yield
    finally:
        sys.meta_path.remove(importer)
        for name in importer.bare_names():
            sys.modules.pop(name, None)
        sys.modules.update(hidden)
