"""Short names for players: the strategy's name, and its parameters where they matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath

import pandas as pd


def labels(specs: Sequence[str], most: int = 28, between: str = "/") -> dict[str, str]:
    """Return a short name for each spec, unique among them.

    ``threshold:knock_at=5,hunt=1`` becomes ``threshold 5/1`` if every player of that family that has parameters has
    these, and ``threshold 5`` if they also agree in the second; `between` stands between such values.
    ``./bots/careful.py`` becomes ``careful``. Names of more than `most` characters are cut in the middle.
    """
    families: dict[str, dict[str, Params]] = {}
    for spec in specs:
        name, params = _parse(spec)
        families.setdefault(name, {})[spec] = params
    short = {spec: _short(spec, name, family, between) for name, family in families.items() for spec in family}
    short = _where_unique(short, {spec: _without_folder(label) for spec, label in short.items()})
    short = _where_unique(short, {spec: cut(label, most) for spec, label in short.items()})
    return _where_unique({spec: spec for spec in specs}, short)


def side_labels(sides: Mapping[str, Sequence[str]]) -> tuple[dict[str, str], dict[str, str]]:
    """Return a short name for each side of a run, and one for each player; `sides` says who plays each.

    Partners keep the slash between them: ``greedy/threshold 5``. Their own values then have a comma between, and each
    partner is cut alone.
    """
    players = list(dict.fromkeys(player for partners in sides.values() for player in partners))
    are_partners = any(len(partners) > 1 for partners in sides.values())
    own = labels(players, MOST_OF_PARTNER, ",") if are_partners else labels(players)
    joined = {side: "/".join(own[player] for player in partners) for side, partners in sides.items()}
    return _where_unique({side: side for side in sides}, joined), own


def _where_unique(longer: dict[str, str], shorter: dict[str, str]) -> dict[str, str]:
    """Return the shorter names, and the longer ones where two shorter ones are the same."""
    times = Counter(shorter.values())
    return {spec: shorter[spec] if times[shorter[spec]] == 1 else name for spec, name in longer.items()}


def _without_folder(label: str) -> str:
    """Return the name of a player's file without folder and suffix."""
    name, space, values = label.partition(NO_BREAK)
    return f"{PurePath(name).stem}{space}{values}" if name.endswith(".py") else label


NO_BREAK = "\u00a0"
MOST_OF_PARTNER = 18
Params = dict[str, str]


def _short(spec: str, name: str, family: dict[str, Params], between: str) -> str:
    """Return the name and the parameter values that tell a player from its family, or the spec itself."""
    with_params = [params for params in family.values() if params]
    own = family[spec]
    if not own or any(list(params) != list(own) for params in with_params):
        return spec
    telling = [key for key in own if len({params[key] for params in with_params}) > 1]
    return f"{name}{NO_BREAK}{between.join(own[key] for key in telling or own)}"


def _parse(spec: str) -> tuple[str, Params]:
    """Split a spec into its name and its parameters, in order."""
    name, _, text = spec.partition(":")
    pairs = (part.partition("=") for part in text.split(",") if part)
    return name, {key: value for key, _, value in pairs}


def renamed(frame: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """Return the frame with specs replaced by short names in the columns that hold players."""
    players = [column for column in ("a", "b", "player") if column in frame.columns]
    return frame.assign(**{column: frame[column].map(names) for column in players})


def cut(name: str, characters: int) -> str:
    """Shorten a name in the middle, never at its end, where the parameter is: ``thresho…t=5``."""
    if len(name) <= characters:
        return name
    tail = max(1, (characters - 1) // 2)
    return f"{name[: characters - 1 - tail]}…{name[-tail:]}"


def capital(text: str) -> str:
    """Start a sentence with a capital letter; a name that starts with a sign stays as it is."""
    return text[:1].upper() + text[1:]
