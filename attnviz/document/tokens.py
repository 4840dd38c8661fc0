"""A list of tokens with their embeddings, and where the embedding of a new token comes from."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from attnviz.document.arrays import FloatArray, frozen_array, same_bits
from attnviz.document.errors import DocumentError

MAX_TOKENS = 5_000
MAX_WIDTH = 16_384
MAX_TOKEN_LENGTH = 1_000
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"


@dataclass(frozen=True, slots=True, eq=False)
class TokenSequence:
    """Tokens in order, each with its embedding.

    Parameters
    ----------
    tokens : tuple of str
        Names, in order; the same name may stand in several places.
    embeddings : (n, d) array
        One row per token; kept as a read-only float64 array.

    Raises
    ------
    DocumentError
        If there is no token, too many, a name that cannot be one, or the rows do not match the tokens.
    """

    tokens: tuple[str, ...]
    embeddings: FloatArray

    def __post_init__(self) -> None:
        tokens = tuple(self.tokens)
        embeddings = frozen_array(self.embeddings, name="embeddings", ndim=2)
        n, d = embeddings.shape
        if len(tokens) != n:
            raise DocumentError(f"embeddings must have one row per token, {len(tokens)}, got {n}")
        if not 1 <= n <= MAX_TOKENS:
            raise DocumentError(f"a sequence must have 1 to {MAX_TOKENS:,} tokens, got {n:,}")
        if not 1 <= d <= MAX_WIDTH:
            raise DocumentError(f"an embedding must have 1 to {MAX_WIDTH:,} coordinates, got {d:,}")
        _check_tokens(tokens)
        object.__setattr__(self, "tokens", tokens)
        object.__setattr__(self, "embeddings", embeddings)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def width(self) -> int:
        """The number of coordinates of an embedding, d."""
        return int(self.embeddings.shape[1])

    def is_same(self, other: TokenSequence | None) -> bool:
        """Tell whether ``other`` has the same names and the same bits."""
        return other is not None and self.tokens == other.tokens and same_bits(self.embeddings, other.embeddings)


def check_token(token: str) -> None:
    """Refuse a name that cannot be shown, typed or saved.

    Raises
    ------
    DocumentError
        If it is empty, too long, or holds a line break, another control character or half a surrogate pair.
    """
    if not isinstance(token, str):
        raise DocumentError(f"a token must be text, got {type(token).__name__}")
    if not token.strip():
        raise DocumentError("a token must have at least one visible character, got an empty name")
    if len(token) > MAX_TOKEN_LENGTH:
        raise DocumentError(f"a token must have at most {MAX_TOKEN_LENGTH:,} characters, got {len(token):,}")
    _check_characters(token, "a token")


def check_index(sequence: TokenSequence, index: int) -> None:
    """Refuse a place where no token of a sequence stands.

    Raises
    ------
    DocumentError
        If it lies outside.
    """
    if not 0 <= index < len(sequence):
        raise DocumentError(f"a token's place must be 1 to {len(sequence)}, got {index + 1}")


@lru_cache(maxsize=64)
def check_line(text: str, name: str) -> None:
    """Refuse a text that is not one line of at most MAX_TOKEN_LENGTH characters.

    Raises
    ------
    DocumentError
        If it is too long, or holds a line break, another control character or half a surrogate pair.
    """
    if len(text) > MAX_TOKEN_LENGTH:
        raise DocumentError(f"{name} must have at most {MAX_TOKEN_LENGTH:,} characters, got {len(text):,}")
    _check_characters(text, name)


@lru_cache(maxsize=8)
def told_apart(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Name tokens so that no two are alike: one of several with the same name gets its place, counted from 1.

    Examples
    --------
    >>> told_apart(("the", "cat", "the"))
    ('the #1', 'cat', 'the #3')
    """
    counts = Counter(tokens)
    return tuple([f"{token} #{place}" if counts[token] > 1 else token for place, token in enumerate(tokens, 1)])


def shortened(name: str, longest: int) -> str:
    """Cut a long name off, with an ellipsis as its last character.

    Examples
    --------
    >>> shortened("internationalisation", 8), shortened("cat", 8)
    ('interna…', 'cat')
    """
    return name if len(name) <= longest else name[: longest - 1] + "…"


@lru_cache(maxsize=256)
def isolated(name: str) -> str:
    """Keep a name that runs from right to left from turning what stands around it in a sentence.

    Examples
    --------
    >>> isolated("cat")
    'cat'
    >>> isolated("\u05e9\u05dc") == "\u2068\u05e9\u05dc\u2069"
    True
    """
    if name.isascii() or not any(unicodedata.bidirectional(c) in {"R", "AL"} for c in name):
        return name
    return f"{_ISOLATE}{name}{_END_ISOLATE}"


def first_embedding(token: str, width: int) -> FloatArray:
    """Give a new token the embedding it starts with: fixed by its name, so equal names start equal.

    Parameters
    ----------
    token : str
        The name; it seeds the generator.
    width : int
        The number of coordinates, d.

    Returns
    -------
    (d,) array
        Coordinates in [-1, 1], rounded to two places.
    """
    seed = int.from_bytes(hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()[:8], "little")
    return np.round(np.random.default_rng(seed).uniform(-1.0, 1.0, size=width), 2) + 0.0


@lru_cache(maxsize=64)
def _check_tokens(tokens: tuple[str, ...]) -> None:
    """Check every name; a tuple that passed is remembered, because a drag keeps it."""
    for token in tokens:
        check_token(token)


def _check_characters(text: str, name: str) -> None:
    if text.isascii() and text.isprintable():
        return
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
            raise DocumentError(f"{name} must not hold control characters, got U+{ord(character):04X}")
