"""Playing what the tips need: ordinary run folders side by side, each played once, however many tips ask for it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from experiments.recording import Target, new_folder, refuse_other
from experiments.resume import plan_to_resume, resume
from experiments.simulate import Request, RequestError, Workers, make_plan, simulate
from experiments.tips.claims import TIPS
from experiments.tips.tip import Meeting, Tip
from sim.batch.plan import Plan
from sim.batch.provenance import now
from sim.batch.runner import Watch
from sim.batch.status import COMPLETE, RUNNING
from sim.batch.store import MANIFEST, FolderInUse, StoreError, read_manifest, write_text
from sim.hints import did_you_mean
from sim.presets import choose_rules
from sim.rules import TWO_HANDED

TIPS_FILE = "tips.json"
TIPS_VERSION = 1
DEFAULT_PAIRS, DEFAULT_RULES = 30_000, ("hollywood", "hollywood-003")
"""The rules most sources agree on, and those of source 003, which most of the tips are from."""
DEALS_SHARE = 2
"""A meeting that keeps a row a deal plays one of so many pairs."""


@dataclass(frozen=True)
class Asked:
    """What a user asks for: duplicate pairs of each meeting, seed, rules (presets or files), and names of tips.

    No names mean all tips.
    """

    pairs: int
    seed: int
    rules: tuple[str, ...] = DEFAULT_RULES
    only: tuple[str, ...] = ()

    @property
    def tips(self) -> tuple[Tip, ...]:
        """Return the tips to test, in the order of the list; raises `RequestError` for an unknown name."""
        known = [tip.name for tip in TIPS]
        for name in self.only:
            if name not in known:
                raise RequestError(f'no tip "{name}".{did_you_mean(name, known)} Known: {" ".join(known)}')
        return tuple(tip for tip in TIPS if tip.name in (self.only or known))

    def rules_of(self, tip: Tip) -> tuple[str, ...]:
        """Return the rules under which a tip is tested."""
        return self.rules[:1] if tip.first_rules_only else self.rules

    @property
    def again(self) -> list[str]:
        """Return the command that plays all this again."""
        chosen = () if self.rules == DEFAULT_RULES else self.rules
        words = ["hollywood", "tips", *(word for name in self.only for word in ("--only", name))]
        return [*words, "--pairs", str(self.pairs), "--seed", str(self.seed), *_options("--rules", chosen)]


def _options(option: str, values: Sequence[str]) -> list[str]:
    return [word for value in values for word in (option, value)]


@dataclass(frozen=True)
class Planned:
    """A run that is needed: its rules as they were asked for, who meets, the plan, and the name of its folder."""

    rules: str
    meeting: Meeting
    plan: Plan
    folder: str


def draw_up(asked: Asked) -> list[Planned]:
    """Return the runs that the tips need, each once, strategies compiled.

    Raises `RequestError` for an unknown tip and rules that no tip is about, else as `experiments.simulate.make_plan`.
    """
    wanted = [(rules, meeting) for tip in asked.tips for rules in asked.rules_of(tip) for meeting in meetings_of(tip)]
    for rules in asked.rules:
        _refuse_other_games(rules)
    return [_planned(asked, rules, meeting) for rules, meeting in dict.fromkeys(wanted)]


def meetings_of(tip: Tip) -> list[Meeting]:
    """Return who has to meet for a tip, each once."""
    return list(dict.fromkeys(meeting for m in tip.measurements for meeting in m.meetings))


def _refuse_other_games(text: str) -> None:
    rules = choose_rules(text).rules
    if rules.form != TWO_HANDED or rules.columns != 3 or rules.knock_limit == 0:
        raise RequestError(f'rules "{text}": the tips are about two players, three columns, and knocking')


def _planned(asked: Asked, rules: str, meeting: Meeting) -> Planned:
    pairs = max(asked.pairs // DEALS_SHARE, 1) if meeting.deals else asked.pairs
    detail = "deals" if meeting.deals else "matches"
    request = Request((meeting.a, meeting.b), pairs, None, rules, dict(meeting.options), asked.seed, detail)
    plan = make_plan(request)
    names = [Path(rules).stem, *(f"{name}-{value}" for name, value in meeting.options), _short(meeting.a)]
    names += [] if meeting.a == meeting.b else ["v", _short(meeting.b)]
    slug = re.sub("[^A-Za-z0-9=.-]+", "-", "-".join(names))[:80]
    return Planned(rules, meeting, plan, f"{slug}-{plan.spec_hash()[:6]}")


def without_folders(player: str) -> str:
    """Return the text of a player with its files named without their folders."""
    return re.sub(r"[^+]*/", "", player)


def _short(player: str) -> str:
    return without_folders(player).replace(".py", "")


def play_tips(
    planned: Sequence[Planned], folder: Path, workers: Workers, advance: Callable[[int, int], None],
    tell: Callable[[int], None],
) -> None:  # fmt: skip
    """Play the runs into a folder, those that are complete excepted; `tell` hears the place of the next one.

    On KeyboardInterrupt what is finished stays, and the exception goes on. Raises, before anything is played,
    `experiments.recording.CannotResume` if another engine played one of them, else as `experiments.simulate.simulate`
    and `experiments.resume.plan_to_resume`.
    """
    for run in planned:
        if (folder / run.folder / MANIFEST).is_file():
            refuse_other(folder / run.folder, read_manifest(folder / run.folder), run.plan)
    for place, run in enumerate(planned):
        tell(place)
        path, watch = folder / run.folder, Watch(advance)
        if not (path / MANIFEST).is_file():
            simulate(run.plan, Target(_free(path)), workers, watch)
        elif read_manifest(path)["status"] == COMPLETE:
            advance(run.plan.total_pairs(), 0)
        else:
            resume(path, plan_to_resume(path), (workers, watch))


def _free(path: Path) -> Path:
    """Return the folder, after what a run that never became one has left there was put aside."""
    number = 1
    while path.exists():
        number += 1
        aside = path.with_name(f"{path.name}.broken-{number}")
        if not aside.exists():
            path.rename(aside)
    return path


def start_folder(asked: Asked, out: Path | None, root: Path) -> Path:
    """Make the folder of tips, `out` or a new one in `root`, and note in it what was asked.

    Raises `sim.batch.store.FolderInUse` if something is there, `StoreError` if it cannot be made.
    """
    try:
        if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise FolderInUse(f'"{out}" is there already: name a new folder, or go on with --resume')
        folder = out or new_folder(root, "tips")
        folder.mkdir(parents=True, exist_ok=True)
        write_document(folder, {**head(asked), "status": RUNNING, "started": now()})
    except OSError as error:
        raise StoreError(f"{out or root} cannot be written: {error.strerror or error}") from error
    return folder


def head(asked: Asked) -> dict[str, Any]:
    """Return what tips.json keeps of the question."""
    return {"schema_version": TIPS_VERSION, "kind": "tips", **asdict(asked), "again": asked.again}


def write_document(folder: Path, document: dict[str, Any]) -> None:
    """Write tips.json in one go."""
    write_text(folder / TIPS_FILE, json.dumps(document, indent=1, allow_nan=False) + "\n")


def read_asked(folder: Path) -> tuple[Asked, str]:
    """Return what was asked of a folder of tips, and when; raises `StoreError` if it is none."""
    file = folder / TIPS_FILE
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        if kept["schema_version"] != TIPS_VERSION:
            raise ValueError(f"schema version {kept['schema_version']}, this program writes {TIPS_VERSION}")
        return Asked(kept["pairs"], kept["seed"], tuple(kept["rules"]), tuple(kept["only"])), str(kept["started"])
    except FileNotFoundError:
        raise StoreError(f"{file}: missing, so this is not the folder of hollywood tips") from None
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise StoreError(f"{file}: not the state of tips ({error})") from error
