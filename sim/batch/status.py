"""How a run stands, in the words of its manifest; and what is said of one whose process is gone."""

from __future__ import annotations

RUNNING, COMPLETE, STOPPED, INTERRUPTED, FAILED = "running", "complete", "stopped", "interrupted", "failed"
ENDED = (COMPLETE, STOPPED)
"""Nothing is left to be played: all was, or a test had decided, or what was clearly worse had been dropped."""
UNFINISHED = (RUNNING, INTERRUPTED, FAILED)
"""Less was played than was asked for."""
DIED = "died"
"""Of a run that says it is running and that no process plays."""
