"""From the JSON of a `.attn` file to a state: every field checked, every error naming the file and the place."""

from __future__ import annotations

import math
from typing import NoReturn

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray
from attnviz.document.errors import DocumentError, FileError
from attnviz.document.interventions import MAX_INTERVENTIONS, Intervention, Interventions
from attnviz.document.parameters import CAUSAL, CAUSAL_SWITCH
from attnviz.document.plane import Plane
from attnviz.document.scalars import ScalarValue
from attnviz.document.snapshots import MAX_SNAPSHOTS, Snapshot
from attnviz.document.state import SCALARS, State
from attnviz.document.tokens import MAX_TOKENS, MAX_WIDTH, TokenSequence

FORMAT = "attnviz"
VERSION = 3
INTERVENTIONS_VERSION = 2  # the first that can say what is pinned
LAYER_VERSION = 3  # the first that knows heads, masks of all kinds, positions and variants of the softmax
FIRST_SETTINGS = ("temperature", "d_k", "scale", "custom_multiplier", "seed")  # those of version 1, beside causal
OPTIONAL_MATRICES = ("w_o", "position_table", "bucket_table")
OPTIONAL_ROWS = ("b_q", "b_k", "b_v", "b_o", "sinks", "position_ids", "context_position_ids")
FLAGS = ("padding", "visible")

_MATRICES = ("w_q", "w_k", "w_v")
_FIELDS = (
    *("format", "version", "title", "description", "sequence", "context", "spare_context"),
    *(*_MATRICES, *OPTIONAL_MATRICES, *OPTIONAL_ROWS, *FLAGS, "plane", "interventions", "settings", "snapshots"),
)
_FIELDS_OF_SNAPSHOTS = tuple(name for name in _FIELDS if name not in ("format", "version", "snapshots"))


def read_state(document: dict[str, object], name: str) -> State:
    """Read the object that a `.attn` file holds.

    Parameters
    ----------
    document : dict
        The parsed JSON.
    name : str
        The file's name, for the error's sentence.

    Returns
    -------
    State

    Raises
    ------
    FileError
        If a field is unknown, missing, of the wrong type, out of range, or does not fit another.
    """
    return _Reader(name).state(document)


class _Reader:
    """Reads the fields of one file."""

    def __init__(self, name: str) -> None:
        self._name = name

    def state(self, document: dict[str, object]) -> State:
        self._check_origin(document)
        self._check_keys(document, _FIELDS, "the file")
        return self._state(document)

    def _state(self, document: dict[str, object]) -> State:
        parts: dict[str, object] = {}
        parts["sequence"] = sequence = self._sequence(self._required(document, "sequence", "the file"), "sequence")
        for key, name in (("context", "context"), ("spare_context", "spare")):
            if key in document:
                parts[name] = self._sequence(document[key], key)
        for key in (*_MATRICES, *OPTIONAL_MATRICES):
            if key in document:
                parts[key] = self._matrix(document[key], key)
        for key in OPTIONAL_ROWS:
            if key in document:
                parts[key] = np.array(self._row(document[key], key, None))
        for key in FLAGS:
            if key in document:
                parts[key] = self._flags(document[key], key)
        if "plane" in document:
            parts["plane"] = self._plane(document["plane"], sequence.width)
        if "interventions" in document:
            parts["interventions"] = self._interventions(document["interventions"])
        for key in ("title", "description"):
            parts[key] = self._line(document.get(key, ""), key)
        parts |= self._settings(document.get("settings", {}))
        if "snapshots" in document:
            parts["snapshots"] = self._snapshots(document["snapshots"])
        try:
            return State(**parts)  # type: ignore[arg-type]  # each part was read as its field's type
        except DocumentError as error:
            self._fail(str(error))

    def _check_origin(self, document: dict[str, object]) -> None:
        """Check format and version before all else: about a newer file nothing more can be said."""
        if document.get("format") != FORMAT:
            self._fail(f'format must be "{FORMAT}", got {_shown(document.get("format"))}')
        version = document.get("version")
        if type(version) is not int or version < 1:
            self._fail(f"version must be a whole number from 1, got {_shown(version)}")
        if version > VERSION:
            self._fail(f"version must be at most {VERSION}, got {version}: a newer attnviz wrote it")

    def _check_keys(self, fields: dict[str, object], known: tuple[str, ...], place: str) -> None:
        for key in fields:
            if key not in known:
                self._fail(f"{place} must hold only {', '.join(known)}, got {_shown(key)}")

    def _required(self, fields: dict[str, object], key: str, place: str) -> object:
        if key not in fields:
            self._fail(f"{place} must hold {key}, got none")
        return fields[key]

    def _object(self, value: object, place: str) -> dict[str, object]:
        if not isinstance(value, dict):
            self._fail(f"{place} must be an object, got {_shown(value)}")
        return value

    def _list(self, value: object, place: str, limit: int) -> list[object]:
        if not isinstance(value, list):
            self._fail(f"{place} must be a list, got {_shown(value)}")
        if not 1 <= len(value) <= limit:
            self._fail(f"{place} must have 1 to {limit:,} entries, got {len(value):,}")
        return value

    def _line(self, value: object, place: str) -> str:
        if not isinstance(value, str):
            self._fail(f"{place} must be text, got {_shown(value)}")
        return value

    def _sequence(self, value: object, place: str) -> TokenSequence:
        fields = self._object(value, place)
        self._check_keys(fields, ("tokens", "embeddings"), place)
        names = self._list(self._required(fields, "tokens", place), f"{place}.tokens", MAX_TOKENS)
        tokens = tuple(self._line(token, f"{place}.tokens entry {i}") for i, token in enumerate(names, start=1))
        embeddings = self._matrix(self._required(fields, "embeddings", place), f"{place}.embeddings")
        try:
            return TokenSequence(tokens, embeddings)
        except DocumentError as error:
            self._fail(f"{place}: {error}")

    def _plane(self, value: object, width: int) -> Plane:
        if width <= 2:
            self._fail(f"plane must be left out where embeddings have at most 2 coordinates, got one for {width}")
        fields = self._object(value, "plane")
        self._check_keys(fields, ("centre", "axes", "explained"), "plane")
        centre, explained = (
            np.array(self._row(self._required(fields, key, "plane"), f"plane.{key}", None))
            for key in ("centre", "explained")
        )
        axes = self._matrix(self._required(fields, "axes", "plane"), "plane.axes")
        try:
            return Plane(centre=centre, axes=axes, explained=explained)
        except DocumentError as error:
            self._fail(f"plane: {error}")

    def _interventions(self, value: object) -> Interventions:
        found = []
        for i, entry in enumerate(self._list(value, "interventions", MAX_INTERVENTIONS), start=1):
            place = f"interventions entry {i}"
            fields = self._object(entry, place)
            keys = ("number", "row", "column", "value")
            self._check_keys(fields, (*keys, "head"), place)
            kind, row, column, number = (self._required(fields, key, place) for key in keys)
            head = fields.get("head", 0)
            try:
                found.append(Intervention(kind, row, column, number, head))  # type: ignore[arg-type]  # it checks itself
            except DocumentError as error:
                self._fail(f"{place}: {error}")
        try:
            return Interventions(found)
        except DocumentError as error:
            self._fail(f"interventions: {error}")

    def _snapshots(self, value: object) -> tuple[Snapshot, ...]:
        """Read the snapshots; a fault inside one names it before the place."""
        found = []
        for i, entry in enumerate(self._list(value, "snapshots", MAX_SNAPSHOTS), start=1):
            place = f"snapshots entry {i}"
            fields = self._object(entry, place)
            self._check_keys(fields, ("name", "state"), place)
            name = self._line(self._required(fields, "name", place), f"{place}.name")
            inside = self._object(self._required(fields, "state", place), f"{place}.state")
            self._check_keys(inside, _FIELDS_OF_SNAPSHOTS, f"{place}.state")
            state = _Reader(f"{self._name}: {place}")._state(inside)
            try:
                found.append(Snapshot(name, state))
            except DocumentError as error:
                self._fail(f"{place}: {error}")
        return tuple(found)

    def _settings(self, value: object) -> dict[str, ScalarValue]:
        fields = self._object(value, "settings")
        by_key = {scalar.key: (name, scalar) for name, scalar in SCALARS.items()}
        by_key[CAUSAL] = ("mask", CAUSAL_SWITCH)
        self._check_keys(fields, tuple(by_key), "settings")
        if CAUSAL in fields and "mask" in fields:
            self._fail("settings must hold mask or causal, got both")
        checked: dict[str, ScalarValue] = {}
        for key, given in fields.items():
            name, scalar = by_key[key]
            try:
                value = scalar.check(given)
                checked[name] = (CAUSAL if value else "none") if key == CAUSAL else value
            except DocumentError as error:
                self._fail(f"settings: {error}")
        return checked

    def _matrix(self, value: object, place: str) -> FloatArray:
        rows = self._list(value, place, max(MAX_TOKENS, MAX_WIDTH))
        width: int | None = None
        numbers = []
        for i, row in enumerate(rows, start=1):
            numbers.append(self._row(row, f"{place} row {i}", width))
            width = len(numbers[0])
        return np.array(numbers)

    def _flags(self, value: object, place: str) -> BoolArray:
        """Read a list of true and false, or a list of such lists of one length."""
        rows = self._list(value, place, MAX_TOKENS)
        nested = [
            self._list(row, f"{place} row {i}", MAX_TOKENS)
            for i, row in enumerate(rows, start=1)
            if isinstance(row, list)
        ]
        entries = [entry for row in nested for entry in row] if len(nested) == len(rows) else rows
        if nested and (len(nested) < len(rows) or len({len(row) for row in nested}) > 1):
            self._fail(f"{place} must have rows of one length, got others")
        for entry in entries:
            if not isinstance(entry, bool):
                self._fail(f"{place} must hold true and false, got {_shown(entry)}")
        return np.array(rows, dtype=np.bool_)

    def _row(self, value: object, place: str, width: int | None) -> list[float]:
        row = self._list(value, place, MAX_WIDTH)
        if width is not None and len(row) != width:
            self._fail(f"{place} must have {width} number{'s' * (width > 1)}, got {len(row)}")
        for entry in row:
            if isinstance(entry, bool) or not isinstance(entry, int | float) or not math.isfinite(entry):
                self._fail(f"{place} must hold finite numbers, got {_shown(entry)}")
        return [float(entry) for entry in row]  # type: ignore[arg-type]  # numbers all, as just checked

    def _fail(self, sentence: str) -> NoReturn:
        raise FileError(f"{self._name}: {sentence}")


def _shown(value: object) -> str:
    """Show a value of JSON in a few words."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
