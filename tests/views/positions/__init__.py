"""Tests of the panel of the positions."""
