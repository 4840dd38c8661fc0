"""What holds for every format: which words come back, archives, progress, cancelling, and files that are none."""

import gzip
import json
import os
import socket
import struct
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from attnviz.document.errors import DocumentError, FileError
from attnviz.sources import Cancelled, describe, lacks_all, read_word_vectors

ROWS = b"the 1 2\ncat 3 4\nDog 5 6\ndog 7 8\n"


@pytest.fixture
def glove(tmp_path: Path) -> Path:
    path = tmp_path / "glove.txt"
    path.write_bytes(ROWS)
    return path


def test_repeated_words_repeat_their_rows(glove: Path) -> None:
    found = read_word_vectors(glove, ["the", "cat", "the", "the"])
    assert found.words == ("the", "cat", "the", "the")
    np.testing.assert_array_equal(found.vectors, [[1, 2], [3, 4], [1, 2], [1, 2]])


@pytest.mark.parametrize(
    ("words", "expected"), [(["zebra", "ant"], True), (["zebra", "cat"], False), (["CAT"], False), (["dog"], False)]
)
def test_file_lacks_words_where_it_has_none_of_them_in_any_case(glove: Path, words: list[str], expected: bool) -> None:
    assert lacks_all(glove, words) is expected


def test_long_or_unreadable_file_is_not_said_to_lack_words(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(b"the 1 2\n" * 2_000_000)
    start = time.perf_counter()
    assert not lacks_all(path, ["zebra"])
    assert time.perf_counter() - start < 2.0
    assert not lacks_all(tmp_path / "none.txt", ["zebra"])


def test_missing_words_are_listed_once_in_order(glove: Path) -> None:
    found = read_word_vectors(glove, ["zebra", "cat", "ant", "zebra", "", "\ud800"])
    assert found.words == ("cat",)
    assert found.missing == ("zebra", "ant", "", "\ud800")


def test_nothing_found_is_an_empty_table_of_the_right_width(glove: Path) -> None:
    found = read_word_vectors(glove, ["zebra"])
    assert found.vectors.shape == (0, 2)


def test_lower_case_stands_in_where_the_exact_word_is_missing(glove: Path) -> None:
    found = read_word_vectors(glove, ["The", "Dog", "CAT", "dog"])
    assert found.words == ("The", "Dog", "CAT", "dog")
    np.testing.assert_array_equal(found.vectors, [[1, 2], [5, 6], [3, 4], [7, 8]])
    assert found.substituted == (("The", "the"), ("CAT", "cat"))
    assert found.missing == ()


def test_exact_word_wins_over_an_earlier_lower_case_one(tmp_path: Path) -> None:
    path = tmp_path / "apple.txt"
    path.write_bytes(b"apple 1 2\nApple 3 4\n")
    found = read_word_vectors(path, ["Apple"])
    np.testing.assert_array_equal(found.vectors, [[3, 4]])
    assert found.substituted == ()


def test_no_words_wanted_is_refused(glove: Path) -> None:
    with pytest.raises(DocumentError, match="expected at least one word"):
        read_word_vectors(glove, [])


def test_more_rows_than_the_cap_need_words(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    rows = [f"word{i} {i}.5 1\n" for i in range(2001)]
    path.write_text("".join(rows[:2000]))
    assert len(read_word_vectors(path, None).words) == 2000
    path.write_text("".join(rows))
    with pytest.raises(FileError, match=r"many.txt: expected at most 2,000 rows, got more; name the words to keep"):
        read_word_vectors(path, None)


def test_chosen_rows_beyond_the_limit_are_refused_before_room_is_made(tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_text("cat " + "1 " * 50_000 + "\n")
    with pytest.raises(FileError, match="choose fewer words"):
        read_word_vectors(path, ["cat"] * 3000)


def gz(path: Path) -> Path:
    packed = path.with_name(path.name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


def zipped(path: Path, extra: dict[str, bytes] | None = None) -> Path:
    packed = path.with_suffix(".zip")
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path, path.name)
        for name, content in (extra or {}).items():
            archive.writestr(name, content)
    return packed


@pytest.mark.parametrize("pack", [gz, zipped, lambda p: zipped(p, {"__MACOSX/._glove.txt": b"x", "folder/": b""})])
@pytest.mark.parametrize(
    ("name", "content"),
    [("glove.txt", ROWS), ("glove.csv", b"word;x;y\nthe;1;2\ncat;3;4\n"), ("glove.tsv", b"the\t1\t2\ncat\t3\t4\n")],
)
def test_packed_files_read_like_plain_ones(
    tmp_path: Path, pack: Callable[[Path], Path], name: str, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    packed = pack(path)
    found = read_word_vectors(packed, ["cat", "the"])
    np.testing.assert_array_equal(found.vectors, [[3, 4], [1, 2]])
    assert describe(packed) == describe(path)


def test_format_is_told_by_the_content_not_the_name(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.eye(2))
    renamed = (tmp_path / "x.npy").rename(tmp_path / "x.txt")
    assert read_word_vectors(renamed, None).words == ("0", "1")
    gz_without_suffix = tmp_path / "glove"
    gz_without_suffix.write_bytes(gzip.compress(ROWS))
    assert read_word_vectors(gz_without_suffix, ["cat"]).words == ("cat",)


def test_progress_rises_to_one_and_is_rare(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_bytes(b"".join(b"word%d 0.25 0.5 0.75 0.125\n" % i for i in range(200_000)))
    for each in (path, gz(path)):
        shares: list[float] = []
        start = time.perf_counter()
        read_word_vectors(each, ["absent"], progress=shares.append)
        seconds = time.perf_counter() - start
        assert shares == sorted(shares)
        assert all(0.0 <= share <= 1.0 for share in shares)
        assert shares[-1] == 1.0
        assert len(shares) <= 50 * seconds + 3


def test_cancelling_stops_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_bytes(b"".join(b"word%d 0.25 0.5 0.75 0.125\n" % i for i in range(200_000)))
    asked = []

    def is_cancelled() -> bool:
        asked.append(True)
        return len(asked) == 3

    with pytest.raises(Cancelled):
        read_word_vectors(path, ["absent"], is_cancelled=is_cancelled)
    assert len(asked) == 3


def word2vec_binary(count: int = 2, dimension: int = 40) -> bytes:
    vectors = np.random.default_rng(0).normal(size=(count, dimension)).astype("<f4")
    rows = b"".join(b"word%d " % i + row.tobytes() + b"\n" for i, row in enumerate(vectors))
    return b"%d %d\n" % (count, dimension) + rows


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.txt", b"", "x.txt: expected word vectors, got an empty file"),
        ("x.txt", b"\xef\xbb\xbf", "got an empty file"),
        ("x.txt", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "x.txt: expected word vectors, got a PNG picture"),
        ("x.csv", b"%PDF-1.7\n%\xe2\xe3", "got a PDF document"),
        ("x.npy", b"\xff\xd8\xff\xe0" + b"\0" * 50, "got a JPEG picture"),
        (
            "x.txt",
            json.dumps({"format": "attnviz", "version": 1}, indent=1).encode(),
            "got a JSON document; open an .attn",
        ),
        ("x.txt", b'[{"word": "cat"}]', "got a JSON document; save the table as CSV"),
        ("x.txt", b"<!DOCTYPE html><html>", "got a web page"),
        ("x.bin", word2vec_binary(), "got a word2vec binary file; export it as text"),
        ("x.bin", struct.pack("<II", 793712314, 12) + b"\0" * 90, "got a fastText binary model; export it as text"),
        ("x.pkl", b"\x80\x04\x95\x10\0\0\0", "got a pickle, which can run code and is never loaded"),
        ("x.txt", "cat\t1\t2\n".encode("utf-16"), "got UTF-16 text; save it as UTF-8"),
        ("x.txt", b"\x7fELF\x02\x01\x01\0\0", "got a binary file"),
        ("x.tar", b"glove.txt".ljust(257, b"0") + b"ustar", "got a tar archive"),
        ("x.xz", b"\xfd7zXZ\0", "got an xz archive; unpack it first"),
        (
            "x.gz",
            gzip.compress(gzip.compress(ROWS, mtime=0), mtime=0),
            "x.gz: .*got a gzip file inside another archive",
        ),
        ("x.gz", gzip.compress(b"", mtime=0), "got an empty file"),
        (
            "x.gz",
            gzip.compress(np.random.default_rng(0).bytes(5000).hex().encode(), mtime=0)[:-500],
            "expected a whole file, but it is damaged or cut off after",
        ),
        ("x.gz", gzip.compress(ROWS, mtime=0)[:20] + b"\xff" * 20, "damaged or cut off"),
        ("x.gz", b"\x1f\x8b", "damaged or cut off"),
        ("x.zip", b"PK\x03\x04 and no more", "expected a zip archive, but it is damaged or cut off"),
        ("x.txt", b"Once upon a time, there was,\na cat, a dog,\nand a fox\n", "x.txt.*expected"),
    ],
)
def test_file_of_another_kind_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    # A quick look need not reach the damage; reading must.
    with suppress(FileError):
        describe(path)
    with pytest.raises(FileError, match=message) as caught:
        read_word_vectors(path, ["zebra"])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({}, "expected a zip with exactly one file, got an empty archive"),
        ({"a.txt": ROWS, "b.txt": ROWS}, r"exactly one file, got 2 \(a.txt, b.txt\); unpack it and open one"),
        ({"[Content_Types].xml": b"x", "xl/workbook.xml": b"x"}, "is an Excel workbook; save it as CSV"),
        ({"mimetype": b"x", "content.xml": b"x"}, "is an OpenDocument file; save it as CSV"),
        ({"archive/data.pkl": b"x", "archive/version": b"3"}, "is a PyTorch file, which holds a pickle"),
        ({f"{i}.npy": b"x" for i in range(200)}, "expected a zip with exactly one file, got 200"),
        ({"a.png": b"\x89PNG\r\n\x1a\n"}, r"x.zip \(a.png\): expected word vectors, got a PNG picture"),
        ({"a\nb.txt": b"\0"}, r"x.zip \(a\?b.txt\): expected word vectors, got a binary file"),
    ],
)
def test_zip_that_holds_something_else_is_refused(tmp_path: Path, members: dict[str, bytes], message: str) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(FileError, match=message):
        read_word_vectors(path, ["cat"])


def patched_zip(folder: Path, content: bytes, patch: Callable[[bytearray, int], None]) -> Path:
    """Write a zip with one deflated member, and change its entry in the directory."""
    path = folder / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("glove.txt", content)
    whole = bytearray(path.read_bytes())
    patch(whole, whole.rfind(b"PK\x01\x02"))
    path.write_bytes(whole)
    return path


def set_encrypted(whole: bytearray, entry: int) -> None:
    whole[entry + 8] |= 1


def set_method_lzma(whole: bytearray, entry: int) -> None:
    whole[entry + 10] = 14


def set_absurd_size(whole: bytearray, entry: int) -> None:
    whole[entry + 24 : entry + 28] = (4_000_000_000).to_bytes(4, "little")


def set_wrong_checksum(whole: bytearray, entry: int) -> None:
    whole[entry + 16] ^= 1


def set_empty_name(whole: bytearray, entry: int) -> None:
    """Make the name empty; its bytes become the comment."""
    whole[entry + 32] = whole[entry + 28]
    whole[entry + 28] = 0


def set_huge_directory(whole: bytearray, entry: int) -> None:
    end = whole.rfind(b"PK\x05\x06")
    whole[end + 12 : end + 16] = (50_000_000).to_bytes(4, "little")


def set_huge_large_directory(whole: bytearray, entry: int) -> None:
    """Add the 64-bit end of directory, which the old one then points to by its largest numbers."""
    end = whole.rfind(b"PK\x05\x06")
    size, offset = end - entry, entry
    large = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, 50_000_000 + size, offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    whole[end + 8 : end + 20] = b"\xff" * 12
    whole[end:end] = large + locator


def set_wrong_offset(whole: bytearray, entry: int) -> None:
    whole[entry + 42 : entry + 46] = (12).to_bytes(4, "little")


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        (set_encrypted, "expected an archive without a password, got the encrypted glove.txt"),
        (set_method_lzma, "expected a member stored or deflated, got method 14"),
        (set_absurd_size, "claims to unpack to 4,000,000,000; not read"),
        (set_wrong_checksum, "damaged or cut off .*CRC"),
        (set_huge_directory, "got a directory of 50,000,000 bytes"),
        (set_huge_large_directory, "got a directory of 50,000,0[0-9]{2} bytes"),
        (set_wrong_offset, "the archive is damaged"),
        (set_empty_name, "the archive is damaged"),
    ],
)
def test_damaged_or_hostile_zip_is_refused(
    tmp_path: Path, patch: Callable[[bytearray, int], None], message: str
) -> None:
    with pytest.raises(FileError, match=message):
        read_word_vectors(patched_zip(tmp_path, ROWS, patch), ["zebra"])


def test_gzip_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.txt.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(800):
            file.write(b"cat" + b" 0" * 50_000 + b"\n")
    with pytest.raises(FileError, match="unpacks to more than 200 times its size; not read"):
        read_word_vectors(path, ["zebra"])


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"absent.txt: could not be opened \(No such file or directory\)"):
        read_word_vectors(tmp_path / "absent.txt", ["cat"])


def test_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="expected a file, got a folder"):
        read_word_vectors(tmp_path, ["cat"])


def test_name_with_a_zero_character_is_refused() -> None:
    with pytest.raises(FileError, match="could not be opened"):
        read_word_vectors("a\0b.txt", ["cat"])


def test_pipe_device_and_socket_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        for path in (tmp_path / "pipe", tmp_path / "socket", Path(os.devnull)):
            with pytest.raises(FileError, match="expected a regular file, got a pipe, socket or device"):
                read_word_vectors(path, ["cat"])


def test_unreadable_file_is_named(glove: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FileError, match=r"glove.txt: could not be opened \(Permission denied\)"):
        read_word_vectors(glove, ["cat"])
