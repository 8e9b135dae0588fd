"""A run folder made of dice: plausible sheets without a card, for tests of `analysis` and `reports`.

Each deal is three dice that belong to the seats, so that both legs of a pair, and all pairings, see the same
luck; a player's numbers decide what the dice mean. A player against himself splits every pair, as in the real
engine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from sim.batch.schema import SCHEMA_VERSION, arrow_table
from sim.rows import MATCH_ROW, N_COLUMNS, NEVER, NOBODY, TIE
from sim.rules import Rules, preset_rules

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.void]
GIN, KNOCK, UNDERCUT = range(3)


@dataclass(frozen=True)
class Player:
    """One made-up player: how often he scores a deal, and how his scored deals end (shares of them)."""

    spec: str
    skill: float = 0.0
    gin: float = 0.1
    undercut: float = 0.1


@dataclass(frozen=True)
class Setup:
    """What a synthetic run is made of; `pairings` None means a round robin of the players."""

    players: Sequence[Player]
    pairs: int = 40
    part_pairs: int = 16
    preset: str = "hollywood"
    seed: int = 7
    dead: float = 0.02
    status: str = "complete"
    pairings: Sequence[tuple[str, str]] | None = None
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def rules(self) -> Rules:
        """Return the rules of the run; only target and columns matter to the dice."""
        return preset_rules(self.preset, self.options)

    def meetings(self) -> list[tuple[Player, Player]]:
        """Return the pairings in the order of play."""
        if self.pairings is None:
            return list(combinations(self.players, 2))
        known = {player.spec: player for player in self.players}
        return [(known[a], known[b]) for a, b in self.pairings]


def build_run(folder: Path, setup: Setup) -> Path:
    """Write a run folder of dice matches and return it; the same setup gives the same bytes."""
    (folder / "matches").mkdir(parents=True)
    lines = [json.dumps(line) for line in _write_parts(folder, setup)]
    (folder / "parts.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (folder / "spec.toml").write_text(_spec_text(setup))
    (folder / "manifest.json").write_text(json.dumps(_manifest(folder.name, setup), indent=2))
    return folder


def _write_parts(folder: Path, setup: Setup) -> Iterator[dict[str, object]]:
    """Write every part file and yield its line of parts.jsonl."""
    number = 0
    for a, b in setup.meetings():
        for first in range(0, setup.pairs, setup.part_pairs):
            pairs = min(setup.part_pairs, setup.pairs - first)
            rows = play((a, b), setup, first, pairs)
            name = f"matches/part-{number:06d}.parquet"
            table = arrow_table("matches", rows, (a.spec, b.spec), {"schema_version": str(SCHEMA_VERSION)})
            pq.write_table(table, folder / name, compression="zstd", compression_level=1)
            sha = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            yield {
                "part": number, "a": a.spec, "b": b.spec, "first_pair": first, "pairs": pairs,
                "matches": {"file": name, "rows": len(rows), "sha256": sha}, "deals": None,
                "seconds": 0.5, "deals_played": int(rows["deals_played"].sum()),
            }  # fmt: skip
            number += 1


def play(players: tuple[Player, Player], setup: Setup, first_pair: int, pairs: int) -> Rows:
    """Play a block of duplicate pairs with dice: `MATCH_ROW` records, shape (2 * pairs,), by pair and leg."""
    rng = np.random.default_rng([setup.seed, first_pair])
    rows = np.zeros(2 * pairs, MATCH_ROW)
    rows["pair"] = first_pair + np.repeat(np.arange(pairs), 2)
    rows["leg"] = np.tile([0, 1], pairs)
    rows["first_dealer"] = np.repeat(rng.integers(0, 2, pairs), 2) ^ rows["leg"]
    rows["column_winner"] = NOBODY
    rows["column_opened"] = NEVER
    rows["column_closed"] = NEVER
    deal = 0
    while len(live := np.flatnonzero((rows["column_winner"][:, : setup.rules.columns] == NOBODY).any(axis=1))):
        dice = np.repeat(rng.random((4, pairs)), 2, axis=1)[:, live]
        block = rows[live]
        _one_deal(block, players, setup, dice, deal)
        rows[live] = block
        deal += 1
    _finish(rows)
    return rows


def _one_deal(rows: Rows, players: tuple[Player, Player], setup: Setup, dice: Floats, deal: int) -> None:
    """Play deal number `deal` of every row; `dice` has shape (4, n_rows): scorer, ending, points, dead."""
    scorer, ending, points = _outcome(rows["leg"].astype(np.int64), players, dice)
    rows["deals_played"] += 1
    dead = dice[3] < setup.dead
    rows["walls"] += dead
    for side in (0, 1):
        won = ~dead & (scorer == side)
        rows["deals_won"][:, side] += won
        rows["deal_points"][:, side] += np.where(won, points, 0).astype(np.uint32)
        rows["gins"][:, side] += won & (ending == GIN)
        rows["knocks"][:, side] += won & (ending == KNOCK)
        rows["knocks"][:, 1 - side] += won & (ending == UNDERCUT)
        rows["undercuts"][:, side] += won & (ending == UNDERCUT)
        _enter(rows, won, side, points, (setup.rules, deal))


def _outcome(leg: Ints, players: tuple[Player, Player], dice: Floats) -> tuple[Ints, Ints, Ints]:
    """Return who scores each deal, how it ends and its points, all of shape (n_rows,)."""
    lead = players[0].skill - players[1].skill
    seat0_leads = np.clip(np.where(leg == 0, lead, -lead), -500, 500)  # exp overflows beyond 709
    scorer = (dice[0] >= 1 / (1 + np.exp(-seat0_leads))).astype(np.int64) ^ leg
    gin = np.array([p.gin for p in players])[scorer]
    undercut = np.array([p.undercut for p in players])[scorer]
    ending = np.where(dice[1] < gin, GIN, np.where(dice[1] > 1 - undercut, UNDERCUT, KNOCK))
    tail = -np.log1p(-dice[2])
    points = np.select([ending == GIN, ending == UNDERCUT], [25 + 12 * tail, 10 + 5 * tail], 1 + 12 * tail)
    return scorer, ending, points.astype(np.int64)


def _enter(rows: Rows, won: npt.NDArray[np.bool_], side: int, points: Ints, when: tuple[Rules, int]) -> None:
    """Enter the deals that one side won on its sheets, by the carry rule."""
    rules, deal = when
    first_unopened = won.copy()
    for column in range(rules.columns):
        is_open = rows["column_winner"][:, column] == NOBODY
        opened = rows["column_opened"][:, column, side] != NEVER
        opens = first_unopened & is_open & ~opened
        first_unopened &= ~opens
        enters = won & is_open & (opened | opens)
        rows["column_opened"][opens, column, side] = deal
        rows["column_boxes"][:, column, side] += enters
        rows["column_points"][:, column, side] += np.where(enters, points, 0).astype(np.uint16)
        closes = enters & (rows["column_points"][:, column, side] >= rules.target)
        rows["column_winner"][closes, column] = side
        rows["column_closed"][closes, column] = deal


def _finish(rows: Rows) -> None:
    """Fill in who won each match, and its settlement."""
    columns = np.stack([(rows["column_winner"] == side).sum(axis=1) for side in (0, 1)])
    rows["match_winner"] = np.where(columns[0] == columns[1], TIE, columns[1] > columns[0])
    points = rows["column_points"].astype(np.int64)
    rows["settlement"] = (points[:, :, 0] - points[:, :, 1]).sum(axis=1)
    assert rows["column_winner"].shape[1] == N_COLUMNS


def _manifest(run_id: str, setup: Setup) -> dict[str, object]:
    return {
        "schema_version": SCHEMA_VERSION,
        "run_id": run_id,
        "spec_hash": hashlib.sha256(_spec_text(setup).encode()).hexdigest(),
        "engine_version": "0.1.0",
        "fingerprint": "0" * 12,
        "versions": {"python": "3.11.9", "numba": "0.62.0", "numpy": "2.1.0"},
        "cpu": "dice", "host": "table", "argv": ["hollywood", "tournament", *(p.spec for p in setup.players)],
        "status": setup.status,
        "started": "2026-11-29T20:44:00Z",
        "finished": None if setup.status == "running" else "2026-11-29T20:45:10Z",
    }  # fmt: skip


def _spec_text(setup: Setup) -> str:
    """Write the specification as TOML; JSON literals of these values are TOML literals too."""
    lines = [
        f"seed = {setup.seed}",
        f"pairs = {setup.pairs}",
        'detail = "matches"',
        f'preset = "{setup.preset}"',
    ]
    lines += ["", "[rules]", *(f"{name} = {json.dumps(v)}" for name, v in setup.rules.options().items())]
    for player in setup.players:
        sha = hashlib.sha256(player.spec.encode()).hexdigest()
        name, _, params = player.spec.partition(":")
        lines += ["", "[[strategies]]", f'spec = "{player.spec}"', f'name = "{name}"', f'sha = "{sha}"']
        lines += ["[strategies.params]", *(f"{p.replace('=', ' = ')}" for p in params.split(",") if p)]
    for a, b in setup.meetings():
        lines += ["", "[[pairings]]", f'a = "{a.spec}"', f'b = "{b.spec}"']
    return "\n".join(lines) + "\n"
