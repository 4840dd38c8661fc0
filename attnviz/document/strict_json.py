"""JSON read strictly: repeated keys, a byte order mark, endless depth and half files are refused in one sentence."""

from __future__ import annotations

import codecs
import json
from collections import Counter

from attnviz.document.errors import FileError

_SPACES = " \t\r\n"
_MAX_BRACKETS = 1_000_000  # a file of nothing but empty lists would take 30 times its size in memory


class _RepeatedKeyError(ValueError):
    """An object that holds one key twice."""


def parse_object(data: bytes, name: str) -> dict[str, object]:
    """Read one JSON object.

    Whole numbers of 19 or more digits become floats, and numbers beyond float64, ``NaN`` and ``Infinity``
    become floats that are not finite: whoever wants a number refuses those and can say where they stand.

    Parameters
    ----------
    data : bytes
        UTF-8 without a byte order mark.
    name : str
        The file's name, for the error's sentence.

    Returns
    -------
    dict

    Raises
    ------
    FileError
        If the bytes are not UTF-8, not JSON, end in the middle, are nested too deeply, repeat a key, hold
        something else than an object, or hold more lists than any document has.
    """
    text = _decoded(data, name)
    start = text[:4096].lstrip(_SPACES)
    if not start:
        raise FileError(f"{name} must hold a JSON object, got an empty file")
    if start[0] != "{":
        raise FileError(f"{name} must hold a JSON object, got another kind of file")
    if text.count("[") + text.count("{") > _MAX_BRACKETS:
        raise FileError(f"{name} must hold at most {_MAX_BRACKETS:,} lists and objects, got more")
    try:
        value: dict[str, object] = json.loads(text, object_pairs_hook=_unique, parse_int=_whole_number)
    except json.JSONDecodeError as error:
        raise FileError(f"{name} {_place(text, error)}") from error
    except _RepeatedKeyError as error:
        raise FileError(f"{name} must hold each key once, got {error} twice in one object") from error
    except RecursionError as error:
        raise FileError(f"{name} must be nested a few levels deep, got hundreds") from error
    return value


def _decoded(data: bytes, name: str) -> str:
    if data.startswith(codecs.BOM_UTF8):
        raise FileError(f"{name} must be UTF-8 without a byte order mark, got one")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = data[error.start]
        raise FileError(f"{name} must be UTF-8 text, got the byte 0x{byte:02x} at {error.start + 1:,}") from error


def _place(text: str, error: json.JSONDecodeError) -> str:
    if not text[error.pos :].strip(_SPACES) or error.msg.startswith("Unterminated string"):
        return f"must be whole, got an end in the middle of line {error.lineno:,}"
    return f"must be JSON, got a fault in line {error.lineno:,}, column {error.colno:,} ({error.msg})"


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        repeated, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise _RepeatedKeyError(repr(repeated[:60]))
    return unique


def _whole_number(text: str) -> int | float:
    return int(text) if len(text) <= 18 else float(text)
