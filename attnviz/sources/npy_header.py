"""Reads the header of a .npy array without NumPy's loader, which allocates what a header claims and may unpickle.

The header is parsed as a literal of three known keys, and the declared size is held against the real one before
anybody makes room for it.
"""

from __future__ import annotations

import ast
import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz.sources.byte_source import ByteSource
from attnviz.sources.cells import shown

NPY_MAGIC = b"\x93NUMPY"
_HEADER_LIMIT = 10_000
_ELEMENT_LIMIT = 1 << 16
_DTYPE = re.compile(r"[<>|=]?([bfiuUSO])(\d{0,9})")


@dataclass(frozen=True, slots=True, eq=False)
class StoredArray:
    """An array still on the disk, its header taken and checked.

    Parameters
    ----------
    source : ByteSource
        At the first element.
    dtype : numpy.dtype
        Of one element: float, integer, bool, or string of fixed width.
    shape : tuple of int
        None negative.
    is_fortran : bool
        Whether the first axis varies fastest.
    """

    source: ByteSource
    dtype: np.dtype[np.generic]
    shape: tuple[int, ...]
    is_fortran: bool


def open_array(source: ByteSource) -> StoredArray:
    """Take the header of an array.

    Parameters
    ----------
    source : ByteSource
        At the beginning of a .npy file.

    Returns
    -------
    StoredArray
        With the source at the first element.

    Raises
    ------
    FileError
        When the header is damaged, the elements are Python objects or of another unknown kind, or the array is
        declared larger than the file.
    """
    start = source.read(8)
    if len(start) < 8 or not start.startswith(NPY_MAGIC) or start[6] not in {1, 2, 3}:
        raise source.fail("expected a NumPy array of format version 1 to 3, got something else")
    length = int.from_bytes(source.read(2 if start[6] == 1 else 4), "little")
    if length > _HEADER_LIMIT:
        raise source.fail(f"expected an array header of at most {_HEADER_LIMIT:,} bytes, got {length:,}")
    text = source.read(length).decode("utf-8", "replace")
    dtype_name, shape, is_fortran = _parse(source, text)
    dtype = _to_dtype(source, dtype_name)
    size = math.prod(shape) * dtype.itemsize
    start_size = (10 if start[6] == 1 else 12) + length
    if source.size is not None and size > source.size - start_size:
        raise source.fail(
            f"expected an array of shape {shown(str(shape))} to fill {size:,} bytes, got {source.size - start_size:,}"
        )
    return StoredArray(source, dtype, shape, is_fortran)


def read_elements(array: StoredArray, count: int) -> NDArray[np.generic]:
    """Take the next elements of an array as they are stored.

    Parameters
    ----------
    array : StoredArray
        With its source at the first of them.
    count : int
        How many.

    Returns
    -------
    array of one axis

    Raises
    ------
    FileError
        When the file ends before the last of them.
    """
    size = count * array.dtype.itemsize
    block = array.source.read(size)
    if len(block) < size:
        raise array.source.fail(f"expected an array of shape {array.shape}, but the file ends before its last element")
    return np.frombuffer(block, dtype=array.dtype)


def _parse(source: ByteSource, text: str) -> tuple[str, tuple[int, ...], bool]:
    try:
        header: object = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise source.fail(f"expected an array header, got {shown(text.strip())}") from error
    if not isinstance(header, dict) or set(header) != {"descr", "fortran_order", "shape"}:
        raise source.fail(f"expected an array header with descr, fortran_order and shape, got {shown(text.strip())}")
    dtype_name, shape, is_fortran = header["descr"], header["shape"], header["fortran_order"]
    if not isinstance(dtype_name, str):
        raise source.fail("expected an array of numbers or strings, got one with named fields")
    is_shape = isinstance(shape, tuple) and all(type(length) is int and length >= 0 for length in shape)
    if not is_shape or not isinstance(is_fortran, bool):
        raise source.fail(f"expected a shape of whole numbers, got {shown(str(shape))}")
    return dtype_name, shape, is_fortran


def _to_dtype(source: ByteSource, name: str) -> np.dtype[np.generic]:
    match = _DTYPE.fullmatch(name)
    if match is not None and match[1] == "O":
        raise source.fail(
            "expected numbers or fixed-width strings, got Python objects, which can run code and are never loaded; "
            "save tokens with numpy.array(words, dtype=str)"
        )
    try:
        dtype = np.dtype(name if match is not None else "V")
    except TypeError as error:
        raise source.fail(f"expected numbers or strings, got elements of type {shown(name)}") from error
    if match is None or not 0 < dtype.itemsize <= _ELEMENT_LIMIT:
        raise source.fail(f"expected numbers or strings, got elements of type {shown(name)}")
    return dtype
