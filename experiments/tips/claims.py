"""The claims and the advice of sources 001 and 003, each stated so that it can be measured: the one list.

To add a tip, add a `Tip`; `hollywood tips --list` shows it, `hollywood tips --only NAME` tests it. What a measurement
may ask of its runs are the queries in sql/, one file each.
"""

from __future__ import annotations

from pathlib import Path

from experiments.tips.tip import (
    ADVICE,
    CASES,
    CLAIM,
    LOWEST,
    MATCHES,
    MISSES,
    NO_END,
    RATIO,
    TIMES,
    Measurement,
    Meeting,
    Tip,
)

BY_SHEET = Path(__file__).parent / "by_sheet.py"
SINGLE_GAME = (("columns", "1"), ("closing", "column"))
NO_KNOCKING = (("knock_limit", "0"),)
SAFE_10, SAFE_0 = (f"heuristic:knock_threshold={at},score_awareness=0" for at in (10, 0))
"""Players who always throw the safest card: keeping an opponent off is not to be credited with what that brings."""
MORE, ALL, CLOSED = 1, 2, 3
"""Situations of by_sheet.py: the opponent has more columns, his next win enters all of them, a column has closed."""


def _knocks(at: int) -> str:
    """Return the player who draws and discards as `simple` does and knocks with so much deadwood or less."""
    return f"threshold:knock_at={at}"


def _by_columns(*at: int) -> str:
    """Return the same player with his own threshold while he has opened 0, 1, 2 or 3 columns."""
    return "threshold-by-columns:" + ",".join(f"open{opened}={points}" for opened, points in enumerate(at))


def _switching(usual: int, when: int, at: int) -> str:
    """Return the same player, knocking at `usual`, and in a situation of by_sheet.py at another deadwood."""
    return f"{_knocks(usual)}+{BY_SHEET}:when={when},knock_at={at}"


def _itself(player: str, *options: tuple[str, str]) -> Meeting:
    return Meeting(player, player, options, deals=True)


def _with_game(who: str, player: str, query: str, true_if: tuple[float, float]) -> Measurement:
    """Measure matches of a player against himself in units of single games with the same cards."""
    meetings = (_itself(player), _itself(player, *SINGLE_GAME))
    return Measurement(who, query, meetings, TIMES, RATIO, true_if, slack=0.0)


def _without_knocking(who: str, player: str) -> Measurement:
    meetings = (_itself(player, *NO_KNOCKING), _itself(player))
    return Measurement(who, "turns_a_deal", meetings, TIMES, RATIO, (1.5, NO_END), slack=0.0)


def _beats(who: str, a: str, b: str) -> Measurement:
    return Measurement(who, "matches_won", (Meeting(a, b),))


def _beats_both(who: str, player: str, *blind: str) -> Measurement:
    """Measure a player who looks at the sheet against those who do not; the lower share of matches counts."""
    meetings = tuple(Meeting(player, other) for other in blind or (_knocks(10), _knocks(0)))
    return Measurement(who, "matches_won", meetings, join=LOWEST)


def _switches(usual: int, when: int, at: int) -> Measurement:
    return _beats_both(f"{_said(usual)}, then {_said(at)}", _switching(usual, when, at))


def _said(at: int) -> str:
    return {0: "for gin", 10: "knock at once"}.get(at, f"knock at {at}")


def _never(query: str) -> Measurement:
    return Measurement("every win looked at", query, (_itself("simple"),), MISSES, true_if=(0.0, 0.0), slack=0.0)


def _for_scale(who: str, query: str, unit: str, *options: tuple[str, str]) -> Measurement:
    return Measurement(who, query, (_itself("simple", *options),), unit, for_scale=True)


def _undercut(who: str, player: str) -> Measurement:
    return Measurement(who, "low_knocks_undercut", (_itself(player),), CASES, true_if=(0.05, NO_END), slack=0.0)


AT_ONCE, FOR_GIN = "both knock at once", "both play for gin"

TIPS: tuple[Tip, ...] = (
    Tip(
        name="length",
        kind=CLAIM,
        source="003",
        title="A match takes two to four times as long as one game",
        says="A match with three columns takes two to four times as long to finish as one game of gin.",
        how="Deals until the sheet is full, by deals until a single game to the same target is won, with the same "
        "cards and a player against himself. True if the interval lies within 2 to 4.",
        measurements=(
            _with_game(AT_ONCE, "simple", "deals_a_match", (2.0, 4.0)),
            _with_game(FOR_GIN, "gin-only", "deals_a_match", (2.0, 4.0)),
        ),
    ),
    Tip(
        name="swings",
        kind=CLAIM,
        source="003",
        title="A match swings more than a single game",
        says="Who falls behind in one column can fight on in the other two, so a match swings more dramatically.",
        how="Two kinds of swing, by those of a single game with the same cards: how often the side that was behind at "
        "half-time wins after all, and how often the lead goes over. Half-time is after half of the deals until the "
        "last column is won; ahead is who leads in more of the columns. True if both are larger.",
        measurements=(
            _with_game("wins from behind", "simple", "comebacks", (1.0, NO_END)),
            _with_game("changes of the lead", "simple", "lead_changes", (1.0, NO_END)),
        ),
    ),
    Tip(
        name="straight",
        kind=CLAIM,
        source="003",
        title="Without knocking, deals are sharply longer",
        says="Straight gin, in which a deal ends with gin alone, sharply lengthens the average deal.",
        how="Turns a deal without knocking, by turns a deal with it: the same cards, a player against himself, two "
        "players who knock. We call it sharp from half as long again: true if the ratio is above 1.5.",
        measurements=(
            _without_knocking("simple, knocks at once", "simple"),
            _without_knocking("heuristic, by the score", "heuristic"),
        ),
        first_rules_only=True,
    ),
    Tip(
        name="three-wins",
        kind=CLAIM,
        source="001",
        title="Three small early wins, and every later win scores in all columns",
        says="Three small wins at the start let a player score in all three games with each later win.",
        how="A rule, so every win from a side's third on is looked at: it has to be entered in every column that is "
        "still open to the side. One that is not refutes it.",
        measurements=(
            _never("third_win_misses"),
            _for_scale("of these, entered in all three", "all_three_entered", CASES),
            _for_scale("first with three wins wins the match", "first_to_three", MATCHES),
        ),
    ),
    Tip(
        name="push-early",
        kind=ADVICE,
        source="003",
        title="Push for early wins even with modest hands",
        says="The first two wins feed few columns, so get them cheaply: the later ones then pay in all three.",
        how="Two players alike but for their first two wins: one knocks at once with 10 or less until he has two "
        "columns open, the other plays for gin until then; later both play for gin, or both knock at once. Third, who "
        "pushes early and then plays for gin meets who does it the other way round. True if pushing early wins more "
        "than half of the matches each time.",
        measurements=(
            _beats("later for gin", _by_columns(10, 10, 0, 0), "gin-only"),
            _beats("later knock at once", _knocks(10), _by_columns(0, 0, 10, 10)),
            _beats("early against late push", _by_columns(10, 10, 0, 0), _by_columns(0, 0, 10, 10)),
        ),
    ),
    Tip(
        name="track",
        kind=ADVICE,
        source="003",
        title="Track which columns the opponent has open",
        says="Watch the opponent's open columns as well as the totals: once his wins enter all three, one big gin can "
        "turn the match.",
        how="Six ways to follow it: change between knocking at once and waiting once the opponent's next win enters "
        "all his columns; hold so little that no gin of his closes one (safe count); keep him off the columns in which "
        "he is blank. Each meets the two who do not look and else play alike: one always knocks at once, one always "
        "plays for gin. True if one way beats both, the lower of its two shares being above half; refuted if none "
        "gains half a point.",
        measurements=(
            *(_switches(usual, ALL, at) for usual, at in ((0, 10), (10, 0), (10, 8))),
            _beats_both("knock at once, safe count", f"{_knocks(10)}+safe-count"),
            _beats_both("for gin, safe count", f"{_knocks(0)}+safe-count"),
            _beats_both("throw safely, keep him blank", f"{SAFE_10}+on-schneid:k=1", SAFE_10, SAFE_0),
        ),
        any_way=True,
    ),
    Tip(
        name="knock-when-behind",
        kind=ADVICE,
        source="003",
        title="Knock early when the opponent has more columns open",
        says="With fewer columns open than the opponent, take a small safe knock rather than wait for gin.",
        how="Two players alike but while the opponent has entries in more columns: one then knocks at once, the other "
        "waits for gin. Else both play for gin, or both knock at once. True if knocking wins more than half of the "
        "matches each time.",
        measurements=(
            _beats("else for gin", _switching(0, MORE, 10), _knocks(0)),
            _beats("else knock at once", _knocks(10), _switching(10, MORE, 0)),
        ),
    ),
    Tip(
        name="recalculate",
        kind=ADVICE,
        source="003",
        title="Recalculate once a column has closed",
        says="When a column has closed a win pays in fewer columns than before: think again what to risk for it.",
        how="Five ways to follow it: four change their way of knocking once a column has closed to them, one knocks by "
        "the score over the columns still open. Each meets the two who never change: one always knocks at once, one "
        "always plays for gin. True if one way beats both, the lower of its two shares being above half; refuted if "
        "none gains half a point.",
        measurements=(
            *(_switches(usual, CLOSED, at) for usual, at in ((0, 10), (0, 4), (10, 0), (10, 8))),
            _beats_both("by the score of open columns", f"{_knocks(10)}+score-shift:knock_threshold=10"),
        ),
        any_way=True,
    ),
    Tip(
        name="undercuts",
        kind=ADVICE,
        source="003",
        title="Do not take a low deadwood for safe",
        says="An undercut gives the deal away and can decide which column closes, so little deadwood is not safety.",
        how="How many of the knocks with 1 to 5 points are undercut, a player against himself: true if it is more than "
        "one in twenty. And whether caution pays: who knocks at once but from his ninth turn on plays for gin, against "
        "who always knocks at once.",
        measurements=(
            _undercut("low knocks, simple", "simple"),
            _undercut("low knocks, heuristic", "heuristic"),
            _beats("careful from turn 9", "threshold-by-turn:early=10,middle=10,late=0", _knocks(10)),
            _for_scale("knocks with 6 to 10, simple", "high_knocks_undercut", CASES),
        ),
    ),
    Tip(
        name="early-wins",
        kind=ADVICE,
        source="001",
        title="Win early deals: each opens a column",
        says="Who wins deals early gets to score in more of the games sooner.",
        how="A rule, so every win made while all columns are open is looked at: the n-th win of a side has to be "
        "entered in columns 1 to n, at most 3. One that is not refutes it.",
        measurements=(
            _never("early_win_misses"),
            _for_scale("who wins the first deal wins the match", "first_win", MATCHES),
            _for_scale("who wins the first deal wins a single game", "first_win", MATCHES, *SINGLE_GAME),
        ),
    ),
)
"""Every tip, in the order in which it is told."""
