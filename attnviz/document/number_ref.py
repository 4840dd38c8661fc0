"""The name of one number of a frame: what kind it is, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NumberRef:
    """Which number of a frame is meant.

    Parameters
    ----------
    kind : str
        What it is: the name of a matrix in :mod:`attnviz.document.matrices`, or of another kind of number in
        :data:`attnviz.explanations.KINDS`.
    indices : tuple of int
        Its place, counted from 0, as the kind's axes say: (query, key) for a weight.
    """

    kind: str
    indices: tuple[int, ...] = ()
