"""Tests of the film: its script, its captions and its pictures."""
