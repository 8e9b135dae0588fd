"""Blank records: what kernels, rules and result rows are held in, without the compiler's import time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def records(count: int, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return `count` blank records whose fields compiled and plain Python code read as attributes alike."""
    return np.zeros(count, dtype).view(np.recarray)
