"""Every number of a frame as a file: JSON, CSV and NPZ, exact to the last bit, with the tokens they belong to."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz import __version__
from attnviz.document.attending import kept_weights, sink_of
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame
from attnviz.document.matrices import MATRICES_BY_NAME
from attnviz.document.parameters import CAUSAL
from attnviz.document.positions import key_positions, query_positions
from attnviz.document.provenance import pins_in_force
from attnviz.document.scalars import ScalarValue
from attnviz.document.state import State, scalars_of

MAX_TEXT_CELLS = 2_000 * 2_000  # of a matrix; as text each is about 80 bytes, for the four stages
CSV_HEADER = ("matrix", "row", "row_token", "column", "column_token", "value")
_PINNED_NAMES = {"q": "q", "k": "k", "v": "v", "score": "scores", "weight": "weights"}

_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class NamedMatrix:
    """A matrix with the tokens along its axes.

    Parameters
    ----------
    name : str
        Its name in the files.
    values : array, shape (rows, columns)
        Its numbers.
    row_tokens : tuple of str
        One for each row.
    column_tokens : tuple of str or None
        One for each column; None where columns are coordinates.
    """

    name: str
    values: NDArray[np.float64]
    row_tokens: tuple[str, ...]
    column_tokens: tuple[str, ...] | None = None


def matrices(frame: Frame) -> list[NamedMatrix]:
    """Give the matrices of a frame in the order they are computed.

    Parameters
    ----------
    frame : Frame
        The frame.

    Returns
    -------
    list of NamedMatrix
        X (and in cross-attention X_context), q, k, v, scores, scaled, masked (-inf where banned), weights, output.
        With positions that are added also P and inputs (X + P), with biases of distances bias, with dropout undropped;
        with several heads or W_O layer_output. All but that are those of the frame's head.
    """
    trace, queries, keys = frame.trace, frame.query_tokens, frame.key_tokens
    context, layer = frame.state.context, frame.layer
    added, context_added, bias = layer.effect.added, layer.effect.context_added, layer.effect.bias
    found = [NamedMatrix("X", frame.state.sequence.embeddings, queries)]
    if added is not None:
        found += [NamedMatrix("P", added, queries), NamedMatrix("inputs", layer.inputs, queries)]
    if context is not None:
        found.append(NamedMatrix("X_context", context.embeddings, keys))
        if context_added is not None:
            found += [NamedMatrix("P_context", context_added, keys)]
            found += [NamedMatrix("inputs_context", layer.context_inputs, keys)]
    found += [NamedMatrix("q", frame.q, queries), NamedMatrix("k", frame.k, keys), NamedMatrix("v", frame.v, keys)]
    found += [NamedMatrix(name, getattr(trace, name), queries, keys) for name in ("scores", "scaled")]
    if bias is not None:
        found.append(NamedMatrix("bias", bias[frame.head], queries, keys))
    found.append(NamedMatrix("masked", trace.masked, queries, keys))
    if frame.state.dropout:
        found.append(NamedMatrix("undropped", trace.undropped, queries, keys))
    found += [NamedMatrix("weights", trace.weights, queries, keys), NamedMatrix("output", frame.output, queries)]
    if frame.n_heads > 1 or frame.state.w_o is not None:
        found.append(NamedMatrix("layer_output", frame.layer_output, queries))
    return found


def layer_arrays(frame: Frame) -> dict[str, NDArray[np.generic]]:
    """Give what belongs to the whole layer, where there is any.

    Parameters
    ----------
    frame : Frame
        The frame.

    Returns
    -------
    dict
        With several heads weights_all_heads, shape (heads, n_query, n_key); w_o, b_q, b_k, b_v and b_o as they are
        written; sinks, one logit for each head; places and context_places, where the tokens stand; allowed (True = may
        attend) under a mask, and kept (True = not dropped) under dropout, which is that of the frame's head.
    """
    state = frame.state
    found: dict[str, NDArray[np.generic]] = {}
    if frame.n_heads > 1:
        found["weights_all_heads"] = np.stack([frame.at_head(head).trace.weights for head in range(frame.n_heads)])
    for name in ("w_o", "b_q", "b_k", "b_v", "b_o"):
        written = getattr(state, name)
        if written is not None:
            found[name] = written
    if state.has_sink:
        found["sinks"] = np.array([sink_of(state, head) for head in range(frame.n_heads)])
    if state.positions != "none":
        found["places"] = query_positions(state)
        if state.context is not None:
            found["context_places"] = key_positions(state)
    rows, columns = np.arange(frame.n_query), np.arange(frame.n_key)
    if state.has_mask:
        found["allowed"] = ~frame.banned(rows, columns)
    if state.dropout:
        found["kept"] = kept_weights(state, frame.head, rows)
    return found


def frame_as_json(frame: Frame) -> str:
    """Write a frame as JSON.

    Parameters
    ----------
    frame : Frame
        The frame.

    Returns
    -------
    str
        One object: title, settings, multiplier, tokens (and context_tokens, or null), what is pinned if anything is,
        and each of :func:`matrices` as a list of rows, then :func:`layer_arrays`; with several heads the head, counted
        from 1. A number is written so that reading it gives the same float64; banned cells of ``masked`` are null.

    Raises
    ------
    DocumentError
        If the matrices are larger than MAX_TEXT_CELLS.
    """
    _check_size(frame)
    state = frame.state
    head = {
        "format": "attnviz-numbers",
        "version": 1,
        "attnviz": __version__,
        "title": state.title,
        "settings": _settings(state),
        "multiplier": frame.multiplier,
        "tokens": list(frame.query_tokens),
        "context_tokens": None if state.context is None else list(frame.key_tokens),
    }
    if state.interventions:
        head["pinned"] = [
            {"number": pin.kind, "row": pin.row, "column": pin.column, "value": pin.value}
            for pin in pins_in_force(frame)
        ]
    if frame.n_heads > 1:
        head["head"] = frame.head + 1
    entries = [f"  {_json(key)}: {_json(value)}" for key, value in head.items()]
    for matrix in matrices(frame):
        rows = ",\n".join(f"    {_json(_row(row))}" for row in matrix.values.tolist())
        entries.append(f"  {_json(matrix.name)}: [\n{rows}\n  ]")
    entries += [f"  {_json(name)}: {_json(array.tolist())}" for name, array in layer_arrays(frame).items()]
    return "{\n" + ",\n".join(entries) + "\n}\n"


def frame_as_csv(frame: Frame) -> str:
    """Write a frame as CSV, one number a line.

    Parameters
    ----------
    frame : Frame
        The frame.

    Returns
    -------
    str
        The header ``matrix,row,row_token,column,column_token,value`` and a line for each number of :func:`matrices`.
        Rows and columns count from 1; column_token is empty where columns are coordinates. Reading a value gives the
        same float64; banned cells of ``masked`` are -inf. Then :func:`layer_arrays`: the weights of each head as
        ``weights_head_1`` etc., True as 1.0, arrays of one axis as one row. Pinned numbers come again as
        ``pinned_scores`` etc.

    Raises
    ------
    DocumentError
        If the matrices are larger than MAX_TEXT_CELLS.
    """
    _check_size(frame)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CSV_HEADER)
    for matrix in matrices(frame):
        writer.writerows(_lines(matrix))
    for matrix in _of_layer(frame):
        writer.writerows(_lines(matrix))
    writer.writerows(_pinned_lines(frame))
    return file.getvalue()


def frame_as_npz(frame: Frame) -> bytes:
    """Write a frame as a NumPy archive.

    Parameters
    ----------
    frame : Frame
        The frame.

    Returns
    -------
    bytes
        The arrays of :func:`matrices` and of :func:`layer_arrays` under their names, with several heads ``head``,
        counted from 1, ``tokens`` (and ``context_tokens``) as text, ``multiplier``
        and each setting as a single number or text; where numbers are pinned, masks ``pinned_q`` and so on that are
        True at them. No pickled objects; the same bytes for the same frame.
    """
    arrays: dict[str, NDArray[np.generic]] = {"tokens": np.array(frame.query_tokens)}
    if frame.state.context is not None:
        arrays["context_tokens"] = np.array(frame.key_tokens)
    arrays |= {matrix.name: matrix.values for matrix in matrices(frame)}
    arrays |= layer_arrays(frame)
    if frame.n_heads > 1:
        arrays["head"] = np.array(frame.head + 1)
    arrays |= {f"pinned_{name}": mask for name, mask in _pinned_masks(frame)}
    arrays["multiplier"] = np.array(frame.multiplier)
    arrays |= {key: np.array(value) for key, value in _settings(frame.state).items()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}.npy", _EPOCH)  # a fixed date: the bytes depend on the numbers alone
            with archive.open(member, "w", force_zip64=array.nbytes > 2**31) as stream:
                np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)
    return file.getvalue()


def _pinned_masks(frame: Frame) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Give, for each matrix with pinned numbers, where they are."""
    for kind, name in _PINNED_NAMES.items():
        if any(one.kind == kind for one in pins_in_force(frame)):
            rows, columns = MATRICES_BY_NAME[kind].shape(frame)
            yield name, frame.pins.mask(kind, range(rows), range(columns))


def _lines(matrix: NamedMatrix) -> Iterator[tuple[str, int, str, int, str, str]]:
    columns = matrix.column_tokens or ("",) * matrix.values.shape[1]
    for row, (token, values) in enumerate(zip(matrix.row_tokens, matrix.values.tolist(), strict=True), start=1):
        for column, (other, value) in enumerate(zip(columns, values, strict=True), start=1):
            yield matrix.name, row, token, column, other, repr(value)


def _of_layer(frame: Frame) -> Iterator[NamedMatrix]:
    """Give the arrays of the layer as matrices: one for each head, and arrays of one axis as one row."""
    queries, keys = frame.query_tokens, frame.key_tokens
    for name, array in layer_arrays(frame).items():
        values = array.astype(np.float64)
        if values.ndim == 3:
            for head, weights in enumerate(values, start=1):
                yield NamedMatrix(f"weights_head_{head}", weights, queries, keys)
        elif name in ("allowed", "kept"):
            yield NamedMatrix(name, values, queries, keys)
        elif values.ndim == 2:
            yield NamedMatrix(name, values, ("",) * len(values))
        else:
            tokens = {"places": queries, "context_places": keys}.get(name)
            yield NamedMatrix(name, values[np.newaxis], ("",), tokens)


def _pinned_lines(frame: Frame) -> Iterator[tuple[str, int, str, int, str, str]]:
    for pin in pins_in_force(frame):
        row_tokens = frame.query_tokens if pin.kind in ("q", "score", "weight") else frame.key_tokens
        other = frame.key_tokens[pin.column] if pin.kind in ("score", "weight") else ""
        name = f"pinned_{_PINNED_NAMES[pin.kind]}"
        yield name, pin.row + 1, row_tokens[pin.row], pin.column + 1, other, repr(pin.value)


def _row(row: list[float]) -> list[float | None]:
    return [None if value == -np.inf else value for value in row]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _check_size(frame: Frame) -> None:
    cells = frame.n_query * frame.n_key
    if cells > MAX_TEXT_CELLS:
        raise DocumentError(f"as text a matrix may have {MAX_TEXT_CELLS:,} cells, got {cells:,}; NPZ has no such limit")


def _settings(state: State) -> dict[str, ScalarValue]:
    """Give every scalar under its key, and whether the mask is causal under the key it had before there were others."""
    return {scalar.key: value for scalar, value in scalars_of(state)} | {CAUSAL: state.is_causal}
