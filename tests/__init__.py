"""Tests of the simulator and everything around it."""
