"""How panels tell of pinned numbers: marks for a matrix, and words for a number."""

from __future__ import annotations

from attnviz.document.frame import Frame
from attnviz.document.interventions import PINNED_KINDS
from attnviz.document.number_ref import NumberRef
from attnviz.document.provenance import OF_LAYER, provenance_of, shown_pins
from attnviz.views.matrix.pin_marks import PinMarks


def pin_marks(frame: Frame, name: str) -> PinMarks | None:
    """Give what is to be marked in a matrix of a frame; None where nothing is pinned.

    Parameters
    ----------
    frame : Frame
        The frame.
    name : str
        The name of the matrix in :mod:`attnviz.document.matrices`. A pinned score is marked at all its stages.
    """
    if not (frame.state.interventions if name in OF_LAYER else frame.pins):
        return None
    cells = tuple((one.row, one.column) for one in shown_pins(frame, name))
    return PinMarks(cells, provenance_of(frame).affected_rows(name))


def pin_words(frame: Frame, ref: NumberRef) -> str:
    """Say what a reader of a number must know: "pinned", "follows from a pinned number", or nothing."""
    if not (frame.state.interventions if ref.kind in OF_LAYER else frame.pins):
        return ""
    if frame.pins.at(ref) is not None:
        return "pinned"
    return "follows from a pinned number" if provenance_of(frame).is_affected(ref) else ""


def in_brackets(words: str) -> str:
    """Put words behind a number, in brackets; nothing where there are none."""
    return f" ({words})" if words else ""


def can_be_pinned(ref: NumberRef) -> bool:
    """Tell whether a number is of a kind that can be pinned."""
    return ref.kind in PINNED_KINDS
