"""What is done with numbers in an expression: sums, products, quotients and functions of them."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from attnviz.explanations.expression import Expression, Number, Part, Reader, Style

Item = TypeVar("Item")
LARGEST_EXPONENT = 709.0  # of a finite exponential


class _Joined(Expression):
    """Several expressions with a sign between them."""

    __slots__ = ()
    _plain, _typeset, _dots, _is_list = "", "", r"\cdots", False

    @property
    @abstractmethod
    def members(self) -> tuple[Expression, ...]:
        """The expressions."""

    def parts(self, style: Style, *, is_first: bool = True) -> list[Part]:
        """Write them in one line, the middle of a long sum left out."""
        found: list[Part] = []
        for place, member in _shown(self.members, self._most(style)):
            if place:
                found.append(Part(self._plain))
            if isinstance(member, int):
                found.append(Part(f"… {member:,} more …", hidden=member))
            else:
                found += member.parts(style, is_first=self._is_list or (is_first and not place))
        return found

    def latex(self, style: Style, *, is_first: bool = True) -> str:
        """Typeset them in one line, the middle of a long sum left out."""
        texts = [
            self._dots
            if isinstance(member, int)
            else member.latex(style, is_first=self._is_list or (is_first and not place))
            for place, member in _shown(self.members, self._most(style))
        ]
        return self._typeset.join(texts)

    def numbers(self) -> list[Number]:
        """List the numbers of all of them."""
        return [number for member in self.members for number in member.numbers()]

    def _most(self, style: Style) -> int | None:  # noqa: ARG002  a sum looks at it
        return None


@dataclass(frozen=True, slots=True)
class Sum(_Joined):
    """A sum; a long one is written with its middle left out."""

    terms: tuple[Expression, ...]
    _plain, _typeset = " + ", " + "

    @property
    def members(self) -> tuple[Expression, ...]:
        """The terms."""
        return self.terms

    def value(self, read: Reader) -> float:
        """Add the terms up."""
        return float(sum(term.value(read) for term in self.terms))

    def _most(self, style: Style) -> int | None:
        return style.most_terms


@dataclass(frozen=True, slots=True)
class Product(_Joined):
    """A product of numbers."""

    factors: tuple[Expression, ...]
    _plain, _typeset = " · ", r" \cdot "

    @property
    def members(self) -> tuple[Expression, ...]:
        """The factors."""
        return self.factors

    def value(self, read: Reader) -> float:
        """Multiply."""
        return math.prod(factor.value(read) for factor in self.factors)


@dataclass(frozen=True, slots=True)
class Difference(_Joined):
    """A number minus another."""

    first: Expression
    second: Expression
    _plain, _typeset = " − ", " - "

    @property
    def members(self) -> tuple[Expression, ...]:
        """Both."""
        return (self.first, self.second)

    def value(self, read: Reader) -> float:
        """Subtract."""
        return self.first.value(read) - self.second.value(read)


@dataclass(frozen=True, slots=True)
class Quotient(Expression):
    """A number over another."""

    above: Expression
    below: Expression

    def value(self, read: Reader) -> float:
        """Divide; nothing over nothing is nothing, as for a row without a visible key."""
        below = self.below.value(read)
        return self.above.value(read) / below if below else 0.0

    def parts(self, style: Style, *, is_first: bool = True) -> list[Part]:
        """Write it with the sign of division."""
        below = self.below.parts(style, is_first=False)
        if isinstance(self.below, _Joined):
            below = [Part("("), *below, Part(")")]
        return [*self.above.parts(style, is_first=is_first), Part(" ÷ "), *below]

    def latex(self, style: Style, *, is_first: bool = True) -> str:  # noqa: ARG002  a fraction has its own brackets
        """Typeset it as a fraction."""
        return rf"\frac{{{self.above.latex(style)}}}{{{self.below.latex(style)}}}"

    def numbers(self) -> list[Number]:
        """List the numbers above and below."""
        return self.above.numbers() + self.below.numbers()


@dataclass(frozen=True, slots=True)
class Power(Expression):
    """A base to the power of minus a fraction of two counts, as in the angles of positions.

    Parameters
    ----------
    base : Number
        What is raised.
    above, below : int
        The fraction.
    """

    base: Number
    above: int
    below: int

    def value(self, read: Reader) -> float:
        """Raise it."""
        return float(self.base.value(read) ** -(self.above / self.below))

    def parts(self, style: Style, *, is_first: bool = True) -> list[Part]:
        """Write it with its fraction."""
        return [*self.base.parts(style, is_first=is_first), Part(f"^(−{self.above}/{self.below})")]

    def latex(self, style: Style, *, is_first: bool = True) -> str:
        """Typeset it with its fraction."""
        return rf"{self.base.latex(style, is_first=is_first)}^{{-{self.above}/{self.below}}}"

    def numbers(self) -> list[Number]:
        """Give the base."""
        return [self.base]


@dataclass(frozen=True, slots=True)
class Applied(Expression):
    """A function of one expression, or of a list of them.

    Parameters
    ----------
    function : callable
        Computes it.
    plain, typeset : pair of str
        What stands before and after the argument.
    argument : Expression
        What it is applied to; the members of a :class:`Listed` are passed one by one.
    """

    function: Callable[..., float]
    plain: tuple[str, str]
    typeset: tuple[str, str]
    argument: Expression

    def value(self, read: Reader) -> float:
        """Apply the function."""
        if isinstance(self.argument, Listed):
            return self.function(*(entry.value(read) for entry in self.argument.entries))
        return self.function(self.argument.value(read))

    def parts(self, style: Style, *, is_first: bool = True) -> list[Part]:  # noqa: ARG002  it has its own brackets
        """Write it around its argument."""
        before, after = self.plain
        return [Part(before), *self.argument.parts(style), *([Part(after)] if after else [])]

    def latex(self, style: Style, *, is_first: bool = True) -> str:  # noqa: ARG002  as above
        """Typeset it around its argument."""
        before, after = self.typeset
        return f"{before}{self.argument.latex(style)}{after}"

    def numbers(self) -> list[Number]:
        """List the numbers of the argument."""
        return self.argument.numbers()


@dataclass(frozen=True, slots=True)
class Listed(_Joined):
    """Numbers in a row, with commas between them: the arguments of a maximum."""

    entries: tuple[Expression, ...]
    _plain, _typeset, _dots, _is_list = ", ", ", ", r"\dots", True

    @property
    def members(self) -> tuple[Expression, ...]:
        """The entries."""
        return self.entries

    def value(self, read: Reader) -> float:
        """Give the largest."""
        return max(entry.value(read) for entry in self.entries)

    def _most(self, style: Style) -> int | None:
        return style.most_terms


def exponential(argument: Expression) -> Expression:
    """Give e to the power of an expression."""
    return Applied(_exp, ("e^(", ")"), ("e^{", "}"), argument)


def logarithm(argument: Expression) -> Expression:
    """Give the natural logarithm of an expression; of 0 it is taken as 0, since 0 ln 0 counts as 0."""
    return Applied(_ln, ("ln ", ""), (r"\ln ", ""), argument)


def root(argument: Expression) -> Expression:
    """Give the square root of an expression."""
    return Applied(math.sqrt, ("√", ""), (r"\sqrt{", "}"), argument)


def sine(argument: Expression) -> Expression:
    """Give the sine of an expression."""
    return Applied(math.sin, ("sin(", ")"), (r"\sin\left(", r"\right)"), argument)


def cosine(argument: Expression) -> Expression:
    """Give the cosine of an expression."""
    return Applied(math.cos, ("cos(", ")"), (r"\cos\left(", r"\right)"), argument)


def tanh(argument: Expression) -> Expression:
    """Give the hyperbolic tangent of an expression."""
    return Applied(math.tanh, ("tanh(", ")"), (r"\tanh\left(", r"\right)"), argument)


def magnitude(argument: Expression) -> Expression:
    """Give an expression without its sign."""
    return Applied(abs, ("|", "|"), (r"\left|", r"\right|"), argument)


def log_of_one_and(argument: Expression) -> Expression:
    """Give ln(1 + e^x) of an expression x."""
    return Applied(_softplus, ("ln(1 + e^(", "))"), (r"\ln\left(1 + e^{", r"}\right)"), argument)


def bracketed(argument: Expression) -> Expression:
    """Give an expression in brackets."""
    return Applied(_itself, ("(", ")"), (r"\left(", r"\right)"), argument)


def negative(argument: Expression) -> Expression:
    """Give an expression with its sign turned."""
    return Applied(_minus, ("−(", ")"), (r"-\left(", r"\right)"), argument)


def largest(entries: Sequence[Expression]) -> Expression:
    """Give the largest of several expressions."""
    return Applied(_largest, ("max(", ")"), (r"\max\left(", r"\right)"), Listed(tuple(entries)))


def _shown(members: Sequence[Item], most: int | None) -> list[tuple[int, Item | int]]:
    """Number the members to write; where the middle is left out, how many they are stands in their place."""
    n = len(members)
    if most is None or n <= most + 1:
        return list(enumerate(members))
    first = (most + 1) // 2
    kept: list[Item | int] = [*members[:first], n - most, *members[n - (most - first) :]]
    return list(enumerate(kept))


def _exp(x: float) -> float:
    return math.exp(min(x, LARGEST_EXPONENT))


def _ln(x: float) -> float:
    return math.log(x) if x > 0.0 else 0.0


def _softplus(x: float) -> float:
    return max(0.0, x) + math.log1p(math.exp(-abs(x)))


def _itself(x: float) -> float:
    return x


def _largest(*entries: float) -> float:
    return max(entries)


def _minus(x: float) -> float:
    return 0.0 - x
