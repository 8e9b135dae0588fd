"""A run folder made of dice: plausible sheets without a card, for tests of `analysis` and `reports`.

Each deal is three dice that belong to the seats, so that both legs of a pair, and all pairings, see the same
luck; a player's numbers decide what the dice mean. A player against himself splits every pair, as in the real
engine. In partnership play a side is one such player, ``A1/A2`` by name, and a round is two deals of his. A
three-handed match is one throw for each seat. A run with `deals` has deal rows too, see `synthetic_deals`; its match
rows are the same as without.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from sim.batch.schema import SCHEMA_VERSION, SIDE_LETTERS, arrow_table, by_field
from sim.presets import preset_rules
from sim.rows import MATCH_ROW, MAX_SIDES, N_COLUMNS, NEVER, NOBODY, TIE, TIE_OF_THREE, Ending
from sim.rules import PARTNERSHIP, Rules
from tests.support.synthetic_deals import DealLog, Outcome

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.void]
Bools = npt.NDArray[np.bool_]
Block = tuple[Rows, Rows | None]
"""The match rows of some pairs, and their deal rows if the run has them."""


@dataclass(frozen=True)
class Player:
    """One made-up player: how often he scores a deal, and how his scored deals end (shares of them)."""

    spec: str
    skill: float = 0.0
    gin: float = 0.1
    undercut: float = 0.1


@dataclass(frozen=True)
class Setup:
    """What a synthetic run is made of; `pairings` None means a round robin of the players, in twos or threes."""

    players: Sequence[Player]
    pairs: int = 40
    part_pairs: int = 16
    preset: str = "hollywood"
    seed: int = 7
    dead: float = 0.02
    status: str = "complete"
    pairings: Sequence[tuple[str, ...]] | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    deals: bool = False

    @property
    def rules(self) -> Rules:
        """Return the rules of the run; only target, columns, closing and who plays matter to the dice."""
        return preset_rules(self.preset, self.options)

    @property
    def table(self) -> str:
        """Return the kind of match files."""
        return "trios" if self.rules.sides == 3 else "matches"

    def meetings(self) -> list[tuple[Player, ...]]:
        """Return the pairings in the order of play."""
        if self.pairings is None:
            return list(combinations(self.players, self.rules.sides))
        known = {player.spec: player for player in self.players}
        return [tuple(known[name] for name in pairing) for pairing in self.pairings]

    def partners(self, side: Player) -> list[str]:
        """Return the strategies of a side."""
        return side.spec.split("/") if self.rules.form == PARTNERSHIP else [side.spec]


def build_run(folder: Path, setup: Setup) -> Path:
    """Write a run folder of dice matches and return it; the same setup gives the same bytes."""
    for table in (setup.table, "deals") if setup.deals else (setup.table,):
        (folder / table).mkdir(parents=True)
    lines = [json.dumps(line) for line in _write_parts(folder, setup)]
    (folder / "parts.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (folder / "spec.toml").write_text(_spec_text(setup))
    (folder / "manifest.json").write_text(json.dumps(_manifest(folder.name, setup), indent=2))
    return folder


def _write_parts(folder: Path, setup: Setup) -> Iterator[dict[str, object]]:
    """Write every part file and yield its line of parts.jsonl."""
    number = 0
    throw = play_trio if setup.rules.sides == 3 else play
    for sides in setup.meetings():
        names = tuple(side.spec for side in sides)
        for first in range(0, setup.pairs, setup.part_pairs):
            pairs = min(setup.part_pairs, setup.pairs - first)
            matches, deals = throw(sides, setup, first, pairs)
            tables = {setup.table: matches} | ({} if deals is None else {"deals": deals})
            yield {
                "part": number, **dict(zip(SIDE_LETTERS, names, strict=False)), "first_pair": first, "pairs": pairs,
                **{kind: _write_table(folder, kind, number, rows, names) for kind, rows in tables.items()},
                "seconds": 0.5, "deals_played": int(matches["deals_played"].sum()),
            }  # fmt: skip
            number += 1


def _write_table(folder: Path, kind: str, number: int, rows: Rows, names: tuple[str, ...]) -> dict[str, object]:
    """Write one file of a part and return what parts.jsonl says of it."""
    name = f"{kind}/part-{number:06d}.parquet"
    table = arrow_table(kind, by_field(kind, rows), names, {"schema_version": str(SCHEMA_VERSION)})
    pq.write_table(table, folder / name, compression="zstd", compression_level=1)
    return {"file": name, "rows": len(rows), "sha256": hashlib.sha256((folder / name).read_bytes()).hexdigest()}


def play(players: tuple[Player, ...], setup: Setup, first_pair: int, pairs: int) -> Block:
    """Play a block of duplicate pairs with dice: `MATCH_ROW` records, shape (2 * pairs,), by pair and leg."""
    rng, rules = np.random.default_rng([setup.seed, first_pair]), setup.rules
    rows = _blank(first_pair, pairs, legs=2)
    rows["first_dealer"] = np.repeat(rng.integers(0, 2, pairs), 2) ^ rows["leg"]
    log = DealLog(rules, rows["first_dealer"], (setup.seed, first_pair), pairs) if setup.deals else None
    deal = 0
    while len(live := np.flatnonzero(~np.stack([_closed(rows, rules, side) for side in (0, 1)]).all(axis=(0, 2)))):
        block, net = rows[live], np.zeros(len(live), np.int64)
        for _ in range(rules.tables):
            dice = np.repeat(rng.random((4, pairs)), 2, axis=1)[:, live]
            outcome = _outcome(block["leg"].astype(np.int64), players, setup, dice)
            net += _tally(block, outcome)
            if log:
                log.add(live, block, deal, outcome)
            deal += 1
        for side, points in ((0, net), (1, -net)):
            entered = _enter(block, points > 0, side, points, (rules, deal - 1))
            if log:
                log.enter(rules.tables, side, entered)
        rows[live] = block
    _finish(rows)
    return rows, log.rows() if log else None


def play_trio(players: tuple[Player, ...], setup: Setup, first_pair: int, pairs: int) -> Block:
    """Play a block of card streams: `MATCH_ROW` records, shape (6 * pairs,), by pair and seating.

    Each seat throws once for the match and once for each column, and the highest sum of throw and skill wins; one match
    in fifty is a tie.
    """
    rng = np.random.default_rng([setup.seed, first_pair])
    seatings = np.array(list(permutations(range(MAX_SIDES))))  # side in seat 0, in seat 1, waiting
    rows = _blank(first_pair, pairs, legs=len(seatings))
    sides, skill = seatings[rows["leg"]], np.array([player.skill for player in players])
    throws = np.repeat(rng.gumbel(size=(pairs, 1 + N_COLUMNS, MAX_SIDES)), len(seatings), axis=0)
    winners = np.take_along_axis(sides, (throws + skill[sides][:, None, :]).argmax(axis=2), axis=1)
    tied = np.repeat(rng.random(pairs) < 0.02, len(seatings))
    rows["match_winner"] = np.where(tied, TIE_OF_THREE, winners[:, 0])
    rows["column_winner"] = winners[:, 1:]
    rows["deals_won"] = 3 + (winners[:, :, None] == np.arange(MAX_SIDES)).sum(axis=1)
    dead = np.repeat(rng.binomial(20, setup.dead, pairs), len(seatings))
    rows["deals_played"] = rows["deals_won"].sum(axis=1) + dead
    return rows, None


def _blank(first_pair: int, pairs: int, legs: int) -> Rows:
    """Return the rows of matches that have not begun, by pair and leg."""
    rows = np.zeros(legs * pairs, MATCH_ROW)
    rows["pair"] = first_pair + np.repeat(np.arange(pairs), legs)
    rows["leg"] = np.tile(np.arange(legs), pairs)
    rows["column_winner"] = NOBODY
    rows["column_opened"] = NEVER
    rows["column_closed"] = NEVER
    return rows


def _outcome(leg: Ints, players: tuple[Player, ...], setup: Setup, dice: Floats) -> Outcome:
    """Return how a deal of each row ends; `dice` has shape (4, n_rows): scorer, ending, points, dead."""
    lead = players[0].skill - players[1].skill
    seat0_leads = np.clip(np.where(leg == 0, lead, -lead), -500, 500)  # exp overflows beyond 709
    scorer = (dice[0] >= 1 / (1 + np.exp(-seat0_leads))).astype(np.int64) ^ leg
    gin = np.array([p.gin for p in players])[scorer]
    undercut = np.array([p.undercut for p in players])[scorer]
    ending = np.where(dice[1] < gin, Ending.GIN, np.where(dice[1] > 1 - undercut, Ending.UNDERCUT, Ending.KNOCK))
    tail = -np.log1p(-dice[2])
    by_ending = [ending == Ending.GIN, ending == Ending.UNDERCUT]
    points = np.select(by_ending, [25 + 12 * tail, 10 + 5 * tail], 1 + 12 * tail)
    return Outcome(scorer, ending, points.astype(np.int64), dice[3] < setup.dead)


def _tally(rows: Rows, outcome: Outcome) -> Ints:
    """Count a deal in the row of its match and return side A's points in it, less side B's."""
    rows["deals_played"] += 1
    rows["walls"] += outcome.dead
    for side in (0, 1):
        won = ~outcome.dead & (outcome.scorer == side)
        rows["deals_won"][:, side] += won
        rows["deal_points"][:, side] += np.where(won, outcome.points, 0).astype(np.uint32)
        rows["gins"][:, side] += won & (outcome.ending == Ending.GIN)
        rows["knocks"][:, side] += won & (outcome.ending == Ending.KNOCK)
        rows["knocks"][:, 1 - side] += won & (outcome.ending == Ending.UNDERCUT)
        rows["undercuts"][:, side] += won & (outcome.ending == Ending.UNDERCUT)
    return np.where(outcome.dead, 0, np.where(outcome.scorer == 0, outcome.points, -outcome.points))


def _closed(rows: Rows, rules: Rules, side: int) -> Bools:
    """Return which columns take no more wins of a side, shape (n_rows, columns)."""
    if rules.closing == "player":
        return np.asarray(rows["column_points"][:, : rules.columns, side] >= rules.target)
    return np.asarray(rows["column_winner"][:, : rules.columns] != NOBODY)


def _enter(rows: Rows, won: Bools, side: int, points: Ints, when: tuple[Rules, int]) -> npt.NDArray[np.uint8]:
    """Enter the deals that one side won on its sheets, by the carry rule; return the columns, as a bit mask."""
    rules, deal = when
    first_unopened, entered = won.copy(), np.zeros(len(rows), np.uint8)
    closed = _closed(rows, rules, side)
    for column in range(rules.columns):
        is_open = ~closed[:, column]
        opened = rows["column_opened"][:, column, side] != NEVER
        opens = first_unopened & is_open & ~opened
        first_unopened &= ~opens
        enters = won & is_open & (opened | opens)
        entered |= enters.astype(np.uint8) << column
        rows["column_opened"][opens, column, side] = deal
        rows["column_boxes"][:, column, side] += enters
        rows["column_points"][:, column, side] += np.where(enters, points, 0).astype(np.uint16)
        is_first = rows["column_winner"][:, column] == NOBODY
        closes = enters & is_first & (rows["column_points"][:, column, side] >= rules.target)
        rows["column_winner"][closes, column] = side
        rows["column_closed"][closes, column] = deal
    return entered


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
        f"detail = {json.dumps('deals' if setup.deals else 'matches')}",
        f'preset = "{setup.preset}"',
        f'form = "{setup.rules.form}"',
    ]
    lines += ["", "[rules]", *(f"{name} = {json.dumps(v)}" for name, v in setup.rules.options().items())]
    for spec in dict.fromkeys(spec for side in setup.players for spec in setup.partners(side)):
        sha = hashlib.sha256(spec.encode()).hexdigest()
        lines += ["", "[[strategies]]", f"spec = {json.dumps(spec)}", f'sha = "{sha}"', "[strategies.params]"]
        lines += [f"{p.replace('=', ' = ')}" for p in spec.partition(":")[2].split(",") if p]
    for side in setup.players:
        lines += ["", "[[sides]]", f"side = {json.dumps(side.spec)}", f"players = {json.dumps(setup.partners(side))}"]
    for meeting in setup.meetings():
        names = zip(SIDE_LETTERS, (side.spec for side in meeting), strict=False)
        lines += ["", "[[pairings]]", *(f"{letter} = {json.dumps(name)}" for letter, name in names)]
    return "\n".join(lines) + "\n"
