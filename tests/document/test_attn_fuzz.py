"""Damaged `.attn` files: whatever was done to the bytes, they are read or refused in one sentence."""

import json
import random

import pytest

from attnviz.document.attn_file import decode, encode
from attnviz.document.errors import DocumentError, FileError
from attnviz.document.frame import compute
from attnviz.document.interventions import PINNED_KINDS, Intervention, Interventions
from tests.document import states

WHOLE = [
    encode(states.cat_dog_phone(title="Größe", description="<s> & 猫")),
    encode(states.random_state(3, 5, d_k=7)),
    encode(states.cross_state(2, 3, 3, w_v=[[1.0], [2.0], [3.0]])),
    encode(states.cat_dog_phone(interventions=Interventions([Intervention(kind, 1, 0, 0.5) for kind in PINNED_KINDS]))),
]
PIECES = [
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"9" * 400,
    b"[",
    b"]",
    b"{",
    b"}",
    b'"',
    b"null",
    b"true",
    b"\x00",
    b"\xff",
    b"\\ud800",
]
VALUES = [None, True, -1, 0, 10**400, 1e308, "", "x", [], {}, [[]], [1.0], {"tokens": []}, [[1.0], [2.0, 3.0]]]


def damaged_bytes(data, rng):
    """Cut, copy, overwrite or sprinkle a few places."""
    damaged = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at, to = sorted(rng.randrange(len(damaged) + 1) for _ in range(2))
        kind = rng.randrange(5)
        if kind == 0:
            del damaged[at : min(to, at + 20)]
        elif kind == 1:
            damaged[at:at] = rng.choice(PIECES)
        elif kind == 2:
            damaged[at : at + 1] = bytes([rng.randrange(256)])
        elif kind == 3:
            damaged[at:at] = damaged[at : min(to, at + 50)]
        else:
            del damaged[to:]
    return bytes(damaged)


def damaged_fields(data, rng):
    """Put a wrong value into one place of the JSON tree, or take it out."""
    document = json.loads(data)
    node = document
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = rng.choice(keys)
        inner = node[key]
        if not isinstance(inner, dict | list) or not inner or rng.random() < 0.3:
            break
        node = inner
    if rng.random() < 0.3:
        del node[key]
    else:
        node[key] = rng.choice(VALUES)
    return json.dumps(document).encode()


def read_or_refuse(data):
    try:
        state = decode(data, "f")
    except FileError as error:
        states.assert_one_sentence(error)
        return False
    assert decode(encode(state), "f").is_same(state)
    try:
        compute(state)
    except DocumentError as error:
        states.assert_one_sentence(error)
    return True


def fuzz(count, seed):
    rng = random.Random(seed)
    damages = [damaged_bytes, damaged_fields] * count
    outcomes = [read_or_refuse(damage(rng.choice(WHOLE), rng)) for damage in damages]
    assert 0 < sum(outcomes) < len(outcomes)


def test_damaged_files_are_read_or_refused():
    fuzz(300, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_thousands_of_damaged_files_are_read_or_refused(seed):
    fuzz(4_000, seed=100 + seed)
