"""Loaded by a worker before it starts: it takes a decision of two seconds for one that never ends."""

from sim.batch import runner

runner.STALL_SECONDS = 2.0
