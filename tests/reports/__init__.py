"""Tests of numbers, words, figures and the page."""
