"""A scalar takes values of its kind and range, and says in one sentence why it takes no other."""

import math

import numpy as np
import pytest

from attnviz.document.errors import DocumentError
from attnviz.document.scalars import Scalar

NUMBER = Scalar(key="heat", label="", help="", kind="number", minimum=0.5, maximum=2.0)
COUNT = Scalar(key="many", label="", help="", kind="count", minimum=0, maximum=2**31 - 1)
SWITCH = Scalar(key="lamp", label="", help="", kind="switch")
CHOICE = Scalar(key="rule", label="", help="", kind="choice", choices=(("one", "1", ""), ("two", "2", "")))
OPEN = Scalar(key="open", label="", help="", kind="number", minimum=0.0)


@pytest.mark.parametrize(
    ("scalar", "given", "expected"),
    [
        (NUMBER, 1, 1.0),
        (NUMBER, 0.5, 0.5),
        (NUMBER, np.float32(1.5), 1.5),
        (COUNT, 7.0, 7),
        (COUNT, np.int64(7), 7),
        (SWITCH, True, True),
        (CHOICE, "two", "two"),
        (OPEN, 1e300, 1e300),
    ],
)
def test_value_comes_back_in_the_scalars_own_type(scalar, given, expected):
    checked = scalar.check(given)
    assert checked == expected
    assert type(checked) is type(expected)


@pytest.mark.parametrize(
    ("scalar", "given", "sentence"),
    [
        (NUMBER, 3.0, "heat must be between 0.5 and 2, got 3.0"),
        (NUMBER, "1", "heat must be a number, got '1'"),
        (NUMBER, True, "heat must be a number, got True"),
        (NUMBER, None, "heat must be a number, got None"),
        (NUMBER, math.nan, "heat must be a finite number, got nan"),
        (NUMBER, 10**400, "heat must be a number a float64 can hold, got one with over 308 digits"),
        (COUNT, 2.5, "many must be a whole number, got 2.5"),
        (COUNT, -1, "many must be between 0 and 2,147,483,647, got -1"),
        (COUNT, math.inf, "many must be a finite number, got inf"),
        (SWITCH, 1, "lamp must be true or false, got 1"),
        (CHOICE, "three", "rule must be one of one, two, got 'three'"),
        (CHOICE, ["one"], "rule must be one of one, two, got ['one']"),
        (CHOICE, "x" * 99, "rule must be one of one, two, got '" + "x" * 56 + "..."),
        (OPEN, -1.0, "open must be at least 0, got -1.0"),
    ],
)
def test_refused_value_gets_one_sentence(scalar, given, sentence):
    with pytest.raises(DocumentError) as caught:
        scalar.check(given)
    assert str(caught.value) == sentence


def test_whole_number_too_long_to_be_written_is_refused():
    with pytest.raises(DocumentError, match="many must be a number a float64 can hold, got one with over 308 digits"):
        COUNT.check(10**5000)
    with pytest.raises(DocumentError, match="lamp must be true or false, got a whole number of thousands of digits"):
        SWITCH.check(10**5000)


@pytest.mark.parametrize(
    ("scalar", "text", "expected"),
    [
        (NUMBER, " 1e0 ", 1.0),
        (COUNT, "12", 12),
        (SWITCH, "Yes", True),
        (SWITCH, "off", False),
        (CHOICE, "one", "one"),
    ],
)
def test_typed_text_is_read(scalar, text, expected):
    assert scalar.parse(text) == expected


@pytest.mark.parametrize(
    ("scalar", "text", "sentence"),
    [
        (NUMBER, "warm", "heat must be a number, got 'warm'"),
        (NUMBER, "nan", "heat must be a finite number, got nan"),
        (COUNT, "2.5", "many must be a whole number, got '2.5'"),
        (COUNT, "9" * 400, "many must be a number a float64 can hold, got one with over 308 digits"),
        (SWITCH, "maybe", "lamp must be true or false, got 'maybe'"),
        (CHOICE, "", "rule must be one of one, two, got ''"),
    ],
)
def test_typed_text_that_makes_no_sense_is_refused(scalar, text, sentence):
    with pytest.raises(DocumentError) as caught:
        scalar.parse(text)
    assert str(caught.value) == sentence
