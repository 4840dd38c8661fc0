"""The `.attn` file: a state as JSON, with every float exact and one row of a matrix on a line.

What a file need not say is left out when it is saved: an empty title or description, the context of
self-attention, projections that are the identity, and interventions where nothing is pinned. Every setting is
written, so that a file means the same should a default change; one that is missing is read as its default.
A file has the lowest version that can say what is in it, so that older programs read what they can.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from attnviz.document.arrays import BoolArray, FloatArray, identity, same_bits
from attnviz.document.atomic import read_bounded, write_atomically
from attnviz.document.attn_reader import (
    FIRST_SETTINGS,
    FLAGS,
    FORMAT,
    INTERVENTIONS_VERSION,
    LAYER_VERSION,
    OPTIONAL_MATRICES,
    OPTIONAL_ROWS,
    read_state,
)
from attnviz.document.errors import FileError
from attnviz.document.interventions import Intervention, Interventions
from attnviz.document.parameters import CAUSAL
from attnviz.document.plane import Plane
from attnviz.document.snapshots import Snapshot
from attnviz.document.state import DEFAULTS, State, scalars_of
from attnviz.document.strict_json import parse_object
from attnviz.document.tokens import TokenSequence

SUFFIX = ".attn"
MAX_BYTES = 64 * 2**20
_IN_WORDS_OF_OLD = ("mask", "kv_heads")  # which an older version says in other words


def encode(state: State) -> bytes:
    """Write a state as the bytes of a `.attn` file; equal states give equal bytes.

    Parameters
    ----------
    state : State
        Any state.

    Returns
    -------
    bytes
        UTF-8, ending in a line break.
    """
    version = version_of(state)
    head = [("format", _text(FORMAT)), ("version", str(version))]
    return (_object([*head, *_fields(state, version)], "") + "\n").encode("utf-8")


def decode(data: bytes, name: str) -> State:
    """Read the bytes of a `.attn` file.

    Parameters
    ----------
    data : bytes
        At most ``MAX_BYTES`` of them.
    name : str
        The file's name, for the error's sentence.

    Returns
    -------
    State
        The state that was encoded, to the last bit.

    Raises
    ------
    FileError
        If anything in them is not as the format says; the message names the file and the place.
    """
    if len(data) > MAX_BYTES:
        raise FileError(f"{name} must have at most {MAX_BYTES:,} bytes, got more")
    return read_state(parse_object(data, name), name)


def read_file(path: Path) -> State:
    """Read a `.attn` file.

    Raises
    ------
    FileError
        If it cannot be read, is too large, or is not as the format says.
    """
    return decode(read_bounded(path, MAX_BYTES), path.name)


def write_file(state: State, path: Path) -> None:
    """Save a state as a `.attn` file, entirely or not at all.

    Raises
    ------
    FileError
        If it cannot be saved, or would be larger than can be read again; an old file is as before.
    """
    data = encode(state)
    if len(data) > MAX_BYTES:
        raise FileError(f"{path} cannot be saved: it would have {len(data):,} bytes, more than {MAX_BYTES:,}")
    write_atomically(path, data)


def _fields(state: State, version: int) -> Iterator[tuple[str, str]]:
    for key, line in (("title", state.title), ("description", state.description)):
        if line:
            yield key, _text(line)
    yield "sequence", _sequence(state.sequence)
    if state.context is not None:
        yield "context", _sequence(state.context)
    if state.spare is not None:
        yield "spare_context", _sequence(state.spare)
    for key, matrix in (("w_q", state.w_q), ("w_k", state.w_k), ("w_v", state.w_v)):
        if not same_bits(matrix, identity(state.width)):
            yield key, _matrix(matrix, "  ")
    for key in OPTIONAL_MATRICES:
        written: FloatArray | None = getattr(state, key)
        if written is not None:
            yield key, _matrix(written, "  ")
    for key in (*OPTIONAL_ROWS, *FLAGS):
        row: FloatArray | BoolArray | None = getattr(state, key)
        if row is not None:
            yield key, _text(row.tolist()) if row.ndim == 1 else _matrix(row, "  ")
    if state.plane is not None:
        yield "plane", _plane(state.plane)
    if state.interventions:
        yield "interventions", _interventions(state.interventions)
    yield "settings", _object(list(_settings(state, version)), "  ")
    if state.snapshots:
        yield "snapshots", _snapshots(state.snapshots)


def version_of(state: State) -> int:
    """Give the lowest version of the format that can say what is in a state."""
    is_old = all(
        _text(value) == _text(DEFAULTS[scalar.key])  # as text: 0.0 and -0.0 are two numbers
        for scalar, value in scalars_of(state)
        if scalar.key not in (*FIRST_SETTINGS, *_IN_WORDS_OF_OLD)
    )
    is_old = is_old and not state.snapshots and state.mask in ("none", CAUSAL) and state.n_kv_heads == state.n_heads
    arrays = (*OPTIONAL_MATRICES, *OPTIONAL_ROWS, *FLAGS)
    is_old = is_old and all(getattr(state, name) is None for name in arrays)
    if not is_old or state.spare is not None or any(one.head for one in state.interventions):
        return LAYER_VERSION
    return INTERVENTIONS_VERSION if state.interventions else 1


def _settings(state: State, version: int) -> Iterator[tuple[str, str]]:
    """Write every setting; a file of an older version says of the mask only whether it is causal."""
    for scalar, value in scalars_of(state):
        if version >= LAYER_VERSION or scalar.key in FIRST_SETTINGS:
            yield scalar.key, _text(value)
        if version < LAYER_VERSION and scalar.key == "custom_multiplier":
            yield CAUSAL, _text(state.is_causal)


def _sequence(sequence: TokenSequence) -> str:
    fields = [("tokens", _text(list(sequence.tokens))), ("embeddings", _matrix(sequence.embeddings, "    "))]
    return _object(fields, "  ")


def _plane(plane: Plane) -> str:
    fields = [
        ("centre", _text(plane.centre.tolist())),
        ("axes", _matrix(plane.axes, "    ")),
        ("explained", _text(plane.explained.tolist())),
    ]
    return _object(fields, "  ")


def _interventions(interventions: Interventions) -> str:
    """Write one on a line; rows and columns count from 0, as in the arrays."""
    lines = ",\n".join("    " + _text(_intervention(one)) for one in interventions)
    return f"[\n{lines}\n  ]"


def _intervention(one: Intervention) -> dict[str, object]:
    """Write one down; its head only where it is not the first."""
    fields: dict[str, object] = {"number": one.kind, "row": one.row, "column": one.column, "value": one.value}
    return {**fields, "head": one.head} if one.head else fields


def _snapshots(snapshots: Sequence[Snapshot]) -> str:
    """Write each as an object with its name and the fields of its state, indented as what it is inside of."""
    texts = []
    for snapshot in snapshots:
        inside = _object(_fields(snapshot.state, LAYER_VERSION), "").replace("\n", "\n  ")
        fields = [("name", _text(snapshot.name)), ("state", inside)]
        texts.append("\n".join("    " + line for line in _object(fields, "").split("\n")))
    return "[\n" + ",\n".join(texts) + "\n  ]"


def _matrix(matrix: FloatArray | BoolArray, indent: str) -> str:
    rows = ",\n".join(f"{indent}  {_text(row)}" for row in matrix.tolist())
    return f"[\n{rows}\n{indent}]"


def _object(fields: Iterator[tuple[str, str]] | Sequence[tuple[str, str]], indent: str) -> str:
    lines = ",\n".join(f"{indent}  {_text(key)}: {text}" for key, text in fields)
    return f"{{\n{lines}\n{indent}}}"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
