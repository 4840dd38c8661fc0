"""What the small multiples show: the weights of every head, what each adds to the output, or the heads' average."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray
from attnviz.document.frame import Frame
from attnviz.document.layer_views import (
    average_weights,
    averaged,
    contribution_cells,
    contribution_limit,
    contribution_norms,
)
from attnviz.document.matrices import MATRICES_BY_NAME
from attnviz.document.tokens import shortened, told_apart
from attnviz.views.matrix.of_frame import picture_of
from attnviz.views.matrix.picture import MatrixPicture
from attnviz.views.numbers import factor_text, number_text, spoken_text

LayerView: TypeAlias = Literal["weights", "contribution", "average"]

LAYER_VIEWS: tuple[tuple[LayerView, str, str], ...] = (
    ("weights", "Weights", "The weights of every head; a click chooses the head that all panels show"),
    ("contribution", "Contribution", "What each head adds to the output of the layer, and how much that is"),
    ("average", "Average", "The mean of the heads' weights, which is not what a model computes"),
)
_MOST_TERMS, _KEPT_TERMS, _MOST_COORDINATES, _LONGEST_NAME = 5, 4, 3, 16


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """One small matrix.

    Parameters
    ----------
    titles : tuple of str
        What stands above it, the longest first; a shorter one is taken where there is no room.
    picture : MatrixPicture
        Its numbers.
    head : int or None
        The head it belongs to, which a click chooses.
    sign : str
        What stands before it.
    share : float or None
        How far the bar below it goes, 0 to 1; ``None``: there is no bar.
    measure : str
        The number beside the bar.
    """

    titles: tuple[str, ...]
    picture: MatrixPicture
    head: int | None = None
    sign: str = ""
    share: float | None = None
    measure: str = ""


def tiles_of(frame: Frame, view: LayerView, query: int) -> tuple[Tile, ...]:
    """Give the small matrices of a view; the bars are those of one query."""
    if view == "contribution":
        return _contributions(frame, query)
    return _weights(frame) if view == "weights" else (_average(frame),)


def names_of_head(frame: Frame, head: int) -> tuple[str, ...]:
    """Name a head, with its key/value head where several share one: ``head 3 · kv 2``, and shorter."""
    place = head + 1
    if frame.state.n_kv_heads == frame.n_heads:
        return f"head {place}", str(place)
    kv_head = frame.at_head(head).kv_head + 1
    return f"head {place} · kv {kv_head}", f"{place} · kv {kv_head}", f"{place}·{kv_head}"


def head_sentence(frame: Frame, head: int, query: int) -> str:
    """Say a head for a screen reader: which it is, what it reads, and where a query looks in it."""
    own = frame.at_head(head)
    weights = own.row(query).weights[0]
    key = int(np.argmax(weights))
    asks = told_apart(frame.query_tokens)[query]
    parts = [f"head {head + 1} of {frame.n_heads}"]
    if frame.state.n_kv_heads != frame.n_heads:
        parts.append(f"key/value head {own.kv_head + 1}")
    if head == frame.head:
        parts.append("shown by every panel")
    if weights[key] > 0.0:
        parts.append(f"query {asks} gives most to {told_apart(frame.key_tokens)[key]}, {spoken_text(weights[key])}")
    else:
        parts.append(f"query {asks} gives nothing to any key")
    return ", ".join(parts)


def notes_of(frame: Frame, view: LayerView, query: int, coordinate: int) -> tuple[str, str]:
    """Say in two lines at most what the small matrices come to for one query."""
    name = shortened(told_apart(frame.query_tokens)[query], _LONGEST_NAME)
    if view == "contribution":
        shown = min(coordinate, frame.layer_output.shape[1] - 1)
        return f"output of {name}, coordinate {shown + 1}:", _sum_of(frame, query, shown)
    if view == "average":
        found = averaged(frame, query)
        at = int(np.abs(found.blended - found.output).argmax())
        is_hidden = len(found.output) > _MOST_COORDINATES
        where = f", at coordinate {at + 1}" if is_hidden and found.difference else ""
        return (
            f"{name}: average · V = {_vector(found.blended, at)}",
            f"output = {_vector(found.output, at)}: off by up to {number_text(found.difference)}{where}",
        )
    return "", ""


def _weights(frame: Frame) -> tuple[Tile, ...]:
    matrix, frames = MATRICES_BY_NAME["weight"], [frame.at_head(head) for head in range(frame.n_heads)]
    limit = max(one.limit("weights") for one in frames)
    tiles = []
    for one in frames:
        picture = picture_of(matrix, one)
        if picture.limits != (0.0, limit):
            picture = replace(picture, limits=(0.0, limit))  # so that one colour is one weight in all of them
        tiles.append(Tile(names_of_head(frame, one.head), picture, one.head))
    return tuple(tiles)


def _average(frame: Frame) -> Tile:
    limit = max(frame.at_head(head).limit("weights") for head in range(frame.n_heads))
    picture = replace(
        picture_of(MATRICES_BY_NAME["weight"], frame),
        cells=partial(average_weights, frame),
        limits=(0.0, limit),
        marks=None,
        sentence=None,
    )
    heads = f"{frame.n_heads} heads" if frame.n_heads > 1 else "1 head"
    return Tile((f"mean of {heads}", "mean"), picture)


def _contributions(frame: Frame, query: int) -> tuple[Tile, ...]:
    limit, norms = contribution_limit(frame), contribution_norms(frame, query).tolist()
    output, bias = frame.layer_output, frame.state.b_o
    lengths = [*norms, float(np.linalg.norm(output[query]))]
    longest = max(lengths) or 1.0
    plain = replace(
        picture_of(MATRICES_BY_NAME["layer_output"], frame),
        limits=(-limit, limit),
        role="score",  # whose map tells one sign from the other
        marks=None,
        sentence=None,
    )
    tiles = [
        Tile(
            names_of_head(frame, head),
            replace(plain, cells=partial(contribution_cells, frame, head)),
            head,
            sign="+" if head else "",
            share=norm / longest,
            measure=number_text(norm),
        )
        for head, norm in enumerate(norms)
    ]
    if bias is not None:
        rows = np.broadcast_to(bias, output.shape)
        norm = float(np.linalg.norm(bias))
        tiles.append(_tile(plain, ("b_O",), "+", rows, (norm, longest)))
    return (*tiles, _tile(plain, ("output", "out"), "=", output, (lengths[-1], longest)))


def _tile(
    plain: MatrixPicture, titles: tuple[str, ...], sign: str, array: FloatArray, lengths: tuple[float, float]
) -> Tile:
    own, longest = lengths
    picture = replace(plain, cells=_reader(array))
    return Tile(titles, picture, sign=sign, share=min(1.0, own / longest), measure=number_text(own))


def _reader(array: FloatArray) -> Callable[[IntArray, IntArray], FloatArray]:
    def read(rows: IntArray, columns: IntArray) -> FloatArray:
        part: FloatArray = array[np.ix_(rows, columns)]
        return part

    return read


def _sum_of(frame: Frame, query: int, coordinate: int) -> str:
    """Write the sum over the heads for one coordinate of the output: ``0.400 + 0.200 = 0.600``."""
    row, column = np.array([query]), np.array([coordinate])
    texts = [number_text(float(contribution_cells(frame, head, row, column)[0, 0])) for head in range(frame.n_heads)]
    terms = _shortened_sum([texts[0], *(factor_text(text) for text in texts[1:])])
    if frame.state.b_o is not None:
        terms.append(f"b_O {factor_text(number_text(float(frame.state.b_o[coordinate])))}")
    result = number_text(float(frame.layer_output[query, coordinate]))
    return f"{' + '.join(terms)} = {result}"


def _shortened_sum(texts: Sequence[str]) -> list[str]:
    if len(texts) <= _MOST_TERMS:
        return list(texts)
    kept = _KEPT_TERMS // 2
    return [*texts[:kept], f"… {len(texts) - 2 * kept} more …", *texts[-kept:]]


def _vector(row: FloatArray, at: int) -> str:
    """Write the first coordinates of a row, and one that must not be missing."""
    if len(row) <= _MOST_COORDINATES or at < _MOST_COORDINATES:
        texts = [number_text(x) for x in row[:_MOST_COORDINATES].tolist()]
        return f"({', '.join(texts)}{', …' if len(row) > _MOST_COORDINATES else ''})"
    texts = [number_text(x) for x in row[: _MOST_COORDINATES - 1].tolist()]
    after = ", …" if at < len(row) - 1 else ""
    return f"({', '.join(texts)}, …, {number_text(float(row[at]))}{after})"
