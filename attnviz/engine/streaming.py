"""Attention over thousands of tokens in row blocks that stay in the processor's cache.

At 2,048 tokens the score matrix has four million cells and a screen shows a fraction of them. Writing every
intermediate to memory would cost most of the time, so only what has one number or vector per row is kept, and
the cells somebody looks at are computed again when asked for.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviz.engine.arrays import BoolArray, FloatArray, as_mask, as_matrix, read_only, require_finite
from attnviz.engine.normalise import LOWEST_EXPONENT, exponential
from attnviz.engine.products import LARGEST, bounded_multiplier, check_widths, needs_reproducible, product_into
from attnviz.engine.scales import full_multiplier

Indices = NDArray[np.intp]
Range = tuple[float, float]

STAGES = ("scores", "scaled", "masked", "exponentials", "weights")
_CELL_BLOCK = 64
_CEILING = np.array([-np.inf, np.inf])  # the most a cell may be, banned and allowed


@dataclass(frozen=True, slots=True, eq=False)
class StreamedAttention:
    """One attention computation without its (n_query, n_key) arrays; made by `stream`.

    Parameters
    ----------
    q, k, v : ndarray, shapes (n_query, d_k), (n_key, d_k), (n_key, d_v)
        The inputs, read-only.
    allowed : ndarray of bool, shape (n_query, n_key), or None
        True = may attend.
    causal_offset : int or None
        Query i sees key j only where j <= i + causal_offset.
    multiplier : float
        scale factor / temperature, the number that multiplies the scores.
    row_max : ndarray, shape (n_query,)
        The largest visible scaled score; 0 in an empty row.
    normaliser : ndarray, shape (n_query,)
        The sum of the row's exponentials; 0 in an empty row.
    output : ndarray, shape (n_query, d_v)
        weights v; 0 in an empty row.
    empty_rows : ndarray of bool, shape (n_query,)
        True where a query has no visible key.
    score_range, scaled_range : tuple of float
        Smallest and largest raw score and scaled score, over all cells, visible or not.
    is_reproducible : bool
        True where the multiplier is so large that scores are computed by `reproducible_product`.
    """

    q: FloatArray
    k: FloatArray
    v: FloatArray
    allowed: BoolArray | None
    causal_offset: int | None
    multiplier: float
    row_max: FloatArray
    normaliser: FloatArray
    output: FloatArray
    empty_rows: BoolArray
    score_range: Range
    scaled_range: Range
    is_reproducible: bool

    def cells(self, stage: str, rows: ArrayLike, columns: ArrayLike) -> FloatArray:
        """Compute the cells where some rows and columns cross.

        Parameters
        ----------
        stage : str
            "scores", "scaled", "masked", "exponentials" or "weights", as in `AttentionTrace`.
        rows : array_like of int, shape (r,)
            Query indices from 0 to n_query - 1, in any order.
        columns : array_like of int, shape (c,)
            Key indices from 0 to n_key - 1, in any order.

        Returns
        -------
        ndarray of float64, shape (r, c)
            The numbers `attend` gives, at a cost that grows with r * c alone.

        Raises
        ------
        ValueError
            If the stage is unknown or an index is out of range.
        """
        if stage not in STAGES:
            raise ValueError(f"stage must be one of {', '.join(map(repr, STAGES))}, got {stage!r}")
        chosen_rows = _checked_indices("rows", rows, len(self.q))
        chosen_columns = _checked_indices("columns", columns, len(self.k))
        cells = np.empty((chosen_rows.size, chosen_columns.size))
        keys = np.ascontiguousarray(self.k[chosen_columns].T)
        with np.errstate(all="ignore"):
            for part in _blocks(chosen_rows.size, _CELL_BLOCK):
                self._fill(stage, cells[part], chosen_rows[part], chosen_columns, keys)
        cells += 0.0
        return cells

    def visible(self, rows: ArrayLike, columns: ArrayLike) -> BoolArray:
        """Tell which cells may be attended to where some rows and columns cross.

        Parameters
        ----------
        rows : array_like of int, shape (r,)
            Query indices from 0 to n_query - 1.
        columns : array_like of int, shape (c,)
            Key indices from 0 to n_key - 1.

        Returns
        -------
        ndarray of bool, shape (r, c)
            True = may attend.

        Raises
        ------
        ValueError
            If an index is out of range.
        """
        chosen_rows = _checked_indices("rows", rows, len(self.q))
        return self._visible(chosen_rows, _checked_indices("columns", columns, len(self.k)))

    def _visible(self, rows: Indices, columns: Indices) -> BoolArray:
        """Cross the rule of the causal diagonal with the stored mask."""
        seen = np.ones((rows.size, columns.size), dtype=np.bool_)
        if self.causal_offset is not None:
            seen &= columns <= rows[:, np.newaxis] + self.causal_offset
        if self.allowed is not None:
            seen &= self.allowed[np.ix_(rows, columns)]
        return seen

    def _fill(self, stage: str, cells: FloatArray, rows: Indices, columns: Indices, keys: FloatArray) -> None:
        """Compute one block of cells up to a stage."""
        product_into(cells, self.q[rows], keys, is_reproducible=self.is_reproducible)  # (r, d_k) @ (d_k, c) -> (r, c)
        if stage == "scores":
            return
        cells *= self.multiplier
        if stage == "scaled":
            return
        if self.causal_offset is not None or self.allowed is not None:
            cells[~self._visible(rows, columns)] = -np.inf
        if stage == "masked":
            return
        cells -= self.row_max[rows, np.newaxis]
        exponential(np.minimum(cells, 0.0, out=cells))
        if stage == "weights":
            cells /= np.where(self.empty_rows, 1.0, self.normaliser)[rows, np.newaxis]


def stream(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    scale: str | float = "sqrt_d_k",
    temperature: float = 1.0,
    allowed: ArrayLike | None = None,
    causal_offset: int | None = None,
    block: int = 32,
) -> StreamedAttention:
    """Compute what `attend` computes for one large head, keeping one number or vector per row.

    Parameters
    ----------
    q : array_like, shape (n_query, d_k)
        Queries, finite.
    k : array_like, shape (n_key, d_k)
        Keys, finite.
    v : array_like, shape (n_key, d_v)
        Values, finite.
    scale : str or float
        A name in `SCALE_RULES`, or a finite number that multiplies the scores.
    temperature : float
        Divides the scaled scores; above 0.
    allowed : array_like of bool, shape (n_query, n_key), or None
        True = may attend.
    causal_offset : int or None
        Query i sees key j only where j <= i + causal_offset (see `causal_offset`); needs no mask array
        and saves the work on banned cells. Together with `allowed` both must hold.
    block : int
        Rows worked on at a time; 32 rows of 2,048 keys fit the second-level cache.

    Returns
    -------
    StreamedAttention
        Row maxima, normalisers, outputs and ranges; single cells on request.

    Raises
    ------
    ValueError
        For the causes of `attend`, and if an input has more than two axes or `block` is below 1.

    References
    ----------
    Milakov and Gimelshein (2018), "Online normalizer calculation for softmax", section 2.

    Examples
    --------
    >>> x = [[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]]
    >>> seen = stream(x, x, x)
    >>> seen.cells("weights", [0], [0, 1, 2]).round(3)
    array([[0.432, 0.389, 0.179]])
    """
    query, key, value = (_checked_input(name, array) for name, array in (("q", q), ("k", k), ("v", v)))
    check_widths(query, key, value)
    if block < 1:
        raise ValueError(f"block must be at least 1, got {block}")
    mask = None if allowed is None else as_mask("mask", allowed, (len(query), len(key)))
    multiplier = full_multiplier(scale, temperature, query.shape[1])
    with np.errstate(all="ignore"):
        peak = _peak(query, key, multiplier, block)
        is_reproducible = needs_reproducible(multiplier, peak, query.shape[1])
        multiplier = bounded_multiplier(multiplier, peak)
        sweep = _Sweep((len(query), len(key), value.shape[1]), block, multiplier, mask, causal_offset)
        sweep.run(query, key, value, is_reproducible=is_reproducible)
    low, high = sorted((sweep.low * multiplier + 0.0, sweep.high * multiplier + 0.0))
    for array in (sweep.row_max, sweep.normaliser, sweep.output):
        read_only(array)
    return StreamedAttention(
        q=query,
        k=key,
        v=value,
        allowed=mask,
        causal_offset=causal_offset,
        multiplier=multiplier,
        row_max=sweep.row_max,
        normaliser=sweep.normaliser,
        output=sweep.output,
        empty_rows=read_only(sweep.normaliser == 0.0),
        score_range=(sweep.low + 0.0, sweep.high + 0.0),
        scaled_range=(low, high),
        is_reproducible=is_reproducible,
    )


class _Sweep:
    """One pass over all rows, block by block, in one reused buffer."""

    def __init__(
        self,
        shape: tuple[int, int, int],
        block: int,
        multiplier: float,
        allowed: BoolArray | None,
        offset: int | None,
    ) -> None:
        n_query, n_key, d_v = shape
        self.multiplier, self.allowed, self.offset = multiplier, allowed, offset
        self.row_max = np.zeros(n_query)
        self.normaliser = np.zeros(n_query)
        self.output = np.zeros((n_query, d_v))
        self.low, self.high = np.inf, -np.inf
        self.buffer = np.empty((min(block, n_query), n_key))
        self.work = self.buffer.reshape(-1) if offset is None else np.empty(self.buffer.size)
        self.ceiling = self.buffer if allowed is None else np.empty_like(self.buffer)

    def run(self, query: FloatArray, key: FloatArray, value: FloatArray, *, is_reproducible: bool) -> None:
        """Work through all blocks and bring the outputs back to the values' own magnitude."""
        keys = np.ascontiguousarray(key.T)
        shrink = _headroom(value, len(key))
        small = value * shrink
        for rows in _blocks(len(query), len(self.buffer)):
            cells = self.buffer[: rows.stop - rows.start]
            product_into(cells, query[rows], keys, is_reproducible=is_reproducible)
            self._normalise(rows, cells, small)
        if shrink != 1.0:
            np.clip(self.output, -LARGEST * shrink, LARGEST * shrink, out=self.output)
            self.output /= shrink
        self.output += 0.0

    def _normalise(self, rows: slice, cells: FloatArray, value: FloatArray) -> None:
        """Turn a block of raw scores in place into exponentials; note ranges, row maxima, sums and outputs."""
        peak, is_narrow = self._measure(cells)
        width = cells.shape[1] if self.offset is None else max(0, min(cells.shape[1], rows.stop + self.offset))
        if width == 0:
            return
        work = self.work[: len(cells) * width].reshape(len(cells), width)
        cells = np.multiply(cells[:, :width], self.multiplier, out=work)
        finite = self._ban(rows, cells)
        if finite < width or self.offset is not None:
            peak = np.maximum.reduce(cells, axis=1)
            peak[peak == -np.inf] = 0.0
        cells -= peak[:, np.newaxis]
        if not is_narrow:
            finite = 0
        np.exp(cells[:, :finite], out=cells[:, :finite])
        exponential(cells[:, finite:])
        total = np.add.reduce(cells, axis=1)
        self.row_max[rows] = peak
        self.normaliser[rows] = total
        mixed = np.matmul(cells, value[:width])  # (b, n_key) @ (n_key, d_v) -> (b, d_v)
        self.output[rows] = mixed / np.where(total > 0.0, total, 1.0)[:, np.newaxis]

    def _measure(self, cells: FloatArray) -> tuple[FloatArray, bool]:
        """Widen the range of the raw scores; give the row maxima and whether no exponent can leave the fast range."""
        least, most = np.minimum.reduce(cells, axis=1), np.maximum.reduce(cells, axis=1)
        self.low = min(self.low, float(least.min()))
        self.high = max(self.high, float(most.max()))
        spread = float((most - least).max()) * abs(self.multiplier)
        return (most if self.multiplier >= 0 else least) * self.multiplier, spread < -LOWEST_EXPONENT

    def _ban(self, rows: slice, cells: FloatArray) -> int:
        """Put -inf where a key may not be seen; give the number of leading columns without any."""
        width = cells.shape[1]
        if self.allowed is not None:
            ceiling = self.ceiling[: len(cells), :width]
            np.take(_CEILING, self.allowed[rows, :width].view(np.uint8), out=ceiling, mode="clip")
            np.minimum(cells, ceiling, out=cells)
        if self.offset is None:
            return width if self.allowed is None else 0
        first = min(width, max(0, rows.start + self.offset + 1))
        last_seen = np.arange(rows.start, rows.stop)[:, np.newaxis] + self.offset
        np.copyto(cells[:, first:], -np.inf, where=np.arange(first, width) > last_seen)
        return first if self.allowed is None else 0


def _checked_input(name: str, value: ArrayLike) -> FloatArray:
    """Take a finite matrix of exactly two axes."""
    array = as_matrix(name, value)
    if array.ndim != 2:
        raise ValueError(f"{name} must have 2 axes (tokens, channels), got shape {array.shape}")
    require_finite(name, array)
    return array


def _checked_indices(name: str, value: ArrayLike, count: int) -> Indices:
    """Take integer indices from 0 to count - 1."""
    array = np.atleast_1d(np.asarray(value))
    if array.size == 0:
        return np.empty(0, dtype=np.intp)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise ValueError(f"{name} must be a list of whole numbers, got {array.dtype.name} of shape {array.shape}")
    if array.min() < 0 or array.max() >= count:
        raise ValueError(f"{name} must lie between 0 and {count - 1}, got {array.min()} to {array.max()}")
    return array.astype(np.intp)


def _blocks(count: int, size: int) -> Iterator[slice]:
    """Cut 0 .. count into slices of a size."""
    for start in range(0, count, size):
        yield slice(start, min(count, start + size))


def _peak(query: FloatArray, key: FloatArray, multiplier: float, block: int) -> float:
    """Bound the largest |score| from above; look at every score only if the bound might overflow."""
    bound: float = query.shape[1] * float(np.abs(query).max()) * float(np.abs(key).max())
    if bound <= LARGEST and bound * abs(multiplier) <= LARGEST:
        return bound
    peak = 0.0
    for rows in _blocks(len(query), block):
        peak = max(peak, float(np.abs(query[rows] @ key.T).max()))
    if not peak <= LARGEST:
        raise ValueError("q k^T must stay below 1.8e308 in magnitude, got a product that overflows")
    return peak


def _headroom(value: FloatArray, n_key: int) -> float:
    """Find a power of two that keeps a sum of n_key values finite: 1 for all but astronomical values."""
    if float(np.abs(value).max()) <= LARGEST / (2 * n_key):
        return 1.0
    return float(2.0 ** -(n_key.bit_length() + 1))
