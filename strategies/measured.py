"""The measured strength and speed of the project's players, as `make validate` last wrote them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).parent / "measured.toml"


def measured() -> dict[str, Any]:
    """Return what measured.toml holds; ``players`` is empty where nothing was measured."""
    if not MEASURED.is_file():
        return {"players": {}}
    return tomllib.loads(MEASURED.read_text(encoding="utf-8"))
