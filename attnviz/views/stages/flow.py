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
    "w_q": Sign("×"),
    "q": Sign("="),
    "score": Sign("Q Kᵀ", is_step=True),
    "masked": Sign("mask", is_step=True),
    "exponential": Sign("exp", is_step=True),
    "weight": Sign("÷ Σ", is_step=True),
    "output": Sign("× V", is_step=True),
    "concatenated": Sign("all heads", is_step=True),
    "w_o": Sign("×"),
}


def sign_before(matrix: Matrix, frame: Frame) -> Sign:
    """Give the sign before a matrix; the multiplier is a number of the frame."""
    if matrix.name == "scaled":
        return Sign(f"× {number_text(frame.multiplier)}", is_step=True, is_number=True)
    if matrix.name == "layer_output":
        return Sign("=" if frame.state.b_o is None else "+ b_O =")
    return _SIGNS.get(matrix.name, Sign())
