"""The page "Tips tested": made of tips.json alone, which `hollywood tips` writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from reports import numbers, provenance
from reports.commands import quoted
from reports.names import capital, labels
from reports.page import Page
from reports.provenance import Reproduction
from reports.sections import tips as sections
from reports.sections.tips import BY_RULES, DEPENDS, FAILS, HOLDS, OPEN, ORDER, Entry

TIPS_FILE = "tips.json"
VERSION = 1


class TipsError(ValueError):
    """A tips.json that no page can be made of; the message is one line naming the file."""


def is_tips(folder: Path) -> bool:
    """Tell whether a folder is one of `hollywood tips`."""
    return (folder / TIPS_FILE).is_file()


def page_of_tips(folder: Path) -> Page:
    """Return the page of a folder of tips; raises `TipsError` when it was not finished or cannot be read."""
    file = folder / TIPS_FILE
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["schema_version"] != VERSION:
            raise ValueError(f"schema version {document['schema_version']}, this program reads {VERSION}")
        if document["status"] == "complete":
            return compose_tips(document)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise TipsError(f"{file}: no page can be made of it ({error})") from error
    raise TipsError(f"{file}: not finished; go on with: hollywood tips --resume {folder}")


def compose_tips(document: Entry) -> Page:
    """Return the page of what tips.json says."""
    kicker = ["Hollywood Gin laboratory", "tips tested", provenance.day(document["started"])]
    return Page(
        kicker=" · ".join(filter(None, kicker)),
        headline=_headline(document["tips"]),
        lead=_lead(document),
        notice="",
        facts=[
            ("Matches", numbers.big(int(document["matches"]))),
            ("Deals", numbers.big(int(document["deals"]))),
            ("Rules", ", ".join(document["rules"])),
            ("Seed", str(document["seed"])),
        ],
        sections=[
            sections.verdicts(document),
            *(sections.of_tip(tip, int(document["intervals"])) for tip in document["tips"]),
        ],
        reproduction=_reproduction(document),
    )


def _headline(tips: Sequence[Entry]) -> str:
    """Say how many of the tips hold."""
    if len(tips) == 1:
        return f"{tips[0]['title']}: {tips[0]['verdict']}"
    found = counted(tips)
    good = found.get(HOLDS, 0) + found.get(BY_RULES, 0)
    told = f"{capital(numbers.in_words(good))} of {numbers.in_words(len(tips))} tips {'holds' if good == 1 else 'hold'}"
    said = {
        DEPENDS: ("depends on rules or players", "depend on rules or players"),
        FAILS: ("does not hold", "do not hold"),
        OPEN: ("is undecided", "are undecided"),
    }
    rest = [
        f"{numbers.in_words(found[name])} {one if found[name] == 1 else many}"
        for name, (one, many) in said.items()
        if name in found
    ]
    return f"{told}, {numbers.listed(rest)}" if rest else told


def counted(tips: Sequence[Entry]) -> dict[str, int]:
    """Return how many tips have each verdict, those that none has left out."""
    verdicts = [str(tip["verdict"]) for tip in tips]
    return {name: verdicts.count(name) for name in ORDER if name in verdicts}


def _lead(document: Entry) -> str:
    """Say what was tested, and what is undecided."""
    tips = document["tips"]
    open_ones = [f"“{tip['title']}”" for tip in tips if tip["verdict"] == OPEN]
    under = f"under the rules {numbers.listed(document['rules'])}"
    told = (
        f"Players who follow a piece of advice met players who are alike but for it, and each claim was measured, "
        f"{under}. What is said holds for these players: they draw and throw simply, and differ in when they knock."
    )
    return f"{told} Undecided: {numbers.listed(open_ones)}." if open_ones else told


def _reproduction(document: Entry) -> Reproduction:
    """Return the commands, facts and players of the last section."""
    facts = [
        ("Seed", str(document["seed"])),
        ("Rules", ", ".join(document["rules"])),
        ("Pairs a meeting", numbers.count(int(document["pairs"]))),
        ("Pairs with a row a deal", numbers.count(int(document["pairs_with_deals"]))),
        ("Runs", f"{len(document['runs'])}, in folders of their own beside this page"),
        ("Engine", str(document["engine_version"])),
        ("Libraries", ", ".join(f"{name} {version}" for name, version in document["versions"].items())),
        ("Processor", str(document["cpu"])),
    ]
    short = labels([str(player["spec"]) for player in document["players"]])
    players = [(short[p["spec"]], str(p["spec"]), str(p["sha"])) for p in document["players"]]
    return Reproduction([quoted(document["again"])], facts, players)
