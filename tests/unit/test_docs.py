"""The pages of docs/ say what the code says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from cli.main import COMMANDS
from sim.presets import PRESETS
from sim.rules import OPTIONS
from strategies.registry import MODULES

ROOT = Path(__file__).parents[2]
GENERATE: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "generate.py"))


@pytest.mark.parametrize("page", GENERATE["GENERATED"])
def test_generated_tables_are_up_to_date(page: str) -> None:
    """`make docs` refreshes them."""
    assert (ROOT / "docs" / page).read_text(encoding="utf-8") == GENERATE["refreshed"](page)


def test_every_rule_option_and_preset_is_documented() -> None:
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert [name for name in [*OPTIONS, *PRESETS] if f"`{name}`" not in page] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_readme_shows_every_command(command: str) -> None:
    assert f"hollywood {command}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_readme_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "strategies" / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_changelog_names_every_strategy() -> None:
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in MODULES)


def test_strategy_in_the_guide_plays(tmp_path: Path) -> None:
    from experiments.simulate import Request, make_plan, simulate
    from sim.batch.runner import Watch

    guide = (ROOT / "strategies" / "README.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    file = tmp_path / "patient.py"
    file.write_text(source, encoding="utf-8")
    plan = make_plan(Request([f"{file}:knock_at=4", "greedy"], pairs=5, seed=1))
    assert simulate(plan, tmp_path / "run", 1, Watch()).deals > 50
