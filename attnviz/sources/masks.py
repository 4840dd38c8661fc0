"""Reads masks from .npy and .npz, CSV and TSV; what True means in them is asked by whoever shows both readings.

A mask of numbers that are added to the scores says itself what it means: 0 lets a query see a key, a very negative
number bans the key.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray
from attnviz.document.errors import DocumentError
from attnviz.sources.byte_source import ByteSource, Pulse
from attnviz.sources.cells import shown, to_number, trimmed
from attnviz.sources.containers import open_sources
from attnviz.sources.foreign import refuse_other_kinds
from attnviz.sources.npy_header import NPY_MAGIC, StoredArray, open_array, read_elements

VERY_NEGATIVE = -1e4  # the mildest number that is added in practice to ban a key
_NAMES = ("mask", "allowed", "attn_mask", "attention_mask", "visible")
_WORDS = {"0": 0.0, "1": 1.0, "false": 0.0, "true": 1.0, "-inf": -np.inf, "-infinity": -np.inf}
_DELIMITERS = ("\t", ";", ",")
_MOST_LINES = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class MaskFile:
    """The mask in a file.

    Parameters
    ----------
    flags : (n_query, n_key) array of bool
        True where the file says true or 1; in an additive mask where it says 0, which lets the query see the key.
    is_additive : bool
        Whether it holds numbers to be added to the scores, so that True can only mean "may attend".
    """

    flags: BoolArray
    is_additive: bool


def read_mask(
    path: str | os.PathLike[str],
    shape: tuple[int, int],
    *,
    progress: Callable[[float], None] = lambda _: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> MaskFile:
    """Read a mask.

    Parameters
    ----------
    path : path
        A .npy file, an .npz with one array of two axes or one called mask, or text with a row of cells a line:
        true and false, 0 and 1, or 0 and very negative numbers, -inf among them. A line and a column of names
        before them are left out; so are leading axes of length 1.
    shape : (int, int)
        Queries and keys of the document.
    progress : callable
        Called with the share of the file read, 0 to 1.
    is_cancelled : callable
        Asked about once a megabyte; True stops the reading.

    Returns
    -------
    MaskFile

    Raises
    ------
    FileError
        When the file cannot be opened or read, or is of another kind.
    DocumentError
        When the mask has another shape, or holds anything else.
    Cancelled
        When `is_cancelled` said so.
    """
    with open_sources(path, Pulse(progress, is_cancelled), wanted="a mask") as sources:
        for source in sources:
            refuse_other_kinds(source, wanted="a mask")
        is_array = len(sources) > 1 or sources[0].peek(len(NPY_MAGIC)) == NPY_MAGIC
        numbers = _of_arrays(sources, shape) if is_array else _of_text(sources[0], shape)
    progress(1.0)
    return _understood(numbers)


def _understood(numbers: FloatArray) -> MaskFile:
    """Tell flags from numbers that are added, and refuse everything else."""
    is_nought, is_one = numbers == 0.0, numbers == 1.0
    if (is_nought | is_one).all():
        return MaskFile(is_one, is_additive=False)
    is_odd = ~(is_nought | is_one | (numbers <= VERY_NEGATIVE))
    if is_odd.any() or is_one.any():
        row, column = np.argwhere(is_odd if is_odd.any() else is_one)[0].tolist()
        raise DocumentError(
            "a mask must hold true and false, 0 and 1, or 0 and numbers of at most "
            f"{VERY_NEGATIVE:g}, got {numbers[row, column]:g} in row {row + 1}, column {column + 1}"
        )
    return MaskFile(is_nought, is_additive=True)


def _check_shape(found: tuple[int, ...], shape: tuple[int, int]) -> None:
    if found != shape:
        raise DocumentError(f"a mask must have shape {shape}, got {found}")


# Arrays


def _of_arrays(sources: Sequence[ByteSource], shape: tuple[int, int]) -> FloatArray:
    array = _chosen([(source.stem.casefold(), open_array(source)) for source in sources])
    if array.dtype.kind not in "biuf":
        raise array.source.fail(f"expected a mask of true and false or numbers, got elements of type {array.dtype}")
    _check_shape(_without_leading_ones(array.shape), shape)
    elements = read_elements(array, shape[0] * shape[1])
    with np.errstate(all="ignore"):
        numbers = elements.astype(np.float64)
    return numbers.reshape(shape, order="F" if array.is_fortran else "C")


def _chosen(arrays: Sequence[tuple[str, StoredArray]]) -> StoredArray:
    """Choose the array that is called a mask, or else the only one with two axes."""
    named = next((array for name in _NAMES for found, array in arrays if found == name), None)
    tables = [array for _, array in arrays if len(_without_leading_ones(array.shape)) == 2]
    if named is not None:
        return named
    if len(arrays) == 1:
        return arrays[0][1]
    if len(tables) == 1:
        return tables[0]
    found = ", ".join(f"{name[:40]} {array.shape}" for name, array in arrays[:4])
    raise arrays[0][1].source.fail(f"expected one array of two axes, got {found}; call the right one mask")


def _without_leading_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    while len(shape) > 2 and shape[0] == 1:
        shape = shape[1:]
    return shape


# Text


def _of_text(source: ByteSource, shape: tuple[int, int]) -> FloatArray:
    rows: list[list[float]] = []
    width, count = -1, 0
    for number, cells in _body(source):
        if width not in (-1, len(cells)):
            raise source.fail(f"expected {width} cells, got {len(cells)}", f"line {number}")
        width, count = len(cells), count + 1
        if count > _MOST_LINES:
            raise source.fail(f"expected a mask of at most {_MOST_LINES:,} lines, got more")
        if width == shape[1] and count <= shape[0]:
            rows.append([_number(source, cell, number) for cell in cells])
    if count == 0:
        raise source.fail("expected a mask, got no cells")
    _check_shape((count, width), shape)
    return np.array(rows)


def _body(source: ByteSource) -> Iterator[tuple[int, list[str]]]:
    """Give the rows of cells with their line numbers, without a line and a column of names."""
    delimiter: str | None = None
    has_names: bool | None = None  # not known before the first row
    for place, (number, line) in enumerate(_lines(source)):
        if place == 0:
            delimiter = next((sign for sign in _DELIMITERS if sign in line), None)
        cells = _cells(source, line, delimiter, number)
        if place == 0 and not any(_reads(cell) for cell in cells):
            continue
        if has_names is None:
            has_names = len(cells) > 1 and not _reads(cells[0])
        yield number, cells[1:] if has_names else cells


def _lines(source: ByteSource) -> Iterator[tuple[int, str]]:
    """Give the lines that are not blank with their numbers; a carriage return alone ends a line, too."""
    number = 0
    for _, lines, _ in source.line_batches():
        for line in lines:
            for part in line.removesuffix(b"\r").split(b"\r"):
                number += 1
                text = part.decode("utf-8", "replace").strip(" ")
                if text.strip():
                    yield number, text


def _cells(source: ByteSource, line: str, delimiter: str | None, number: int) -> list[str]:
    if delimiter is None:
        return line.split()
    try:
        return trimmed(next(csv.reader((line,), delimiter=delimiter), []))
    except csv.Error as error:
        raise source.fail(f"expected true or false, 0 or 1 in each cell, got {error}", f"line {number}") from error


def _reads(cell: str) -> bool:
    return cell.strip().casefold() in _WORDS or to_number(cell) is not None


def _number(source: ByteSource, cell: str, line: int) -> float:
    word = cell.strip().casefold().replace("−", "-")
    number = _WORDS.get(word)
    if number is None:
        number = to_number(word)
    if number is None:
        raise source.fail(f"expected true or false, 0 or 1, got {shown(cell)}", f"line {line}")
    return number
