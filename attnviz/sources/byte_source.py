"""Reads the bytes of one file in blocks: bounded memory, progress, cancelling, and every failure as one sentence.

Readers of formats see only this class, so that a plain file, a gzip stream and a member of a zip archive are the
same to them, and so that a damaged or hostile file is caught in one place.
"""

from __future__ import annotations

import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import BinaryIO

from attnviz.document.errors import FileError
from attnviz.sources.cells import printable
from attnviz.sources.records import Cancelled

BLOCK_SIZE = 1 << 20
LINE_LIMIT = 1 << 20
BOMB_FREE_SIZE = 64 << 20
BOMB_RATIO = 200
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_REPORT_INTERVAL_S = 0.02


class Pulse:
    """Passes progress on, at most fifty times a second, and stops the reading when asked.

    Parameters
    ----------
    progress : callable
        Called with the share of the file read, 0 to 1.
    is_cancelled : callable
        Asked at every block; True stops the reading.
    """

    def __init__(self, progress: Callable[[float], None], is_cancelled: Callable[[], bool]) -> None:
        self._progress = progress
        self._is_cancelled = is_cancelled
        self._last_report_s = float("-inf")
        self._share = 0.0

    def beat(self, share: float) -> None:
        """Report the share read, which never falls, unless a report was given just now.

        Parameters
        ----------
        share : float
            0 to 1.

        Raises
        ------
        Cancelled
            When the caller asked to stop.
        """
        if self._is_cancelled():
            raise Cancelled
        self._share = min(max(share, self._share), 1.0)
        now_s = time.monotonic()
        if now_s - self._last_report_s >= _REPORT_INTERVAL_S:
            self._last_report_s = now_s
            self._progress(self._share)


class ByteSource:
    """The unpacked bytes of one file, read once from front to back.

    Parameters
    ----------
    stream : binary file
        Gives the unpacked bytes.
    raw : binary file
        The file on the disk, whose position is the progress; the same as `stream` for a plain file.
    raw_size : int
        Size of the file on the disk in bytes.
    label : str
        What messages call this source.
    name : str
        File name of the unpacked bytes, such as "vectors.txt".
    size : int or None
        Number of unpacked bytes, None when only reading tells.
    pulse : Pulse
        Told about every block.
    """

    def __init__(
        self,
        stream: BinaryIO,
        *,
        raw: BinaryIO,
        raw_size: int,
        label: str,
        name: str,
        size: int | None,
        pulse: Pulse,
    ) -> None:
        self.label = label
        self.suffix = PurePosixPath(name).suffix.lower()
        self.stem = PurePosixPath(name).stem
        self.size = size
        self._stream = stream
        self._raw = raw
        self._raw_size = raw_size
        self._pulse = pulse
        self._ahead = b""
        self._unpacked = 0

    def fail(self, message: str, place: str = "") -> FileError:
        """Make the error that names this file, and the place in it.

        Parameters
        ----------
        message : str
            What was expected and what came.
        place : str
            Such as "line 3"; empty for the file as a whole.

        Returns
        -------
        FileError
            To be raised by the caller.
        """
        return FileError(f"{self.label}, {place}: {message}" if place else f"{self.label}: {message}")

    def peek(self, count: int) -> bytes:
        """Look at the next bytes without taking them; fewer only where the file ends."""
        while len(self._ahead) < count and (block := self._next_block(count - len(self._ahead))):
            self._ahead += block
        return self._ahead[:count]

    def read(self, count: int) -> bytes:
        """Take the next bytes; fewer only where the file ends."""
        taken, self._ahead = self._ahead[:count], self._ahead[count:]
        parts = [taken]
        missing = count - len(taken)
        while missing and (block := self._next_block(min(missing, BLOCK_SIZE))):
            parts.append(block)
            missing -= len(block)
        return b"".join(parts) if len(parts) > 1 else taken

    def skip(self, count: int) -> None:
        """Pass over bytes: at once in a plain file, block by block in a packed one."""
        ahead = min(count, len(self._ahead))
        self._ahead = self._ahead[ahead:]
        left = count - ahead
        if self._stream is self._raw:
            self._raw.seek(left, 1)
            return
        while left and (block := self._next_block(min(left, BLOCK_SIZE))):
            left -= len(block)

    def line_batches(self) -> Iterator[tuple[int, list[bytes], bool]]:
        r"""Split the rest of the file at line feeds, about a megabyte at a time.

        Yields
        ------
        number : int
            Line number of the first line of the batch, from 1.
        lines : list of bytes
            Without their line feeds.
        is_cut : bool
            True for the last line of a file that does not end with a line feed.

        Raises
        ------
        FileError
            When a line is longer than LINE_LIMIT.
        """
        number, rest = 1, b""
        while block := self.read(BLOCK_SIZE):
            lines = (rest + block).split(b"\n")
            rest = lines.pop()
            if len(rest) > LINE_LIMIT or (lines and len(lines[0]) > LINE_LIMIT):
                long_line = number if lines and len(lines[0]) > LINE_LIMIT else number + len(lines)
                raise self.fail(
                    f"expected lines of at most {LINE_LIMIT:,} bytes, got a longer one", f"line {long_line}"
                )
            yield number, lines, False
            number += len(lines)
        if rest:
            yield number, [rest], True

    def _next_block(self, count: int) -> bytes:
        try:
            block = self._stream.read(count)
        except (OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
            how = f"after {self._unpacked:,} bytes ({printable(str(error))})"
            if self._stream is self._raw:
                raise self.fail(f"could not be read {how}") from error
            raise self.fail(f"expected a whole file, but it is damaged or cut off {how}") from error
        self._unpacked += len(block)
        position = self._raw.tell()
        if self._unpacked > BOMB_FREE_SIZE and self._unpacked > BOMB_RATIO * position:
            raise self.fail(
                f"expected packed numbers, got data that unpacks to more than {BOMB_RATIO} times its size; not read"
            )
        self._pulse.beat(position / self._raw_size)
        return block
