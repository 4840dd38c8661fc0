"""The shapes of one pass: which matrices meet, how large each is, and what every size counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from attnviz.document.frame import Frame
from attnviz.document.matrices import AxisName

SizeName: TypeAlias = Literal["n_query", "n_key", "d", "d_k", "d_v", "h · d_v", "d_out"]

SIZE_OF_AXIS: dict[AxisName, SizeName] = {
    "query": "n_query",
    "key": "n_key",
    "coordinate": "d",
    "d_k": "d_k",
    "d_v": "d_v",
    "channel": "h · d_v",
    "d_out": "d_out",
}


@dataclass(frozen=True, slots=True)
class Size:
    """One side of a matrix: how many, and of what."""

    name: SizeName
    count: int


@dataclass(frozen=True, slots=True)
class Shape:
    """A matrix by its letter with both of its sizes."""

    symbol: str
    rows: Size
    columns: Size

    @property
    def text(self) -> str:
        """The letter and the sizes, as in ``Q 3×2``."""
        return f"{self.symbol} {self.rows.count:,}×{self.columns.count:,}"


@dataclass(frozen=True, slots=True)
class ShapeProduct:
    """Two matrices that are multiplied, and what comes of them; the size between them vanishes."""

    left: Shape
    right: Shape
    result: Shape

    @property
    def text(self) -> str:
        """All three, as in ``Q 3×2 · Kᵀ 2×5 → S 3×5``."""
        return f"{self.left.text} · {self.right.text} → {self.result.text}"


def products_of(frame: Frame) -> tuple[ShapeProduct, ...]:
    """Give the five products of a head, from embeddings to outputs.

    Parameters
    ----------
    frame : Frame
        The head.

    Returns
    -------
    tuple of ShapeProduct
        Queries, keys, values, scores, outputs; keys and values come from C in cross-attention.
    """
    state = frame.state
    n_query, n_key = Size("n_query", frame.n_query), Size("n_key", frame.n_key)
    d, d_k, d_v = Size("d", state.width), Size("d_k", state.d_k), Size("d_v", int(frame.v.shape[1]))
    asking = Shape("X", n_query, d)
    answering = Shape("X", n_key, d) if state.context is None else Shape("C", n_key, d)
    return (
        ShapeProduct(asking, Shape("W_Q", d, d_k), Shape("Q", n_query, d_k)),
        ShapeProduct(answering, Shape("W_K", d, d_k), Shape("K", n_key, d_k)),
        ShapeProduct(answering, Shape("W_V", d, d_v), Shape("V", n_key, d_v)),
        ShapeProduct(Shape("Q", n_query, d_k), Shape("Kᵀ", d_k, n_key), Shape("S", n_query, n_key)),
        ShapeProduct(Shape("A", n_query, n_key), Shape("V", n_key, d_v), Shape("Y", n_query, d_v)),
    )
