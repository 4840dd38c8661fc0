"""Small PNG pictures with a palette, written without a library for images."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_INDEXED = 3


def indexed_png(indices: NDArray[np.uint8], palette: NDArray[np.uint8], transparent: int | None = None) -> bytes:
    """Write a picture of palette indices as PNG.

    Parameters
    ----------
    indices : array of uint8, shape (height, width)
        One index a pixel.
    palette : array of uint8, shape (up to 256, 3)
        Red, green, blue of each index.
    transparent : int, optional
        The index that is see-through.

    Returns
    -------
    bytes
        The file; the same for the same picture.

    References
    ----------
    Portable Network Graphics (PNG) Specification, third edition, sections 5, 9 and 11.
    """
    height, width = indices.shape
    lines = np.zeros((height, width + 1), np.uint8)  # each line begins with its filter: none
    lines[:, 1:] = indices
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, _INDEXED, 0, 0, 0)),
        (b"PLTE", np.ascontiguousarray(palette).tobytes()),
        *([] if transparent is None else [(b"tRNS", b"\xff" * transparent + b"\x00")]),
        (b"IDAT", zlib.compress(lines.tobytes(), 6)),
        (b"IEND", b""),
    ]
    return _SIGNATURE + b"".join(_chunk(kind, body) for kind, body in chunks)


def data_address(png: bytes) -> str:
    """Give the address that stands for the picture itself, for an ``href``."""
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
