"""The PNG writer against a reader that follows the specification."""

import struct
import zlib

import numpy as np

from attnviz.figures.bitmap import data_address, indexed_png

PALETTE = np.array([[0, 0, 0], [255, 0, 0], [0, 255, 0], [9, 9, 9]], np.uint8)


def chunks_of(png: bytes) -> list[tuple[bytes, bytes]]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    found, at = [], 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        found.append((kind, body))
        at += 12 + length
    return found


def test_pixels_come_back():
    indices = np.random.default_rng(0).integers(0, 4, (7, 13), dtype=np.uint8)
    chunks = dict(chunks_of(indexed_png(indices, PALETTE)))
    assert struct.unpack(">IIBBBBB", chunks[b"IHDR"]) == (13, 7, 8, 3, 0, 0, 0)
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(7, 14)
    np.testing.assert_array_equal(lines[:, 1:], indices)
    assert not lines[:, 0].any()
    assert chunks[b"PLTE"] == PALETTE.tobytes()


def test_one_index_is_see_through():
    png = indexed_png(np.zeros((2, 2), np.uint8), PALETTE, transparent=3)
    assert dict(chunks_of(png))[b"tRNS"] == b"\xff\xff\xff\x00"


def test_palette_stands_before_the_pixels():
    assert [kind for kind, _ in chunks_of(indexed_png(np.zeros((1, 1), np.uint8), PALETTE, 0))] == [
        b"IHDR",
        b"PLTE",
        b"tRNS",
        b"IDAT",
        b"IEND",
    ]


def test_address_holds_the_file():
    assert data_address(b"\x00\xff") == "data:image/png;base64,AP8="
