"""The rules of a match in one frozen record, and its validation.

Every option, its values and its sources are listed in docs/rules.md. The `Rules` record is what people read and
write; `Rules.codes` is the same as plain numbers, for the kernels. Presets are in `sim.presets`.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.hints import did_you_mean
from sim.records import records
from sim.rows import MAX_TURNS


class RulesError(ValueError):
    """An option that does not exist or a value that is not allowed; the message names all three."""


@dataclass(frozen=True)
class Whole:
    """The values of an option that is a whole number from `low` to `high`, or one of `words`."""

    low: int
    high: int
    words: tuple[str, ...] = ()

    def read(self, value: object) -> int | str:
        """Return the value in its own type, or raise ValueError."""
        if isinstance(value, str) and value.strip().lower() in self.words:
            return value.strip().lower()
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        number = int(value)
        if not self.low <= number <= self.high:
            raise ValueError
        return number

    def code(self, value: int | str) -> int:
        """Return the number the kernels see: the number itself, -1 for a word."""
        return -1 if isinstance(value, str) else value

    def __str__(self) -> str:
        return " or ".join([*self.words, f"a whole number from {self.low} to {self.high}"])


@dataclass(frozen=True)
class Choice:
    """The values of an option that is one of a few words or numbers."""

    values: tuple[int | str, ...]

    def read(self, value: object) -> int | str:
        """Return the value in its own type, or raise ValueError."""
        for allowed in self.values:
            if not isinstance(value, bool) and str(value).strip().lower() == str(allowed):
                return allowed
        raise ValueError

    def code(self, value: int | str) -> int:
        """Return the number the kernels see: the number itself, for a word its place among the values."""
        return self.values.index(value) if isinstance(value, str) else value

    def __str__(self) -> str:
        return ", ".join(str(v) for v in self.values)


@dataclass(frozen=True)
class YesNo:
    """The values of an option that is switched on or off."""

    def read(self, value: object) -> bool:
        """Return the value as a bool, or raise ValueError."""
        if isinstance(value, bool):
            return value
        word = str(value).strip().lower()
        if word in ("yes", "true", "on"):
            return True
        if word in ("no", "false", "off"):
            return False
        raise ValueError

    def code(self, value: bool) -> int:
        """Return the number the kernels see: 1 for yes, 0 for no."""
        return int(value)

    def __str__(self) -> str:
        return "yes or no"


Allowed = Whole | Choice | YesNo
TWO_HANDED, PARTNERSHIP, THREE_HANDED = FORMS = ("two-handed", "partnership", "three-handed")
"""Who plays: two; two sides of two, at two tables; three in rotation."""
THREE_HANDED_ALLOWS: dict[str, tuple[object, ...]] = {
    "first_dealer": ("random", "cut"),
    "match_winner": ("majority", "first_column"),
    "game_bonus": (0,),
    "box_bonus": (0,),
    "shutout_doubles": (False,),
    "third_column_doubled": (False,),
}
"""Options that three-handed play narrows down."""
MAX_POINTS = 10_000  # keeps a column's total inside the 16 bits of the results


def _option(default: object, allowed: Allowed, meaning: str, source: str) -> Any:
    """Declare one rule option: its default, what is allowed, what it means and who says so."""
    return dataclasses.field(default=default, metadata={"allowed": allowed, "meaning": meaning, "source": source})


@dataclass(frozen=True)
class Rules:
    """All options of the deal and the sheet; the defaults are the preset ``hollywood``.

    `form` says who plays; it is no option but comes with the preset. Hashable and comparable. Build one with
    `sim.presets.preset_rules`, which validates; `with_options` changes a copy.
    """

    gin_bonus: int = _option(25, Whole(0, MAX_POINTS), "points added for gin", "000, 002, 003, 004")
    undercut_bonus: int = _option(
        10, Whole(0, MAX_POINTS), "points added when the defender undercuts", "10: 000, 002, 004; 25: 003"
    )
    big_gin: int | str = _option(
        "off", Whole(0, MAX_POINTS, ("off",)), "whole bonus for eleven melded cards", "house rule"
    )
    tie: str = _option("undercut", Choice(("undercut", "knocker")), "who scores when the deadwood is equal", "000")
    count_zero_wins: bool = _option(
        True, YesNo(), "a win worth 0 points counts as a win (only with tie=knocker)", "old official rules"
    )
    next_dealer: str = _option(
        "winner",
        Choice(("winner", "loser", "alternate")),
        "who deals after a scored deal; the same after a dead one",
        "winner: 000, 002, 004; loser: 003",
    )
    first_dealer: str = _option(
        "random", Choice(("random", "cut", "a", "b")), "who deals first; cut: low card deals", "000; cut: 003"
    )
    knock_limit: int | str = _option(
        10, Whole(0, 10, ("upcard",)), "most deadwood one may knock with; upcard: Oklahoma", "000; 003"
    )
    upcard_ace: str = _option(
        "one",
        Choice(("one", "gin")),
        "the limit an ace upcard sets, with knock_limit=upcard",
        "both published",
    )
    spade_doubles: bool = _option(
        False, YesNo(), "a spade as first upcard doubles the whole deal, bonuses included", "003"
    )
    throw_back: bool = _option(False, YesNo(), "the upcard just taken may be discarded in the same turn", "house rule")
    turn_cap: int = _option(100, Whole(2, MAX_TURNS), "turns after which a deal is dead", "this project")
    target: int = _option(100, Whole(1, MAX_POINTS), "points that close a column", "001; 004 says over 100")
    columns: int = _option(3, Choice((3, 1)), "columns on the sheet; 1 is ordinary gin rummy", "001")
    game_bonus: int = _option(0, Whole(0, MAX_POINTS), "points for winning a column, at settlement", "003")
    box_bonus: int = _option(0, Whole(0, MAX_POINTS), "points a box, at settlement", "003: 25")
    shutout_doubles: bool = _option(False, YesNo(), "a column the loser never opened settles double", "house rule")
    third_column_doubled: bool = _option(False, YesNo(), "column 3 settles double", "house rule")
    carry: str = _option(
        "carry",
        Choice(("carry", "strict")),
        "carry: no win is lost when columns have closed; strict: nth win to columns 1..n",
        "carry: 001; strict: 000",
    )
    closing: str = _option(
        "column",
        Choice(("column", "player")),
        "column: closed for both at once; player: open to each until he has the target himself",
        "000; player: 003",
    )
    match_winner: str = _option(
        "majority",
        Choice(("majority", "total", "first_column")),
        "most columns, most settled points, or totals when the first column closes",
        "000; first_column: 003",
    )
    form: str = TWO_HANDED

    def __post_init__(self) -> None:
        if self.form == THREE_HANDED:
            self._refuse_in_three_handed()

    def _refuse_in_three_handed(self) -> None:
        """Three sheets are kept side by side and nothing is settled; who deals first is not always in play."""
        for name, allowed in THREE_HANDED_ALLOWS.items():
            if getattr(self, name) not in allowed:
                told = " or ".join(option_text(value) for value in allowed)
                given = option_text(getattr(self, name))
                raise RulesError(f'rule option "{name}" cannot be "{given}" in three-handed play: allowed is {told}')

    @property
    def sides(self) -> int:
        """Sides that keep a sheet: three in three-handed play, else two."""
        return 3 if self.form == THREE_HANDED else 2

    @property
    def legs(self) -> int:
        """Times the same cards are played: in every order of the sides, six for three and two for two."""
        return 6 if self.form == THREE_HANDED else 2

    @property
    def tables(self) -> int:
        """Deals that make one entry on the sheet: two in partnership play, else one."""
        return 2 if self.form == PARTNERSHIP else 1

    def with_options(self, options: Mapping[str, object]) -> Rules:
        """Return a validated copy with some options changed.

        Raises `RulesError` naming the option, the value and what is allowed.
        """
        return dataclasses.replace(self, **{name: read_option(name, value) for name, value in options.items()})

    def options(self) -> dict[str, int | str | bool]:
        """Return every option and its value, in the order of declaration."""
        return {name: getattr(self, name) for name in OPTIONS}

    def sha(self) -> str:
        """Return 12 hex digits that name this record: equal for equal options, whatever the preset."""
        text = json.dumps([self.form, self.options()], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def codes(self) -> npt.NDArray[Any]:
        """Return the rules as numbers: an array of shape (1,) and dtype `RULE_CODES`, for the kernels."""
        codes = records(1, RULE_CODES)
        for name, field in OPTIONS.items():
            codes[name] = field.metadata["allowed"].code(getattr(self, name))
        codes["form"] = FORMS.index(self.form)
        return codes


OPTIONS: dict[str, dataclasses.Field[Any]] = {f.name: f for f in dataclasses.fields(Rules) if f.metadata}
RULE_CODES = np.dtype([(name, np.int64) for name in (*OPTIONS, "form")])
"""The record in which the kernels see the rules: `code` of each option's value. Words are numbered below."""


def _word(option: str, word: str) -> int:
    return int(OPTIONS[option].metadata["allowed"].code(word))


OFF = _word("big_gin", "off")
UPCARD = _word("knock_limit", "upcard")
TIE_TO_KNOCKER = _word("tie", "knocker")
ACE_IS_GIN = _word("upcard_ace", "gin")
WINNER_DEALS, LOSER_DEALS = _word("next_dealer", "winner"), _word("next_dealer", "loser")
DEALER_BY_CUT, DEALER_A, DEALER_B = (_word("first_dealer", word) for word in ("cut", "a", "b"))
STRICT = _word("carry", "strict")
OF_PARTNERS, OF_THREE = FORMS.index(PARTNERSHIP), FORMS.index(THREE_HANDED)
BY_PLAYER = _word("closing", "player")
BY_TOTAL, BY_FIRST_COLUMN = _word("match_winner", "total"), _word("match_winner", "first_column")


def option_text(value: object) -> str:
    """Write an option's value as a user would."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def read_option(name: str, value: object) -> Any:
    """Validate one option's value and return it in its own type.

    Raises `RulesError` naming the option, the value and what is allowed.
    """
    if name not in OPTIONS:
        raise RulesError(f'no rule option "{name}".{did_you_mean(name, OPTIONS)} Known: {" ".join(OPTIONS)}')
    allowed: Allowed = OPTIONS[name].metadata["allowed"]
    try:
        return allowed.read(value)
    except ValueError:
        given = " ".join(option_text(value).split())
        raise RulesError(f'rule option "{name}" cannot be "{given}": allowed is {allowed}') from None
