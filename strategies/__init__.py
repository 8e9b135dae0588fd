"""Scripted players, one to a file; `strategies.registry` lists them. README.md says how to write one."""
