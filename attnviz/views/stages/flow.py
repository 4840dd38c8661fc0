"""How the matrices of a pass follow from one another: the sign before each, and the ways that skip some."""

from __future__ import annotations

from dataclasses import dataclass

from attnviz.document.frame import Frame
from attnviz.document.matrices import Matrix, Role
from attnviz.views.numbers import number_text


@dataclass(frozen=True, slots=True)
class Sign:
    """What stands between a matrix and the one before it.

    Parameters
    ----------
    text : str
        The sign or the name of what is done; empty for a mere gap.
    is_step : bool
        Whether one becomes the other, which an arrow says.
    is_number : bool
        Whether the text has a number of the document in it.
    """

    text: str = ""
    is_step: bool = False
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A line from some matrices to one further on that is made of them.

    Parameters
    ----------
    sources : tuple of str
        The names of the matrices it comes from.
    target : str
        The name of the matrix it leads to.
    role : Role
        Which chooses its colour.
    """

    sources: tuple[str, ...]
    target: str
    role: Role


WAYS = (Way(("q", "k"), "score", "score"), Way(("v",), "output", "value"))

_SIGNS = {
    "position": Sign("+"),
    "input": Sign("="),
    "context_position": Sign("+"),
    "context_input": Sign("="),
    "w_q": Sign("×"),
    "q": Sign("="),
    "score": Sign("Q Kᵀ", is_step=True),
    "bias": Sign("+"),
    "exponential": Sign("exp", is_step=True),
    "output": Sign("× V", is_step=True),
    "concatenated": Sign("all heads", is_step=True),
    "w_o": Sign("×"),
}


def sign_before(matrix: Matrix, frame: Frame) -> Sign:
    """Give the sign before a matrix; the multiplier is a number of the frame."""
    if matrix.name == "scaled":
        return Sign(f"× {number_text(frame.multiplier)}", is_step=True, is_number=True)
    if matrix.name == "masked":
        return _sign_of_mask(frame)
    if matrix.name == "weight" and frame.state.dropout:
        return Sign("dropout", is_step=True)
    if matrix.name in ("weight", "undropped"):
        shares = "÷ Σ of column" if frame.state.softmax == "columns" else "÷ Σ"
        return Sign(f"{shares}, mask" if _masks_later(frame) else shares, is_step=True)
    if matrix.name == "layer_output":
        return Sign("=" if frame.state.b_o is None else "+ b_O =")
    return _SIGNS.get(matrix.name, Sign())


def _masks_later(frame: Frame) -> bool:
    """Tell whether the mask acts after the softmax."""
    return frame.state.has_mask and frame.state.masking.startswith("after")


def _sign_of_mask(frame: Frame) -> Sign:
    """Say what becomes of the scaled scores before the softmax."""
    state = frame.state
    has_bias = frame.layer.effect.bias is not None
    acts = ["cap"] if state.soft_cap else []
    if (state.has_mask and not _masks_later(frame)) or not (state.has_mask or acts or has_bias):
        acts.append("mask")
    return Sign(", ".join(acts), is_step=True) if acts else Sign("=", is_step=not has_bias)
