"""Whole files without loss: reads with a limit, and saves that happen entirely or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from attnviz.document.errors import FileError


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the content of a file, or leave the old one untouched.

    The bytes go to a new file in the same folder, reach the disk, and only then take the old file's name. A
    symbolic link stays one: the file it points to is replaced. The old file's permissions are kept.

    Parameters
    ----------
    path : Path
        The file to write; its folder must be there.
    data : bytes
        All of its content.

    Raises
    ------
    FileError
        If it is a folder or a device, is protected against writing, or the folder or the disk refuses.
    """
    try:
        target = Path(os.path.realpath(path))
        old = _status(target)
        temporary = target.parent / f".attnviz-{secrets.token_hex(8)}.tmp"
        try:
            _write(temporary, data, old)
            os.replace(temporary, target)
        finally:
            with suppress(OSError):
                os.unlink(temporary)
        _sync_folder(target.parent)
    except (OSError, ValueError) as error:
        raise FileError(f"{path} cannot be saved: {reason_of(error)}") from error


def read_bounded(path: Path, limit: int) -> bytes:
    """Read a whole file of at most ``limit`` bytes.

    Parameters
    ----------
    path : Path
        An ordinary file.
    limit : int
        The largest size in bytes; a larger file is refused before anything is read.

    Returns
    -------
    bytes

    Raises
    ------
    FileError
        If there is no such file, it may not be read, it is no ordinary file, or it is too large.
    """
    try:
        # Non-blocking, because opening a pipe that nobody writes to would wait for ever.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            return _read(path, handle, limit)
        finally:
            os.close(handle)
    except FileError:
        raise
    except (OSError, ValueError) as error:
        raise FileError(f"{path} cannot be read: {reason_of(error)}") from error


def reason_of(error: OSError | ValueError) -> str:
    """Say in a few words why the system refused."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return reason[:1].lower() + reason[1:]


def _status(target: Path) -> os.stat_result | None:
    """Give the status of the file to be replaced, or None if there is none yet."""
    try:
        status = os.lstat(target)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(0, "it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "it is not an ordinary file")
    if not os.access(target, os.W_OK):
        raise PermissionError(0, "it is protected against writing")
    return status


def _write(temporary: Path, data: bytes, old: os.stat_result | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    mode = 0o666 if old is None else stat.S_IMODE(old.st_mode)
    handle = os.open(temporary, flags, mode & 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        os.fsync(handle)
    finally:
        os.close(handle)
    if old is not None:
        with suppress(PermissionError):  # a file system without permissions has none to keep
            os.chmod(temporary, mode)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system can; the file itself is safe already."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _read(path: Path, handle: int, limit: int) -> bytes:
    status = os.fstat(handle)
    if stat.S_ISDIR(status.st_mode):
        raise FileError(f"{path} must be a file, got a folder")
    if not stat.S_ISREG(status.st_mode):
        raise FileError(f"{path} must be an ordinary file, got a device or a pipe")
    if status.st_size <= limit:
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(limit + 1)  # it may have grown, or be one whose size the system does not tell
        if len(data) <= limit:
            return data
    raise FileError(f"{path} must have at most {limit:,} bytes, got more")
