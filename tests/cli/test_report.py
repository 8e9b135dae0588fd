"""`hollywood report`: what it writes and where, and what it says of runs that it cannot report."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Hollywood
from tests.support.synthetic_run import Player, Setup, build_run

GREEDY, SIMPLE = Player("greedy", 0.4), Player("simple")
SETUPS = {
    "ten": Setup((GREEDY, SIMPLE), pairs=50, part_pairs=64),
    "other": Setup((GREEDY, SIMPLE), pairs=1, options={"undercut_bonus": 25}),
    "mirror": Setup((GREEDY,), pairs=1, pairings=[("greedy", "greedy")]),
    "trio": Setup((GREEDY, SIMPLE, Player("gin-only")), pairs=2, preset="three-handed"),
    "unfinished": Setup((GREEDY, SIMPLE), pairs=1, status="interrupted"),
}
OF_TWO = r"report-of-2-runs-[0-9a-f]{6}"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("built")
    for name, setup in SETUPS.items():
        build_run(home / name, setup)
    return home


@pytest.fixture
def here(built: Path, tmp_path: Path) -> Path:
    """Return the folder that the command works in, with copies of all runs in runs/."""
    shutil.copytree(built, tmp_path / "runs")
    return tmp_path


def damage(run: Path, how: str) -> Path:
    """Make a run one that cannot be reported; return it."""
    manifest = run / "manifest.json"
    if how == "nothing finished":
        (run / "parts.jsonl").write_text("")
    elif how == "older schema":
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "schema_version": 1}))
    elif how == "newer schema":
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "schema_version": 99}))
    elif how == "no manifest":
        manifest.unlink()
    elif how == "a part cut short":
        part = next((run / "matches").glob("*.parquet"))
        part.write_bytes(part.read_bytes()[:100])
    return run


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("run", ["other", "mirror", "trio"])
def test_a_page_goes_into_the_run_folder(run: str, hollywood: Hollywood, here: Path) -> None:
    said = hollywood("report", f"runs/{run}")
    assert (said.code, said.out, said.err) == (0, f"report  runs/{run}/report.html\n", "")
    assert "<h1>" in (here / "runs" / run / "report.html").read_text(encoding="utf-8")


def test_markdown_goes_into_a_folder_of_its_own_there(hollywood: Hollywood, here: Path) -> None:
    said = hollywood("report", "ten", "--format", "md")
    assert (said.code, said.out, said.err) == (0, "report  runs/ten/report/report.md\n", "")
    folder = here / "runs" / "ten" / "report"
    written = files_in(folder)
    assert {"report.md", "figures/ladder.png", "data/standings.csv"} <= written
    linked = re.findall(r"\]\(([^)#]+)\)", (folder / "report.md").read_text(encoding="utf-8"))
    assert written == {"report.md", *linked}


def test_markdown_written_again_is_the_same(hollywood: Hollywood, here: Path) -> None:
    written = []
    for _ in range(2):
        assert hollywood("report", "trio", "--format", "md", "--out", "x").code == 0
        written.append({name: (here / "x" / name).read_bytes() for name in files_in(here / "x")})
    assert written[0] == written[1]


def test_several_runs_make_one_page_in_the_current_folder(hollywood: Hollywood, here: Path) -> None:
    said = hollywood("report", "unfinished", "runs/other")
    assert said.code == 0, said.err
    name = re.fullmatch(rf"report  ({OF_TWO}\.html)\n", said.out)
    assert name
    page = (here / name[1]).read_text(encoding="utf-8")
    for told in ("The runs at a glance", "What the rules change", "Run 1: greedy v simple", "Run 2: greedy v simple"):
        assert told in page
    assert not (here / "runs" / "other" / "report.html").exists()


def test_several_runs_of_any_kinds_as_markdown(hollywood: Hollywood, here: Path) -> None:
    said = hollywood("report", "mirror", "trio", "unfinished", "other", "--format", "md", "--out", "all")
    assert (said.code, said.out, said.err) == (0, "report  all/report.md\n", "")
    text = (here / "all" / "report.md").read_text(encoding="utf-8")
    assert [f"## Run {number}: " in text for number in range(1, 6)] == [True] * 4 + [False]
    assert "> **Not finished.** Run 3: This run is interrupted" in text


def test_out_names_the_file(hollywood: Hollywood, here: Path) -> None:
    said = hollywood("report", "trio", "--out", "x.html")
    assert (said.code, said.out) == (0, "report  x.html\n")
    assert not (here / "runs" / "trio" / "report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["ten", "ten"], "runs/ten is named twice; name each run once"),
        (["ten", "./runs/ten"], "name each run once"),
        (["ten", "nowhere"], 'no run "nowhere"; name a run folder'),
        (["nowhere", "ten", "--format", "md"], 'no run "nowhere"; name a run folder'),
        ([""], 'no run ""; name a run folder'),
        (["ten", "advice"], "advice is a folder of hollywood tips, which are no run: report it alone"),
        (["ten", "."], "manifest.json: missing, so this is not a run folder"),
        (["ten", "--format", "pdf"], "'pdf' is not one of 'html', 'md'"),
        (["other", "--out", "runs"], "runs is a folder; name an HTML file"),
        (["other", "--out", "no/x.html"], "no is no folder"),
        (["other", "--format", "md", "--out", "runs"], "runs is there already and is no report"),
        (["other", "--format", "md", "--out", "no/x"], "no is no folder"),
        (["other", "--format", "md", "--out", "."], ". is the current folder or has it inside"),
        (["other", "--out", ""], "the name is empty"),
    ],
    ids=lambda told: " ".join(told) if isinstance(told, list) else "",
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: list[str], named: str, hollywood: Hollywood, here: Path
) -> None:
    (here / "advice").mkdir()
    (here / "advice" / "tips.json").write_text("{}")
    before = files_in(here)
    said = hollywood("report", *arguments)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert named in said.err
    assert len(said.err.splitlines()) <= 2
    assert files_in(here) == before


@pytest.mark.parametrize("among", ["alone", "with another"])
@pytest.mark.parametrize(
    ("how", "named"),
    [
        ("nothing finished", "no part is finished yet, so there is nothing to analyse"),
        ("older schema", "schema version 1 is older than this program reads"),
        ("newer schema", "schema version 99 is newer than this program reads"),
        ("no manifest", "manifest.json: missing"),
        ("a part cut short", "runs/other"),
    ],
)
def test_a_run_that_cannot_be_read_is_named_with_the_reason(
    how: str, named: str, among: str, hollywood: Hollywood, here: Path
) -> None:
    damage(here / "runs" / "other", how)
    before = files_in(here)
    said = hollywood("report", "runs/other", *(["runs/ten"] if among != "alone" else []))
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: runs/other")
    assert named in said.err
    assert len(said.err.splitlines()) == 1
    assert files_in(here) == before


def test_a_folder_that_cannot_be_written_is_a_failure(
    hollywood: Hollywood, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.mkdtemp", lambda **_: (_ for _ in ()).throw(OSError(28, "No space left", "runs")))
    said = hollywood("report", "other", "--format", "md")
    assert (said.code, said.out) == (1, "")
    assert "No space left" in said.err


def test_a_report_is_no_damage_to_a_run(hollywood: Hollywood, here: Path) -> None:
    assert hollywood("report", "trio", "--format", "md").code == 0
    assert "trio" in hollywood("runs", "list").out
    assert hollywood("runs", "show", "trio").code == 0


class Kept:
    """A folder on another file system that only notes what is copied to it."""

    url = "s3://bucket/trio"

    def __init__(self) -> None:
        self.names: list[str] = []

    def put(self, name: str) -> None:
        self.names.append(name)


def test_a_report_is_copied_to_where_its_run_is_kept(
    hollywood: Hollywood, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Kept()
    monkeypatch.setattr("sim.batch.mirror.Mirror.of", lambda _: kept)
    assert hollywood("report", "trio").out.endswith("copied to s3://bucket/trio/report.html\n")
    assert hollywood("report", "trio", "--format", "md").out.endswith("copied to s3://bucket/trio/report/report.md\n")
    folder = here / "runs" / "trio" / "report"
    assert kept.names == ["report.html", *sorted(f"report/{name}" for name in files_in(folder))]
    for elsewhere in (["trio", "--out", "x.html"], ["trio", "other"]):
        assert "copied" not in hollywood("report", *elsewhere).out
