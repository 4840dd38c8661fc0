"""The state of a document: everything that is edited, saved and undone, and nothing that can be computed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import FloatArray, frozen_array, identity, same_bits
from attnviz.document.errors import DocumentError
from attnviz.document.interventions import NO_INTERVENTIONS, Interventions
from attnviz.document.plane import Plane, fit_plane
from attnviz.document.scalars import Scalar, ScalarValue
from attnviz.document.tokens import MAX_WIDTH, TokenSequence, check_line
from attnviz.engine import SCALE_RULES

Side: TypeAlias = Literal["sequence", "context"]
MAX_KEY_WIDTH = 1_024

_SCALE_CHOICES = (
    *((rule.name, rule.label, rule.help) for rule in SCALE_RULES.values()),
    ("custom", "custom", "Multiply the scores by a number of your own."),
)


def _scalar(scalar: Scalar) -> dict[str, Scalar]:
    return {"scalar": scalar}


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """One state of a document; it checks itself, and its arrays are read-only.

    Parameters
    ----------
    sequence : TokenSequence
        The tokens that ask; in self-attention also the ones that answer. n_query tokens of width d.
    context : TokenSequence or None
        For cross-attention the tokens that answer, n_key of width d; ``None`` for self-attention.
    w_q, w_k : (d, m) array
        W_Q and W_K as written down, m >= 1 columns; ``None`` for the identity. How many of the columns
        act, and how many drawn ones follow, is said by ``d_k``: see :mod:`attnviz.document.projection`.
    w_v : (d, d_v) array
        W_V; ``None`` for the identity.
    plane : Plane or None
        Where points are drawn and dragged for d > 2; fitted when it is missing. ``None`` for d <= 2.
    interventions : Interventions
        Numbers of q, k, v, scores and weights that are pinned. One in a column of q or k beyond d_k waits until
        the column acts again.
    title, description : str
        One line that names the scene, and one paragraph that says what to look at.

    Other fields are scalars; their metadata holds label, range and meaning.

    Raises
    ------
    DocumentError
        If widths do not fit each other, or a value is out of its range.
    """

    sequence: TokenSequence
    context: TokenSequence | None = None
    w_q: FloatArray = None  # type: ignore[assignment]  # filled in below: an array once it is built
    w_k: FloatArray = None  # type: ignore[assignment]  # as above
    w_v: FloatArray = None  # type: ignore[assignment]  # as above
    plane: Plane | None = None
    interventions: Interventions = NO_INTERVENTIONS
    title: str = ""
    description: str = ""
    temperature: float = field(
        default=1.0,
        metadata=_scalar(
            Scalar(
                key="temperature",
                label="Temperature T",
                help="Divides the scores before the softmax: low T sharpens to the winner, high T flattens to uniform.",
                kind="number",
                minimum=1e-12,
                maximum=1e12,
                slider=(0.01, 100.0),
                is_logarithmic=True,
                step=0.05,
                undo_name="Set Temperature",
            )
        ),
    )
    d_k: int = field(
        default=0,
        metadata=_scalar(
            Scalar(
                key="d_k",
                label="Key width d_k",
                help="The number of columns of W_Q and W_K that act; "
                "beyond the written ones, columns are drawn from a normal distribution with variance 1/d.",
                kind="count",
                minimum=1,
                maximum=MAX_KEY_WIDTH,
                slider=(1, MAX_KEY_WIDTH),
                is_logarithmic=True,
                step=1,
                undo_name="Set d_k",
            )
        ),
    )
    scale: str = field(
        default="sqrt_d_k",
        metadata=_scalar(
            Scalar(
                key="scale",
                label="Divide scores by",
                help="What the scores are divided by before the softmax; the paper divides by the root of d_k.",
                kind="choice",
                choices=_SCALE_CHOICES,
                undo_name="Set Scale Rule",
            )
        ),
    )
    custom_multiplier: float = field(
        default=1.0,
        metadata=_scalar(
            Scalar(
                key="custom_multiplier",
                label="Custom multiplier",
                help="What the scores are multiplied by under the custom scale rule.",
                kind="number",
                minimum=-1e12,
                maximum=1e12,
                step=0.1,
                undo_name="Set Multiplier",
                shown_when=("scale", "custom"),
            )
        ),
    )
    is_causal: bool = field(
        default=False,
        metadata=_scalar(
            Scalar(
                key="causal",
                label="Causal mask",
                help="Each query sees the keys up to its own place only; banned keys leave before the softmax.",
                kind="switch",
                undo_name="Set Causal Mask",
            )
        ),
    )
    seed: int = field(
        default=0,
        metadata=_scalar(
            Scalar(
                key="seed",
                label="Seed",
                help="Chooses the columns that are drawn where d_k exceeds the written ones.",
                kind="count",
                minimum=0,
                maximum=2**31 - 1,
                undo_name="New Draw",
            )
        ),
    )

    def __post_init__(self) -> None:
        d = self.sequence.width
        if self.context is not None and self.context.width != d:
            raise DocumentError(
                f"the context's embeddings must have the width of the sequence's, {d}, got {self.context.width}"
            )
        for name in ("w_q", "w_k", "w_v"):
            object.__setattr__(self, name, _projection(getattr(self, name), name, d))
        if self.w_q.shape != self.w_k.shape:
            raise DocumentError(f"w_k must have the shape of w_q, {self.w_q.shape}, got {self.w_k.shape}")
        if self.d_k == 0:
            object.__setattr__(self, "d_k", min(self.w_q.shape[1], MAX_KEY_WIDTH))
        for name, scalar in SCALARS.items():
            object.__setattr__(self, name, scalar.check(getattr(self, name)))
        check_line(self.title, "a title")
        check_line(self.description, "a description")
        object.__setattr__(self, "plane", _plane_for(self))
        if self.interventions:
            self.interventions.check(_sizes_of_pinned(self))

    @property
    def key_sequence(self) -> TokenSequence:
        """The tokens that answer: the context, or in self-attention the sequence itself."""
        return self.sequence if self.context is None else self.context

    @property
    def width(self) -> int:
        """The width of an embedding, d."""
        return self.sequence.width

    def side(self, side: Side) -> TokenSequence:
        """Give the tokens of one side.

        Raises
        ------
        DocumentError
            If the context is asked for in self-attention.
        """
        if side == "sequence":
            return self.sequence
        if self.context is None:
            raise DocumentError("a context must be there to be edited, got self-attention")
        return self.context

    def points(self, embeddings: FloatArray) -> FloatArray:
        """Give the coordinates on the plane of rows of embedding space, (n, d) -> (n, 2)."""
        if self.plane is not None:
            return self.plane.project(embeddings)
        if self.width == 2:
            return embeddings
        return np.column_stack([embeddings[:, 0], np.zeros(len(embeddings))])

    def is_same(self, other: State) -> bool:
        """Tell whether ``other`` is this state to the last bit."""
        return all(_is_same_value(getattr(self, f), getattr(other, f)) for f in _FIELD_NAMES)


def scalars_of(state: State) -> Iterator[tuple[Scalar, ScalarValue]]:
    """Give each scalar of a state with its value, in the order of the fields."""
    for name, scalar in SCALARS.items():
        yield scalar, getattr(state, name)


def field_of(key: str) -> str:
    """Give the name of the field that the scalar ``key`` stands for.

    Raises
    ------
    DocumentError
        If there is no such scalar; the message lists those there are.
    """
    for name, scalar in SCALARS.items():
        if scalar.key == key:
            return name
    raise DocumentError(f"a setting must be one of {', '.join(s.key for s in SCALARS.values())}, got {key!r}")


def _projection(matrix: FloatArray | None, name: str, width: int) -> FloatArray:
    if matrix is None:
        return identity(width)
    if matrix is identity(width):
        return matrix
    array = frozen_array(matrix, name=name, ndim=2)
    if array.shape[0] != width:
        raise DocumentError(f"{name} must have one row per coordinate of an embedding, {width}, got {array.shape[0]}")
    if not 1 <= array.shape[1] <= MAX_WIDTH:
        raise DocumentError(f"{name} must have 1 to {MAX_WIDTH:,} columns, got {array.shape[1]:,}")
    return array


def _plane_for(state: State) -> Plane | None:
    if state.width <= 2:
        return None
    if state.plane is None:
        every = [state.sequence.embeddings] + ([] if state.context is None else [state.context.embeddings])
        return fit_plane(np.concatenate(every))
    if state.plane.width != state.width:
        raise DocumentError(f"the plane must have the width of the embeddings, {state.width}, got {state.plane.width}")
    return state.plane


def _sizes_of_pinned(state: State) -> dict[str, tuple[int, int]]:
    n_query, n_key = len(state.sequence), len(state.key_sequence)
    return {
        "q": (n_query, MAX_KEY_WIDTH),
        "k": (n_key, MAX_KEY_WIDTH),
        "v": (n_key, state.w_v.shape[1]),
        "score": (n_query, n_key),
        "weight": (n_query, n_key),
    }


def _is_same_value(first: object, second: object) -> bool:
    if first is second:
        return True
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return same_bits(first, second)
    if isinstance(first, TokenSequence | Plane):
        return first.is_same(second)  # type: ignore[arg-type]  # the other side has the same field's type or None
    if isinstance(first, float):
        return isinstance(second, float) and first.hex() == second.hex()
    return first == second


_FIELD_NAMES = tuple(f.name for f in dataclasses.fields(State))
SCALARS: dict[str, Scalar] = {f.name: f.metadata["scalar"] for f in dataclasses.fields(State) if "scalar" in f.metadata}
