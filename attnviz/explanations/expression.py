"""Expressions made of numbers that know where they come from: one tree is computed, written and typeset.

Because the same tree is evaluated and written, the numbers on screen cannot disagree with the result beside them.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from attnviz.document.number_ref import NumberRef

Writer: TypeAlias = Callable[[float], str]
Reader: TypeAlias = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a written expression.

    Parameters
    ----------
    text : str
        What stands there.
    ref : NumberRef or None
        The number it is, where it has a derivation of its own.
    hidden : int
        How many terms were left out here; 0 for what is written.
    """

    text: str
    ref: NumberRef | None = None
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class Style:
    """How an expression is written.

    Parameters
    ----------
    write : callable
        Makes the text of a number.
    most_terms : int or None
        How many terms of a sum are written; ``None`` for all.
    """

    write: Writer
    most_terms: int | None = None

    def text(self, number: Number) -> str:
        """Write one number; a whole count without decimals."""
        if number.is_count:
            return str(int(number.number))
        return "−∞" if number.number == -math.inf else self.write(number.number)


class Expression(ABC):
    """A node of the tree. ``is_first`` tells a node that it needs no brackets around a sign."""

    __slots__ = ()

    @abstractmethod
    def value(self, read: Reader) -> float:
        """Compute it from its numbers, each passed through ``read`` (which may round it)."""

    @abstractmethod
    def parts(self, style: Style, *, is_first: bool = True) -> list[Part]:
        """Write it on one line."""

    @abstractmethod
    def latex(self, style: Style, *, is_first: bool = True) -> str:
        """Typeset it."""

    @abstractmethod
    def numbers(self) -> list[Number]:
        """List its numbers, in order."""


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """A number.

    Parameters
    ----------
    number : float
        Its value; -inf for a masked score.
    ref : NumberRef or None
        Where it comes from; ``None`` for a constant of the formula.
    is_count : bool
        Whether it is a whole number that counts something, which is never rounded.
    """

    number: float
    ref: NumberRef | None = None
    is_count: bool = False

    def value(self, read: Reader) -> float:
        """Give the number, passed through ``read``."""
        return self.number if self.is_count or math.isinf(self.number) else read(self.number)

    def parts(self, style: Style, *, is_first: bool = True) -> list[Part]:
        """Write it, in brackets where a sign would stand after an operator."""
        part = Part(style.text(self), self.ref)
        needs_brackets = not is_first and part.text.startswith(("-", "−"))
        return [Part("("), part, Part(")")] if needs_brackets else [part]

    def latex(self, style: Style, *, is_first: bool = True) -> str:
        """Typeset it, a power of ten as one."""
        text = latex_number(style.text(self))
        return rf"\left({text}\right)" if text.startswith("-") and not is_first else text

    def numbers(self) -> list[Number]:
        """Give itself."""
        return [self]


def latex_number(text: str) -> str:
    """Typeset the text of a number, ``1.2e+05`` with a power of ten."""
    if text == "−∞":
        return r"-\infty"
    digits, e, power = text.partition("e")
    return rf"{digits} \times 10^{{{int(power)}}}" if e else digits
