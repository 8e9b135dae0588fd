"""The rules of a run in sentences: what the page says of bonuses, columns, rounds and dead deals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis import Run
from reports.commands import changed_rules
from reports.numbers import listed

Options = Mapping[str, Any]
MATCH_WINNERS = {
    "majority": "",
    "total": "the most settled points win the match",
    "first_column": "the match ends when a column closes, and the most points win it",
}


def rules_named(run: Run) -> str:
    """Name the rules of a run: ``the hollywood rules with target=150``."""
    changed = changed_rules(run.spec)
    return f"the {run.spec['preset']} rules{f' with {listed(changed)}' if changed else ''}"


def rules_as_told(run: Run) -> str:
    """Name the rules of a run and say those that decide most: ``the gin rules: gin pays 25, ...``."""
    return f"{rules_named(run)}: {_decisive(run)}"


def _decisive(run: Run) -> str:
    """Say what deals pay, who may knock, columns and target, and how a match is won if that is unusual."""
    rules = run.spec["rules"]
    told = [f"gin pays {rules['gin_bonus']}"]
    if rules["big_gin"] != "off":
        told.append(f"big gin {rules['big_gin']}")
    told.append(_knocking(rules))
    if rules["spade_doubles"]:
        told.append("a spade as first upcard doubles the deal")
    told.append(f"{'one column' if run.columns == 1 else 'three columns'} to {rules['target']}")
    if rules["closing"] == "player":
        told.append(f"open to a side until it has {rules['target']} itself")
    told.append(MATCH_WINNERS[rules["match_winner"]])
    return ", ".join(text for text in told if text)


def _knocking(rules: Options) -> str:
    """Say with how much deadwood one may knock, where that is unusual, and what an undercut pays."""
    if not may_knock(rules):
        return "nobody may knock short of gin"
    undercut = f"an undercut pays {rules['undercut_bonus']}"
    if rules["knock_limit"] == "upcard":
        return f"{undercut}, the first upcard sets the knock limit"
    return undercut if rules["knock_limit"] == 10 else f"{undercut}, one may knock with {rules['knock_limit']} at most"


def may_knock(rules: Options) -> bool:
    """Tell whether the rules know a knock that is not gin."""
    return bool(rules["knock_limit"] != 0)


def plays_out(run: Run) -> bool:
    """Tell whether every column is played out, so that shares of it are of all matches."""
    return bool(run.spec["rules"]["match_winner"] != "first_column")


def what_endings_pay(run: Run) -> str:
    """Say what each ending pays under the rules of a run."""
    rules = run.spec["rules"]
    told = [f"Gin pays the other side’s deadwood and {rules['gin_bonus']}."]
    if rules["big_gin"] != "off":
        told.append(f"Big gin, all eleven cards melded, pays the deadwood and {rules['big_gin']}.")
    if may_knock(rules):
        tie = "no more deadwood" if rules["tie"] == "undercut" else "less deadwood"
        told.append(
            f"A knock pays the difference in deadwood, unless the other side has {tie} after laying off: then that "
            f"side undercuts, and scores the difference and {rules['undercut_bonus']}."
        )
    else:
        told.append("Nobody may knock short of gin.")
    if rules["spade_doubles"]:
        told.append("A spade as first upcard doubles all of it.")
    return " ".join(told)


def what_a_round_is(run: Run) -> str:
    """Explain rounds, where there are any: a sentence, or an empty text."""
    if run.deals_a_round == 1:
        return ""
    return (
        "Two deals, one at each table, make a round; their points are netted, and the side ahead enters the difference "
        "as one win."
    )


def after_a_dead_deal(run: Run) -> str:
    """Say what a dead deal leads to."""
    if run.is_three_handed:
        return "scores nothing, and the same two play again"
    if run.deals_a_round > 1:
        return "scores nothing: the other table’s deal then decides the round"
    return "scores nothing and is dealt again"
