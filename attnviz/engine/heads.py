"""Multi-head attention: projections, heads with their own channels, grouped keys and values, and W_O."""

from dataclasses import dataclass
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from attnviz.engine.arrays import FloatArray, as_matrix, as_numbers, read_only, require_finite
from attnviz.engine.attention import Dropout, attend
from attnviz.engine.masks import checked_count
from attnviz.engine.positions import rotary as rotate
from attnviz.engine.products import LARGEST
from attnviz.engine.trace import AttentionTrace


class AttendOptions(TypedDict, total=False):
    """The keyword arguments of `attend` that `attend_heads` passes on."""

    scale: str | float
    temperature: float
    allowed: ArrayLike | None
    bias: ArrayLike | None
    masking: str
    softmax: str
    sink: ArrayLike | None
    dropout: Dropout | None
    soft_cap: float | None
    pinned_scores: ArrayLike | None
    pinned_weights: ArrayLike | None


@dataclass(frozen=True, slots=True, eq=False)
class Rotary:
    """How queries and keys are turned; see `rotary`.

    Parameters
    ----------
    positions : array_like, shape (n_query,) or (..., n_query), or None
        Positions of the queries; None is 0, 1, 2, ...
    context_positions : array_like, shape (n_key,) or (..., n_key), or None
        Positions of the keys; None takes `positions` in self-attention, else 0, 1, 2, ...
    base : float
        Above 0.
    pairing : str
        A name in `PAIRINGS`.
    width : int or None
        Even number of leading channels to turn in each head; None turns all.
    """

    positions: ArrayLike | None = None
    context_positions: ArrayLike | None = None
    base: float = 10000.0
    pairing: str = "half"
    width: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class HeadsTrace:
    """Everything `attend_heads` computed; all arrays are read-only float64.

    Parameters
    ----------
    x : ndarray, shape (..., n_query, d_model)
        Where the queries come from.
    context : ndarray, shape (..., n_key, d_context)
        Where the keys and values come from; the same array as `x` in self-attention.
    query, key, value : ndarray, shapes (..., n_query, h * d_k), (..., n_key, g * d_k), (..., n_key, g * d_v)
        The projections before they are cut into h query heads and g key/value heads.
    kv_head : tuple of int
        For each query head the key/value head it reads.
    heads : AttentionTrace
        Attention of all heads at once, with a head axis before the token axes; rotated where rotary is used.
    concatenated : ndarray, shape (..., n_query, h * d_v)
        The heads' outputs side by side.
    w_o : ndarray, shape (h * d_v, d_out), or None
        The output projection.
    output : ndarray, shape (..., n_query, d_out)
        concatenated w_o + b_o; the concatenated outputs themselves without w_o.
    """

    x: FloatArray
    context: FloatArray
    query: FloatArray
    key: FloatArray
    value: FloatArray
    kv_head: tuple[int, ...]
    heads: AttentionTrace
    concatenated: FloatArray
    w_o: FloatArray | None
    output: FloatArray

    def contributions(self) -> FloatArray:
        """Split the output into the parts that the heads contribute.

        Returns
        -------
        ndarray of float64, shape (..., h, n_query, d_out)
            Head h's output times its rows of w_o; summed over the heads, plus b_o, this is `output`. Without w_o
            each head fills its own channels and leaves the others 0.
        """
        n_heads = len(self.kv_head)
        width = self.concatenated.shape[-1]
        projection = np.eye(width) if self.w_o is None else self.w_o
        return self.heads.output @ projection.reshape(n_heads, width // n_heads, -1)


def split_heads(x: ArrayLike, n_heads: int) -> FloatArray:
    """Cut the channels into heads: head h takes channels h * d_h to (h + 1) * d_h - 1.

    Parameters
    ----------
    x : array_like, shape (..., n, d)
        One row per token.
    n_heads : int
        At least 1; must divide d.

    Returns
    -------
    ndarray of float64, shape (..., n_heads, n, d / n_heads)
        A read-only array.

    Raises
    ------
    ValueError
        If the number of heads is below 1 or does not divide the width.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.2.

    Examples
    --------
    >>> split_heads([[0, 1, 2, 3], [4, 5, 6, 7]], 2)[0]
    array([[0., 1.],
           [4., 5.]])
    """
    rows = as_matrix("x", x)
    count = checked_count("n_heads", n_heads)
    *leading, length, width = rows.shape
    if width % count:
        raise ValueError(f"n_heads must divide the width {width}, got {count}")
    return read_only(rows.reshape(*leading, length, count, width // count).swapaxes(-2, -3))


def merge_heads(x: ArrayLike) -> FloatArray:
    """Put the heads' channels side by side again; the inverse of `split_heads`.

    Parameters
    ----------
    x : array_like, shape (..., n_heads, n, d_h)
        One matrix per head.

    Returns
    -------
    ndarray of float64, shape (..., n, n_heads * d_h)
        A read-only array.

    Raises
    ------
    ValueError
        If there is no head axis.

    Examples
    --------
    >>> merge_heads([[[0, 1], [4, 5]], [[2, 3], [6, 7]]])
    array([[0., 1., 2., 3.],
           [4., 5., 6., 7.]])
    """
    parts = as_matrix("x", x)
    if parts.ndim < 3:
        raise ValueError(f"x must have at least 3 axes (heads, tokens, channels), got shape {parts.shape}")
    *leading, count, length, width = parts.shape
    return read_only(parts.swapaxes(-2, -3).reshape(*leading, length, count * width))


def attend_heads(
    x: ArrayLike,
    context: ArrayLike | None = None,
    *,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    w_o: ArrayLike | None = None,
    b_q: ArrayLike | None = None,
    b_k: ArrayLike | None = None,
    b_v: ArrayLike | None = None,
    b_o: ArrayLike | None = None,
    n_heads: int = 1,
    n_kv_heads: int | None = None,
    rotary: Rotary | ArrayLike | None = None,
    **options: Unpack[AttendOptions],
) -> HeadsTrace:
    """Project tokens to queries, keys and values, attend in every head, concatenate and project back.

    Parameters
    ----------
    x : array_like, shape (..., n_query, d_model)
        Tokens as rows.
    context : array_like, shape (..., n_key, d_context), or None
        Where keys and values come from; None is self-attention.
    w_q : array_like, shape (d_model, h * d_k)
        Projection of row vectors (x w_q) to the queries of h heads.
    w_k : array_like, shape (d_context, g * d_k)
        Projection to the keys of g key/value heads.
    w_v : array_like, shape (d_context, g * d_v)
        Projection to the values of g key/value heads.
    w_o : array_like, shape (h * d_v, d_out), or None
        None leaves the concatenated heads as they are.
    b_q : array_like, shape (h * d_k,), or None
        Added to every query row.
    b_k : array_like, shape (g * d_k,), or None
        Added to every key row.
    b_v : array_like, shape (g * d_v,), or None
        Added to every value row.
    b_o : array_like, shape (d_out,), or None
        Added to every output row; needs w_o.
    n_heads : int
        Number h of query heads, at least 1.
    n_kv_heads : int or None
        Number g of key/value heads; must divide h. None is h. Query head i reads key/value head i // (h / g).
    rotary : Rotary, array_like of shape (n_query,), or None
        Turns queries and keys by their positions; an array stands for ``Rotary(positions=array)``.
    **options : see `attend`
        Masks and biases broadcast to (..., h, n_query, n_key). A sink is one number, one per head (h,), or one per
        head and row (h, n_query).

    Returns
    -------
    HeadsTrace
        Projections, the attention of every head, concatenation and output. The scale uses the width d_k of one head.

    Raises
    ------
    ValueError
        For the causes of `attend`; if widths do not fit, the heads do not divide a width, or the key/value heads do
        not divide the heads; if a product leaves the range of float64.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.2. Ainslie et al. (2023), "GQA: Training
    Generalized Multi-Query Transformer Models from Multi-Head Checkpoints", section 2.2.

    Examples
    --------
    >>> x, one = [[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]], [[1.0, 0.0], [0.0, 1.0]]
    >>> attend_heads(x, w_q=one, w_k=one, w_v=one, n_heads=2).heads.weights.shape
    (2, 3, 3)
    """
    tokens = _finite("x", as_matrix("x", x))
    source = tokens if context is None else _finite("context", as_matrix("context", context))
    query = _projected("w_q", "b_q", tokens, w_q, b_q)
    key = _projected("w_k", "b_k", source, w_k, b_k)
    value = _projected("w_v", "b_v", source, w_v, b_v)
    count = checked_count("n_heads", n_heads)
    groups = count if n_kv_heads is None else checked_count("n_kv_heads", n_kv_heads)
    if count % groups:
        raise ValueError(f"n_kv_heads must divide n_heads {count}, got {groups}")
    q, k, v = _cut("w_q", query, count), _cut("w_k", key, groups), _cut("w_v", value, groups)
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"w_q and w_k must give heads of the same width d_k, got {q.shape[-1]} and {k.shape[-1]}")
    if rotary is not None:
        q, k = _turned(q, k, rotary, is_self=context is None)
    repeated = (np.repeat(part, count // groups, axis=-3) if groups < count else part for part in (k, v))
    sink = options.get("sink")
    if sink is not None:
        options["sink"] = _sink_of_heads(sink, count)
    heads = attend(q, *repeated, **options)
    concatenated = merge_heads(heads.output)
    output = concatenated if w_o is None else _projected("w_o", "b_o", concatenated, w_o, b_o)
    if w_o is None and b_o is not None:
        raise ValueError("b_o must be None without w_o, got a bias")
    return HeadsTrace(
        x=tokens,
        context=source,
        query=query,
        key=key,
        value=value,
        kv_head=tuple(head // (count // groups) for head in range(count)),
        heads=heads,
        concatenated=concatenated,
        w_o=None if w_o is None else as_matrix("w_o", w_o),
        output=output,
    )


def _finite(name: str, array: FloatArray) -> FloatArray:
    """Give an array back when it is finite."""
    require_finite(name, array)
    return array


def _projected(name: str, bias_name: str, rows: FloatArray, matrix: ArrayLike, bias: ArrayLike | None) -> FloatArray:
    """Multiply rows by a matrix and add a bias, with everything checked."""
    weight = _finite(name, as_matrix(name, matrix))
    if weight.ndim != 2 or weight.shape[0] != rows.shape[-1]:
        raise ValueError(f"{name} must have shape ({rows.shape[-1]}, ...), got {weight.shape}")
    shift = None if bias is None else _finite(bias_name, as_numbers(bias_name, bias))
    if shift is not None and shift.shape != weight.shape[1:]:
        raise ValueError(f"{bias_name} must have shape {weight.shape[1:]}, got {shift.shape}")
    with np.errstate(all="ignore"):
        product = rows @ weight  # (n, d_in) @ (d_in, d_out) -> (n, d_out)
        product += 0.0 if shift is None else shift
    if not np.abs(product).max() <= LARGEST:
        raise ValueError(f"the product with {name} must stay below 1.8e308 in magnitude, got one that overflows")
    return read_only(product)


def _cut(name: str, rows: FloatArray, count: int) -> FloatArray:
    """Split the columns that a projection gave into heads."""
    if rows.shape[-1] % count:
        raise ValueError(f"{name} must have a number of columns that {count} heads divide, got {rows.shape[-1]}")
    return split_heads(rows, count)


def _turned(q: FloatArray, k: FloatArray, how: Rotary | ArrayLike, *, is_self: bool) -> tuple[FloatArray, FloatArray]:
    """Apply rotary positions to queries and keys of all heads."""
    turn = how if isinstance(how, Rotary) else Rotary(positions=how)
    positions = np.arange(q.shape[-2]) if turn.positions is None else turn.positions
    others = turn.context_positions
    if others is None:
        others = positions if is_self else np.arange(k.shape[-2])
    return _rotated("positions", q, positions, turn), _rotated("context_positions", k, others, turn)


def _rotated(name: str, rows: FloatArray, positions: ArrayLike, turn: Rotary) -> FloatArray:
    """Turn the rows of every head by the same positions."""
    places = as_numbers(name, positions)
    if places.ndim == 0 or places.shape[-1] != rows.shape[-2]:
        raise ValueError(f"rotary {name} must have shape ({rows.shape[-2]},), got {places.shape}")
    return rotate(rows, places[..., np.newaxis, :], turn.base, turn.pairing, turn.width)


def _sink_of_heads(sink: ArrayLike, count: int) -> FloatArray:
    """Give each head its sink logit in every row."""
    logits = as_numbers("sink", sink)
    if logits.ndim != 1:
        return logits
    if logits.shape != (count,):
        raise ValueError(f"sink must have one logit for each of {count} heads, got shape {logits.shape}")
    return logits[:, np.newaxis]
