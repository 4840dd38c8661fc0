"""A matrix of a frame as the strip shows it: its picture and the texts around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from attnviz.document.frame import Frame
from attnviz.document.matrices import Matrix, matrices_of
from attnviz.views.matrix.lettering import limit_text
from attnviz.views.matrix.of_frame import picture_of
from attnviz.views.matrix.picture import MatrixPicture
from attnviz.views.numbers import short_text
from attnviz.views.stages.flow import sign_before
from attnviz.views.stages.placed import Asked

_USUAL_RANGE, _USUAL_SIGN = "±0.000", "× 0.000"


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One matrix as it is shown now.

    Parameters
    ----------
    matrix : Matrix
        Which one.
    picture : MatrixPicture
        Its numbers.
    formula, range_text, sign_text : str
        Where it comes from, the drawn range, and the sign before it.
    asked : Asked
        What the layout needs to know of it.
    """

    matrix: Matrix
    picture: MatrixPicture
    formula: str
    range_text: str
    sign_text: str
    asked: Asked

    @property
    def heading(self) -> str:
        """Formula, which begins with the symbol, and shape on one line."""
        return f"{self.formula}   {self.asked.shape_text}"

    @property
    def spoken(self) -> str:
        """Name, formula and shape as a sentence."""
        rows, columns = self.asked.shape
        return f"{self.matrix.label}, {self.formula}, {rows:,} × {columns:,}"


def shown_matrices(frame: Frame) -> tuple[Shown, ...]:
    """Give all matrices of a frame from left to right."""
    return tuple(_shown(matrix, frame) for matrix in matrices_of(frame))


def _shown(matrix: Matrix, frame: Frame) -> Shown:
    picture, sign = picture_of(matrix, frame), sign_before(matrix, frame)
    low, high = picture.limits
    range_text = f"±{short_text(high)}" if low else f"0 – {limit_text(high)}"
    asked = Asked(
        name=matrix.name,
        symbol=matrix.symbol,
        label=matrix.label,
        shape=picture.shape,
        range_template=_template(range_text, _USUAL_RANGE),
        sign_template=_template(sign.text, _USUAL_SIGN) if sign.is_number else sign.text,
        is_step=sign.is_step,
        is_sign_a_number=sign.is_number,
    )
    return Shown(matrix, picture, matrix.formula_in(frame), range_text, sign.text, asked)


def _template(text: str, usual: str) -> str:
    """Give a text at least as wide, and the same for all numbers of so many digits."""
    return usual if len(text) <= len(usual) else re.sub(r"\d", "0", text)
