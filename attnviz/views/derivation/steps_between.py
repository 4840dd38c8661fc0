"""What a layer does between the usual steps of one cell: soft cap, bias, masking methods, sink and dropout."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attnviz.document.frame import Frame
from attnviz.engine import AttentionTrace

BEFORE_SOFTMAX = ("soft cap", "bias", "mask")


@dataclass(frozen=True, slots=True)
class StepsBetween:
    """What happens to one cell besides the six usual steps.

    Parameters
    ----------
    cap, bias : float or None
        The soft cap of its scaled score, and what is added for the distance of its tokens.
    masking : str
        The masking method, where the mask bans the cell but does not take its key out; else empty.
    other : float or None
        The exponential of what takes attention and gives nothing.
    other_name : str
        What that is.
    is_zeroed : bool
        Whether the mask sets the share to 0 after the softmax.
    kept_sum : float or None
        The sum of the shares that such a mask leaves, where the row is divided by it.
    rate : float
        The rate of dropout, 0 without.
    is_kept : bool
        Whether dropout keeps the weight.
    """

    cap: float | None = None
    bias: float | None = None
    masking: str = ""
    other: float | None = None
    other_name: str = ""
    is_zeroed: bool = False
    kept_sum: float | None = None
    rate: float = 0.0
    is_kept: bool = True

    @property
    def is_hidden(self) -> bool:
        """Whether the mask bans the cell without taking its key out before the softmax."""
        return bool(self.masking)

    @property
    def before_softmax(self) -> tuple[str, ...]:
        """Name what is done to the scaled score."""
        changes_score = bool(self.masking) and not self.masking.startswith("after")
        are_there = (self.cap is not None, self.bias is not None, changes_score)
        return tuple([name for name, is_there in zip(BEFORE_SOFTMAX, are_there, strict=True) if is_there])


_PLAIN = StepsBetween()


def steps_between(frame: Frame, trace: AttentionTrace, row: int, key: int) -> StepsBetween:
    """Read what happens to the cell in a row of a trace.

    Parameters
    ----------
    frame : Frame
        The frame.
    trace : AttentionTrace
        The whole trace of its head, or one row of it.
    row, key : int
        The place of the cell in the trace.
    """
    options, state = trace.options, frame.state
    is_allowed = options.allowed is None or bool(options.allowed[row, key])
    is_plain = options.softmax == "standard" and options.sink is None and options.soft_cap is None
    is_masked_well = options.allowed is None or state.masking == "before"
    if is_plain and is_masked_well and options.bias is None and options.keep is None:
        return _PLAIN
    others = [0.0] if options.softmax == "plus_one" else []
    others += [] if options.sink is None else [float(options.sink)]
    other = None
    if others:
        logit = float(np.logaddexp.reduce(others))
        other = float(np.exp(logit - trace.row_max[row]))
    acts_after = options.allowed is not None and state.masking.startswith("after")
    return StepsBetween(
        cap=options.soft_cap,
        bias=None if options.bias is None else float(options.bias[row, key]),
        masking="" if is_allowed or state.masking == "before" else state.masking,
        other=other,
        other_name=_name_of(len(others), has_sink=options.sink is not None),
        is_zeroed=acts_after and not is_allowed,
        kept_sum=_kept_sum(trace, row) if state.masking == "after_renormalised" and acts_after else None,
        rate=options.drop_rate,
        is_kept=options.keep is None or bool(options.keep[row, key]),
    )


def _name_of(count: int, *, has_sink: bool) -> str:
    if count == 2:
        return "one more and sink"
    return ("sink" if has_sink else "one more") if count else ""


def _kept_sum(trace: AttentionTrace, row: int) -> float:
    """Give the part of the shares of a row that a mask after the softmax leaves."""
    allowed, is_by_column = trace.options.allowed, trace.options.softmax == "columns"
    totals = trace.normaliser if is_by_column else trace.normaliser[row : row + 1]
    shares = trace.exponentials[row] / np.where(totals > 0.0, totals, 1.0)
    kept = float((shares if allowed is None else shares * allowed[row]).sum())
    return kept if trace.options.is_row_of_one or not kept else kept / float(shares.sum())


def extras_of(frame: Frame) -> tuple[str, ...]:
    """Name what the layer of a frame does besides the usual steps, the same for all of its cells.

    Returns
    -------
    tuple of str
        "soft cap", "bias", "mask" (which changes scores), "columns", "one more", "sink", "left" (the row is divided
        again after the mask), "dropout".
    """
    state = frame.state
    masking = state.masking if state.has_mask else "before"
    named = (
        ("soft cap", state.soft_cap > 0.0),
        ("bias", frame.layer.effect.bias is not None),
        ("mask", masking != "before" and not masking.startswith("after")),
        ("columns", state.softmax == "columns"),
        ("one more", state.softmax == "plus_one"),
        ("sink", state.has_sink),
        ("left", masking == "after_renormalised"),
        ("dropout", state.dropout > 0.0),
    )
    return tuple([name for name, is_there in named if is_there])
