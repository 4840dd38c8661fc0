"""JSON is read strictly: what is repeated, cut off or of another kind is refused in one sentence."""

import math

import pytest

from attnviz.document.errors import FileError
from attnviz.document.strict_json import parse_object


def test_object_is_read():
    assert parse_object(' {"ä": [1, -0.0, "x"]}\n'.encode(), "f") == {"ä": [1, -0.0, "x"]}


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e400", "9" * 5000, "-" + "9" * 5000])
def test_number_that_is_none_becomes_a_float_that_is_not_finite(text):
    number = parse_object(b'{"x": ' + text.encode() + b"}", "f")["x"]
    assert isinstance(number, float)
    assert not math.isfinite(number)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "f must hold a JSON object, got an empty file"),
        (b" \n", "f must hold a JSON object, got an empty file"),
        (b"[1]", "f must hold a JSON object, got another kind of file"),
        (b"the 0.1 0.2\n", "f must hold a JSON object, got another kind of file"),
        (b"\x89PNG", "f must be UTF-8 text, got the byte 0x89 at 1"),
        (b'{"x": "\xff"}', "f must be UTF-8 text, got the byte 0xff at 8"),
        (b"\xef\xbb\xbf{}", "f must be UTF-8 without a byte order mark, got one"),
        (b"\xff\xfe{\x00}\x00", "f must be UTF-8 text, got the byte 0xff at 1"),
        (b'{"x": [1,\n', "f must be whole, got an end in the middle of line 2"),
        (b'{"x": "ab', "f must be whole, got an end in the middle of line 1"),
        (b'{"x" 1}', "f must be JSON, got a fault in line 1, column 6 "),
        (b'{"x": 1}\n{}', "f must be JSON, got a fault in line 2, column 1 (Extra data)"),
        (b'{"x": 1, "x": 2}', "f must hold each key once, got 'x' twice in one object"),
        (b'{"y": {"a": 1, "b": 1, "b": 1}}', "f must hold each key once, got 'b' twice in one object"),
        (b'{"x": [' + b"[]," * 1_000_000, "f must hold at most 1,000,000 lists and objects, got more"),
        (b'{"x": ' + b"[" * 200_000, "f must be nested a few levels deep, got hundreds"),
    ],
)
def test_what_is_no_object_is_refused_in_one_sentence(data, sentence):
    with pytest.raises(FileError) as caught:
        parse_object(data, "f")
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)
