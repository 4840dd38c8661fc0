"""The state of a document: everything that is edited, saved and undone, and nothing that can be computed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

import numpy as np

from attnviz.document import parameters
from attnviz.document.arrays import BoolArray, FloatArray, frozen_array, frozen_flags, identity, same_bits
from attnviz.document.errors import DocumentError
from attnviz.document.interventions import NO_INTERVENTIONS, Interventions
from attnviz.document.parameters import MAX_KEY_WIDTH
from attnviz.document.plane import Plane, fit_plane
from attnviz.document.scalars import Scalar, ScalarValue
from attnviz.document.snapshots import Snapshot, check_snapshots
from attnviz.document.tokens import MAX_WIDTH, TokenSequence, check_line

Side: TypeAlias = Literal["sequence", "context"]
S = TypeVar("S", bound=ScalarValue)


def _scalar(scalar: Scalar, default: S) -> S:
    """Declare a scalar field: its default, and its description as metadata."""
    return field(default=default, metadata={"scalar": scalar})


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """One state of a document; it checks itself, and its arrays are read-only.

    Parameters
    ----------
    sequence : TokenSequence
        The tokens that ask; in self-attention also the ones that answer. n_query tokens of width d.
    context : TokenSequence or None
        For cross-attention the tokens that answer, n_key of width d; ``None`` for self-attention.
    spare : TokenSequence or None
        In self-attention the tokens that answered before, of width d, kept for when they are wanted again.
    w_q, w_k : (d, m) array
        W_Q and W_K as written down, m >= 1 columns; ``None`` for the identity. How many of the columns
        act, and how many drawn ones follow, is said by ``d_k``: see :mod:`attnviz.document.projection`.
    w_v : (d, h * d_v) array
        W_V; ``None`` for the identity.
    w_o : (h * d_v, d_out) array or None
        W_O, which mixes the concatenated heads; ``None`` leaves them as they are.
    b_q, b_k, b_v, b_o : arrays of one axis, or None
        What is added to every query, key, value and output: one entry for each column of its matrix.
    sinks : (h,) array or None
        The sink logit of each head, from the first on; missing ones are 0. They act where ``has_sink`` says so.
    padding : (n_key,) array of bool or None
        True = padding: no query sees that key. One without any becomes ``None``.
    visible : (n_query, n_key) array of bool or None
        The custom mask, True = may attend; it acts where ``mask`` is "custom". ``None`` allows all.
    position_ids, context_position_ids : (n,) arrays or None
        Where the tokens of a side stand; ``None`` counts from 0. Those of a spare context are kept with it.
    position_table : (n_positions, d) array or None
        Learned positions as far as they are written; drawn rows follow.
    bucket_table : (h, n_buckets) array or None
        Learned biases of distances as far as they are written; drawn rows follow.
    plane : Plane or None
        Where points are drawn and dragged for d > 2; fitted when it is missing. ``None`` for d <= 2.
    interventions : Interventions
        Numbers of q, k, v, scores and weights that are pinned. One in a column of q or k beyond d_k waits until
        the column acts again.
    snapshots : tuple of Snapshot
        Earlier states that are kept under a name.
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
    spare: TokenSequence | None = None
    w_q: FloatArray = None  # type: ignore[assignment]  # filled in below: an array once it is built
    w_k: FloatArray = None  # type: ignore[assignment]  # as above
    w_v: FloatArray = None  # type: ignore[assignment]  # as above
    w_o: FloatArray | None = None
    b_q: FloatArray | None = None
    b_k: FloatArray | None = None
    b_v: FloatArray | None = None
    b_o: FloatArray | None = None
    sinks: FloatArray | None = None
    padding: BoolArray | None = None
    visible: BoolArray | None = None
    position_ids: FloatArray | None = None
    context_position_ids: FloatArray | None = None
    position_table: FloatArray | None = None
    bucket_table: FloatArray | None = None
    plane: Plane | None = None
    interventions: Interventions = NO_INTERVENTIONS
    snapshots: tuple[Snapshot, ...] = ()
    title: str = ""
    description: str = ""
    temperature: float = _scalar(parameters.TEMPERATURE, 1.0)
    d_k: int = _scalar(parameters.D_K, 0)
    scale: str = _scalar(parameters.SCALE, "sqrt_d_k")
    custom_multiplier: float = _scalar(parameters.CUSTOM_MULTIPLIER, 1.0)
    seed: int = _scalar(parameters.SEED, 0)
    mask: str = _scalar(parameters.MASK, "none")
    align: str = _scalar(parameters.ALIGN, "bottom_right")
    window: int = _scalar(parameters.WINDOW, 2)
    prefix: int = _scalar(parameters.PREFIX, 1)
    block: int = _scalar(parameters.BLOCK, 2)
    masking: str = _scalar(parameters.MASKING, "before")
    softmax: str = _scalar(parameters.SOFTMAX, "standard")
    has_sink: bool = _scalar(parameters.SINK, False)
    soft_cap: float = _scalar(parameters.SOFT_CAP, 0.0)
    dropout: float = _scalar(parameters.DROPOUT, 0.0)
    dropout_seed: int = _scalar(parameters.DROPOUT_SEED, 0)
    n_heads: int = _scalar(parameters.HEADS, 1)
    n_kv_heads: int = _scalar(parameters.KV_HEADS, 0)
    is_tied: bool = _scalar(parameters.TIE, False)
    positions: str = _scalar(parameters.POSITIONS, "none")
    shift: int = _scalar(parameters.SHIFT, 0)
    base: float = _scalar(parameters.BASE, 10000.0)
    pairing: str = _scalar(parameters.PAIRING, "half")
    rotary_width: int = _scalar(parameters.ROTARY_WIDTH, 0)
    n_buckets: int = _scalar(parameters.BUCKETS, 8)
    max_distance: int = _scalar(parameters.MAX_DISTANCE, 16)
    is_bidirectional: bool = _scalar(parameters.BIDIRECTIONAL, True)

    def __post_init__(self) -> None:
        d = self.sequence.width
        for name, kept in (("context", self.context), ("spare context", self.spare)):
            if kept is not None and kept.width != d:
                raise DocumentError(
                    f"the {name}'s embeddings must have the width of the sequence's, {d}, got {kept.width}"
                )
        if self.context is not None and self.spare is not None:
            raise DocumentError("a spare context must be left out in cross-attention, got both")
        for name in ("w_q", "w_k", "w_v"):
            object.__setattr__(self, name, _projection(getattr(self, name), name, d))
        if self.w_q.shape != self.w_k.shape:
            raise DocumentError(f"w_k must have the shape of w_q, {self.w_q.shape}, got {self.w_k.shape}")
        self._check_scalars()
        self._check_arrays()
        check_line(self.title, "a title")
        check_line(self.description, "a description")
        object.__setattr__(self, "plane", _plane_for(self))
        check_snapshots(self.snapshots)
        if self.interventions:
            self.interventions.check(_sizes_of_pinned(self))

    def _check_scalars(self) -> None:
        """Check the scalars, and fill in those that others say."""
        object.__setattr__(self, "n_heads", parameters.HEADS.check(self.n_heads))
        if self.d_k == 0:
            object.__setattr__(self, "d_k", max(1, min(self.w_q.shape[1], MAX_KEY_WIDTH) // self.n_heads))
        if self.n_kv_heads == 0:
            object.__setattr__(self, "n_kv_heads", self.n_heads)
        for name, scalar in SCALARS.items():
            value = getattr(self, name)
            if value is not _CHECKED.get(name, _NEVER):
                _CHECKED[name] = checked = scalar.check(value)
                object.__setattr__(self, name, checked)
        heads = self.n_heads
        if heads % self.n_kv_heads:
            raise DocumentError(f"key/value heads must divide the heads, {heads}, got {self.n_kv_heads}")
        if self.w_v.shape[1] % heads:
            raise DocumentError(f"heads must divide the width of the values, {self.w_v.shape[1]}, got {heads}")
        if self.has_sink and self.softmax == "columns":
            raise DocumentError("the softmax must be along rows where there is a sink, got one along columns")
        most = max(MAX_KEY_WIDTH, self.w_q.shape[1])
        if heads * self.d_k > most:
            raise DocumentError(f"heads times d_k must be at most {most:,}, got {heads} · {self.d_k:,}")

    def _check_arrays(self) -> None:
        """Check the optional arrays and make them read-only."""
        d_q, d_values = self.w_q.shape[1], self.w_v.shape[1]
        n_query, n_key = len(self.sequence), len(self.key_sequence)
        if self.w_o is not None:
            w_o = _frozen(self, "w_o", (d_values, None))
            if w_o.shape[1] > MAX_WIDTH:
                raise DocumentError(f"w_o must have 1 to {MAX_WIDTH:,} columns, got {w_o.shape[1]:,}")
        elif self.b_o is not None:
            raise DocumentError("b_o must be left out where w_o is, got a bias")
        d_out = 0 if self.w_o is None else self.w_o.shape[1]
        for name, width in (("b_q", d_q), ("b_k", d_q), ("b_v", d_values), ("b_o", d_out)):
            _frozen(self, name, (width,))
        _frozen(self, "sinks", (None,))
        _frozen(self, "position_ids", (n_query,))
        second = self.spare if self.context is None else self.context
        if second is None and self.context_position_ids is not None:
            raise DocumentError("positions of a context must be left out where there is none, got some")
        _frozen(self, "context_position_ids", (None if second is None else len(second),))
        _frozen(self, "position_table", (None, self.width))
        _frozen(self, "bucket_table", (None, None))
        for name, shape in (("padding", (n_key,)), ("visible", (n_query, n_key))):
            flags = getattr(self, name)
            if flags is not None:
                object.__setattr__(self, name, frozen_flags(flags, name=name, shape=shape))
        if self.padding is not None and not self.padding.any():
            object.__setattr__(self, "padding", None)

    @property
    def key_sequence(self) -> TokenSequence:
        """The tokens that answer: the context, or in self-attention the sequence itself."""
        return self.sequence if self.context is None else self.context

    @property
    def width(self) -> int:
        """The width of an embedding, d."""
        return self.sequence.width

    @property
    def d_v(self) -> int:
        """The width of a value in one head."""
        return int(self.w_v.shape[1]) // self.n_heads

    @property
    def is_causal(self) -> bool:
        """Whether the mask is the causal one."""
        return self.mask == "causal"

    @property
    def has_mask(self) -> bool:
        """Whether any key is hidden from any query, or might be."""
        return self.mask != "none" or self.padding is not None

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


def scalar_of(key: str) -> Scalar:
    """Give the description of the scalar ``key``, the switch of the causal mask included.

    Raises
    ------
    DocumentError
        If there is no such scalar.
    """
    return parameters.CAUSAL_SWITCH if key == parameters.CAUSAL else SCALARS[field_of(key)]


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


def _frozen(state: State, name: str, shape: tuple[int | None, ...]) -> FloatArray:
    """Make an optional array of a state read-only and check its shape, of which ``None`` is any number from 1."""
    given: FloatArray | None = getattr(state, name)
    if given is None:
        return np.empty((0,) * len(shape))
    array = frozen_array(given, name=name, ndim=len(shape))
    expected = tuple(max(got, 1) if size is None else size for size, got in zip(shape, array.shape, strict=True))
    if array.shape != expected:
        raise DocumentError(f"{name} must have shape {expected}, got {array.shape}")
    object.__setattr__(state, name, array)
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
    if first is None or second is None:
        return False  # an optional part, and none
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return same_bits(first, second) if first.dtype == np.float64 else np.array_equal(first, second)
    if isinstance(first, TokenSequence | Plane):
        return first.is_same(second)  # type: ignore[arg-type]  # the other side has the same field's type or None
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(a.is_same(b) for a, b in zip(first, second, strict=True))
    if isinstance(first, float):
        return isinstance(second, float) and first.hex() == second.hex()
    return first == second


_FIELD_NAMES = tuple(f.name for f in dataclasses.fields(State))
SCALARS: dict[str, Scalar] = {f.name: f.metadata["scalar"] for f in dataclasses.fields(State) if "scalar" in f.metadata}
_DECLARED: dict[str, object] = {f.name: f.default for f in dataclasses.fields(State)}
DEFAULTS: dict[str, object] = {scalar.key: _DECLARED[name] for name, scalar in SCALARS.items()}
# What each scalar was when it was last checked: the states of a drag share their scalars, and are checked by identity.
_CHECKED: dict[str, ScalarValue] = {}
_NEVER = object()  # not None, which is no scalar's value and must not pass
