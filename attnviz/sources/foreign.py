"""Recognises files of other kinds by their first bytes, so that a renamed picture gives a clear error, not garbage."""

from __future__ import annotations

import re

from attnviz.sources.byte_source import ByteSource

_HEAD_SIZE = 4096
_BY_FIRST_BYTES = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"\x89HDF\r\n", "an HDF5 file; export it as .npz"),
    (b"PAR1", "a Parquet file; export it as CSV"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"GGUF", "a GGUF model"),
    (b"\xba\x16\x4f\x2f", "a fastText binary model; export it as text"),
    (b"\xff\xfe", "UTF-16 text; save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as UTF-8"),
    (b"BZh", "a bzip2 archive; unpack it first"),
    (b"\xfd7zXZ", "an xz archive; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive; unpack it first"),
    (b"7z\xbc\xaf", "a 7z archive; unpack it first"),
    (b"PK\x03\x04", "a zip archive inside another archive; unpack it first"),
    (b"\x1f\x8b", "a gzip file inside another archive; unpack it first"),
)
_BY_PATTERN = (
    (re.compile(rb"\x80[\x02-\x05]"), "a pickle, which can run code and is never loaded; export the vectors as .npz"),
    (re.compile(rb".{257}ustar", re.DOTALL), "a tar archive; unpack it and open one file"),
    (re.compile(rb"\s*<(!doctype|html|\?xml)", re.IGNORECASE), "a web page or XML document"),
    (re.compile(rb'\s*\{\s*("[^"]*"\s*:)'), "a JSON document; open an .attn file as a document instead"),
    (re.compile(rb'\s*\[\s*[\[{"]'), "a JSON document; save the table as CSV"),
)
_WORD2VEC_START = re.compile(rb"\d+ \d+\r?\n")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1b]")


def refuse_other_kinds(source: ByteSource, *, wanted: str = "word vectors") -> None:
    """Refuse what is neither text nor a NumPy array.

    Parameters
    ----------
    source : ByteSource
        Only looked at, nothing is taken.
    wanted : str
        What messages say was expected.

    Raises
    ------
    FileError
        Naming the kind of file that came.
    """
    head = source.peek(_HEAD_SIZE)
    if not head:
        raise source.fail(f"expected {wanted}, got an empty file")
    if head.startswith(b"\x93NUMPY"):
        return
    for first_bytes, meaning in _BY_FIRST_BYTES:
        if head.startswith(first_bytes):
            raise source.fail(f"expected {wanted}, got {meaning}")
    for pattern, meaning in _BY_PATTERN:
        if pattern.match(head):
            raise source.fail(f"expected {wanted}, got {meaning}")
    if _CONTROL.search(head):
        is_word2vec = _WORD2VEC_START.match(head) is not None
        meaning = "a word2vec binary file; export it as text" if is_word2vec else "a binary file"
        raise source.fail(f"expected {wanted}, got {meaning}")
