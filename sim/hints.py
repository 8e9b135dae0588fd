"""What to say about a name that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `` Did you mean "..."?`` with the known name closest to a wrong one, or nothing if none is close."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f' Did you mean "{close[0]}"?' if close else ""
