"""Opens a path as the byte sources in it: a plain file, a gzip stream, a zip with one member, or an .npz archive."""

from __future__ import annotations

import gzip
import os
import stat
import struct
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from attnviz.document.errors import FileError
from attnviz.sources.byte_source import BOMB_FREE_SIZE, BOMB_RATIO, BYTE_ORDER_MARK, ByteSource, Pulse
from attnviz.sources.cells import printable

_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_END_OF_DIRECTORY = b"PK\x05\x06"
_END_OF_LARGE_DIRECTORY = b"PK\x06\x06"
_DIRECTORY_LIMIT = 1 << 20
_MEMBER_LIMIT = 100
_ZIP_FAULTS = (zipfile.BadZipFile, struct.error, OSError, EOFError, ValueError, OverflowError, NotImplementedError)
# Word processors and the like are zip archives too; the member tells which.
_ARCHIVES_OF_OTHERS = {
    "xl/workbook.xml": "an Excel workbook; save it as CSV",
    "word/document.xml": "a Word document; expected word vectors",
    "content.xml": "an OpenDocument file; save it as CSV",
    "data.pkl": "a PyTorch file, which holds a pickle and is never loaded; export the vectors as .npz",
}


@contextmanager
def open_sources(
    path: str | os.PathLike[str], pulse: Pulse, *, wanted: str = "word vectors"
) -> Iterator[tuple[ByteSource, ...]]:
    """Open a file as what it holds.

    Parameters
    ----------
    path : path
        A regular file.
    pulse : Pulse
        Told about every block read.
    wanted : str
        What messages say was expected.

    Yields
    ------
    tuple of ByteSource
        One source, or one per array of an .npz archive (all of whose suffixes are then ".npy").

    Raises
    ------
    FileError
        When the file cannot be opened, is no regular file, is empty, or is an archive of another kind.
    """
    path = Path(path)
    name = printable(os.fsencode(path.name or path).decode(errors="replace"))
    size = _size_of_regular_file(path, name, wanted)
    with ExitStack() as stack:
        try:
            raw = stack.enter_context(path.open("rb"))
            magic = raw.read(4)
            raw.seek(0)
        except OSError as error:
            raise FileError(f"{name}: could not be opened ({error.strerror})") from error
        if magic in _ZIP:
            yield _open_zip(stack, name, raw, size, pulse)
        elif magic.startswith(_GZIP):
            unpacked = cast(BinaryIO, stack.enter_context(gzip.GzipFile(fileobj=raw, mode="rb")))
            yield (_source(unpacked, raw, size, name, path.stem, None, pulse),)
        else:
            yield (_source(raw, raw, size, name, path.name, size, pulse),)


def _size_of_regular_file(path: Path, name: str, wanted: str) -> int:
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise FileError(f"{name}: could not be opened ({reason})") from error
    if stat.S_ISDIR(status.st_mode):
        raise FileError(f"{name}: expected a file, got a folder")
    if not stat.S_ISREG(status.st_mode):
        raise FileError(f"{name}: expected a regular file, got a pipe, socket or device")
    if status.st_size == 0:
        raise FileError(f"{name}: expected {wanted}, got an empty file")
    return status.st_size


def _source(
    stream: BinaryIO, raw: BinaryIO, raw_size: int, label: str, name: str, size: int | None, pulse: Pulse
) -> ByteSource:
    source = ByteSource(stream, raw=raw, raw_size=raw_size, label=label, name=name, size=size, pulse=pulse)
    if source.peek(3) == BYTE_ORDER_MARK:
        source.skip(3)
    return source


def _open_zip(stack: ExitStack, name: str, raw: BinaryIO, size: int, pulse: Pulse) -> tuple[ByteSource, ...]:
    _check_directory_size(name, raw, size)
    try:
        archive = stack.enter_context(zipfile.ZipFile(raw))
    except _ZIP_FAULTS as error:
        raise FileError(
            f"{name}: expected a zip archive, but it is damaged or cut off ({printable(str(error))})"
        ) from error
    entries = archive.infolist()
    members = [entry for entry in entries if not entry.filename.endswith("/") and "__MACOSX/" not in entry.filename]
    _check_members(name, members)
    is_npz = all(entry.filename.endswith(".npy") for entry in members)
    if len(members) > 1 and not is_npz:
        shown = ", ".join(printable(entry.filename) for entry in members[:4]) + (", ..." if len(members) > 4 else "")
        raise FileError(
            f"{name}: expected a zip with exactly one file, got {len(members)} ({shown}); unpack it and open one"
        )
    sources = []
    for entry in members:
        label = f"{name} ({printable(entry.filename)})"
        try:
            stream = cast(BinaryIO, stack.enter_context(archive.open(entry)))
        except _ZIP_FAULTS as error:
            raise FileError(
                f"{label}: expected a readable member, but the archive is damaged ({printable(str(error))})"
            ) from error
        sources.append(_source(stream, raw, size, label, PurePosixPath(entry.filename).name, entry.file_size, pulse))
    return tuple(sources)


def _check_directory_size(name: str, raw: BinaryIO, size: int) -> None:
    """Refuse a zip whose directory alone would fill the memory; ZipFile reads it whole."""
    raw.seek(max(0, size - (1 << 16) - 22))
    tail = raw.read()
    raw.seek(0)
    end = tail.rfind(_END_OF_DIRECTORY)
    directory_size = int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0
    if directory_size == 0xFFFFFFFF and tail[end - 76 : end - 72] == _END_OF_LARGE_DIRECTORY:
        directory_size = int.from_bytes(tail[end - 36 : end - 28], "little")
    if directory_size > _DIRECTORY_LIMIT:
        raise FileError(f"{name}: expected a zip with exactly one file, got a directory of {directory_size:,} bytes")


def _check_members(name: str, members: list[zipfile.ZipInfo]) -> None:
    if not members:
        raise FileError(f"{name}: expected a zip with exactly one file, got an empty archive")
    for entry in members:
        for ending, meaning in _ARCHIVES_OF_OTHERS.items():
            if len(members) > 1 and (entry.filename == ending or entry.filename.endswith("/" + ending)):
                raise FileError(f"{name}: is {meaning}")
    if len(members) > _MEMBER_LIMIT:
        raise FileError(f"{name}: expected a zip with exactly one file, got {len(members):,}")
    for entry in members:
        if entry.flag_bits & 1:
            raise FileError(
                f"{name}: expected an archive without a password, got the encrypted {printable(entry.filename)}"
            )
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileError(f"{name}: expected a member stored or deflated, got method {entry.compress_type}")
        if entry.file_size > max(BOMB_FREE_SIZE, BOMB_RATIO * entry.compress_size):
            raise FileError(
                f"{name}: expected packed numbers, got a member of {entry.compress_size:,} bytes that claims to "
                f"unpack to {entry.file_size:,}; not read"
            )
