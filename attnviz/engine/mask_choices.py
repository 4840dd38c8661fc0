"""The masks to choose from, each made from one request that holds the settings of them all."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attnviz.engine.arrays import BoolArray
from attnviz.engine.masks import block_mask, causal_mask, checked_count, padding_mask, prefix_mask, window_mask
from attnviz.engine.registry import Registry


@dataclass(frozen=True, slots=True, eq=False)
class MaskRequest:
    """The sizes and settings from which every entry of `MASKS` takes what it needs.

    Parameters
    ----------
    n_query, n_key : int
        Numbers of queries and keys, at least 1.
    align : str
        A name in `ALIGNMENTS`: which key is a query's own, for every mask that asks.
    width : int
        Reach of the window, at least 1; see `window_mask`.
    prefix : int
        Number of leading keys that everybody sees, at least 1.
    size : int
        Tokens per block, at least 1.
    is_real : array_like of bool, shape (n_key,), or None
        True = a real token, False = padding; None is all real.
    """

    n_query: int
    n_key: int
    align: str = "bottom_right"
    width: int = 2
    prefix: int = 1
    size: int = 2
    is_real: ArrayLike | None = None


MaskRule = Callable[[MaskRequest], BoolArray]

MASKS: Registry[MaskRule] = Registry("mask")


@MASKS.register("none", "None", "Every query sees every key.")
def _none(request: MaskRequest) -> BoolArray:
    """See `MASKS`."""
    shape = checked_count("n_query", request.n_query), checked_count("n_key", request.n_key)
    return np.ones(shape, dtype=np.bool_)


@MASKS.register("causal", "Causal", "A query sees the keys up to its own position.")
def _causal(request: MaskRequest) -> BoolArray:
    """See `causal_mask`."""
    return causal_mask(request.n_query, request.n_key, request.align)


@MASKS.register("window", "Window", "A query sees the keys near it, on both sides.")
def _window(request: MaskRequest) -> BoolArray:
    """See `window_mask`."""
    return window_mask(request.n_query, request.n_key, request.width, request.align)


@MASKS.register("causal_window", "Causal window", "A query sees its own key and a few before it.")
def _causal_window(request: MaskRequest) -> BoolArray:
    """See `window_mask` and `causal_mask`."""
    return _window(request) & _causal(request)


@MASKS.register("prefix", "Prefix", "Everybody sees the prefix; beyond it a query sees up to its own position.")
def _prefix(request: MaskRequest) -> BoolArray:
    """See `prefix_mask`."""
    return prefix_mask(request.n_query, request.n_key, request.prefix, request.align)


@MASKS.register("block", "Blocks", "A query sees the keys of its own block.")
def _block(request: MaskRequest) -> BoolArray:
    """See `block_mask`."""
    return block_mask(request.n_query, request.n_key, request.size, request.align)


@MASKS.register("padding", "Padding", "The columns of padding keys are banned for every query.")
def _padding(request: MaskRequest) -> BoolArray:
    """See `padding_mask`."""
    is_real = np.ones(request.n_key, dtype=np.bool_) if request.is_real is None else np.asarray(request.is_real)
    if is_real.shape != (request.n_key,):
        raise ValueError(f"is_real must have shape ({request.n_key},), got {is_real.shape}")
    return padding_mask(request.n_query, is_real)
