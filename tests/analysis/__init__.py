"""Tests of the tables: each against a slow twin that reads the matches with pandas."""
