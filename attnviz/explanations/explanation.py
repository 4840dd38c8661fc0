"""Why a number is what it is: its formula in symbols and with the numbers put in, as text, LaTeX and Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.document.numbers import exact_text
from attnviz.document.provenance import pins_behind
from attnviz.explanations.code import script
from attnviz.explanations.expression import Expression, Number, Part, Reader, Style, Writer, latex_number
from attnviz.explanations.kinds import Derivation, Origin, checked
from attnviz.explanations.source import Source

MOST_TERMS = 8


@dataclass(frozen=True, slots=True)
class PinBehind:
    """A pinned number that another one follows from.

    Parameters
    ----------
    ref : NumberRef
        Which it is.
    title : str
        What it is, such as "score of dog for query cat".
    value : float
        What it is pinned to.
    """

    ref: NumberRef
    title: str
    value: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one number is what it is; made by :func:`explain`.

    Parameters
    ----------
    ref : NumberRef
        Which number it is.
    label : str
        Its kind in one or two words.
    result : float
        The number, as the frame has it.
    derivation : Derivation
        Where it comes from.
    computed : Derivation or None
        For a pinned number where it would come from without its pin.
    find_pins : callable
        Looks for the pinned numbers behind it; see :attr:`pins`.
    """

    ref: NumberRef
    label: str
    result: float
    derivation: Derivation
    computed: Derivation | None = None
    find_pins: Callable[[], tuple[PinBehind, ...]] = tuple

    @property
    def pins(self) -> tuple[PinBehind, ...]:
        """Pinned numbers that it follows from, or without its own pin would follow from; looked for when asked for."""
        return self.find_pins()

    @property
    def is_pinned(self) -> bool:
        """Whether somebody put the number in the place of a computed one."""
        return self.computed is not None

    @property
    def title(self) -> str:
        """What the number is, such as "weight of dog for query cat"."""
        return self.derivation.title

    @property
    def formula(self) -> str:
        """The formula in symbols, on one line."""
        return self.derivation.formula

    @property
    def expression(self) -> Expression:
        """The formula with the numbers put in."""
        return self.derivation.expression

    @property
    def note(self) -> str:
        """One sentence on what is special here; may be empty."""
        return self.derivation.note

    @property
    def origin(self) -> Origin:
        """Whether somebody typed the number, it was drawn, or computed from others."""
        return self.derivation.origin

    def parts(self, write: Writer = exact_text, most_terms: int | None = MOST_TERMS) -> tuple[Part, ...]:
        """Write the formula with the numbers put in, piece by piece.

        Parameters
        ----------
        write : callable
            Makes the text of a number.
        most_terms : int or None
            How many terms of a sum are written; ``None`` for all.

        Returns
        -------
        tuple of Part
            Each number a piece of its own, with the way to its derivation.
        """
        return tuple(self.expression.parts(Style(write, most_terms)))

    def recombined(self, write: Writer = exact_text) -> float:
        """Compute the result from the numbers as ``write`` shows them, all terms of a sum included."""
        return self.expression.value(_reader(write))

    def is_rounded(self, write: Writer) -> bool:
        """Tell whether ``write`` takes digits from an operand."""
        read = _reader(write)
        return any(number.value(read) != number.number for number in self.expression.numbers())

    def rounding(self, write: Writer) -> str:
        """Say in one sentence what the rounding of the displayed operands does to the result; empty if nothing is.

        Parameters
        ----------
        write : callable
            Makes the text of a number.
        """
        if self.origin != "computed" or not self.is_rounded(write):
            return ""
        shown, whole = write(self.recombined(write)), write(self.result)
        if shown == whole:
            return f"The numbers shown are rounded; put together as shown they give {shown} too."
        return f"The numbers shown are rounded; put together as shown they give {shown} instead of {whole}."

    def latex(self, write: Writer = exact_text, most_terms: int | None = MOST_TERMS) -> str:
        """Typeset the derivation: symbols, numbers, result.

        Parameters
        ----------
        write, most_terms
            As for :meth:`parts`.

        Returns
        -------
        str
            A displayed formula for LaTeX with the package amsmath; rounded numbers stand behind an "about equal".
        """
        style = Style(write, most_terms)
        symbol, formula = self.derivation.typeset
        result = "−∞" if self.result == float("-inf") else write(self.result)
        is_exact = result == "−∞" or float(result) == self.result
        lines = [f"{symbol} &= {formula}"] if formula else []
        if formula:
            operands = self.expression.latex(style)
            lines.append(rf"&{_relation(is_exact=not self.is_rounded(write))} {operands}")
            if operands != latex_number(result):
                lines.append(rf"&{_relation(is_exact=is_exact)} {latex_number(result)}")
        else:
            lines.append(rf"{symbol} &{_relation(is_exact=is_exact)} {latex_number(result)}")
        inner = " \\\\\n".join(lines)
        return f"% needs the package amsmath\n\\[\n\\begin{{aligned}}\n{inner}\n\\end{{aligned}}\n\\]\n"

    def python(self) -> str:
        """Write a program that computes the number again with NumPy alone, and prints it."""
        return script((f"# {ascii(self.title)[1:-1]}", *self.derivation.code()))


def explain(frame: Frame, ref: NumberRef) -> Explanation:
    """Tell why a number of a frame is what it is.

    Parameters
    ----------
    frame : Frame
        The numbers.
    ref : NumberRef
        Which one is meant.

    Returns
    -------
    Explanation
        Its formula, operands and result.

    Raises
    ------
    ValueError
        If there is no such kind of number, or no such place in the document.
    """
    source = Source(frame)
    found = checked(source, ref)
    result = float(found.read(source, *ref.indices)) + 0.0
    derivation = found.derived(source, *ref.indices)
    label = found.label_in(frame.state)
    pinned = frame.pins.at(ref)
    find_pins = partial(_pins_behind, source, ref)
    if pinned is None:
        return Explanation(ref, label, result, derivation, find_pins=find_pins)
    return Explanation(ref, label, result, _pinned(derivation, pinned.value), derivation, find_pins)


def _pins_behind(source: Source, ref: NumberRef) -> tuple[PinBehind, ...]:
    return tuple(
        PinBehind(one.ref, checked(source, one.ref).derived(source, one.row, one.column).title, one.value)
        for one in pins_behind(source.frame, ref)
    )


def exists(frame: Frame, ref: NumberRef) -> bool:
    """Tell whether a frame has a number, so that it can be explained."""
    try:
        checked(Source(frame), ref)
    except ValueError:
        return False
    return True


def _pinned(computed: Derivation, value: float) -> Derivation:
    """Put a pinned number in the place of a derivation."""
    symbol = computed.formula.partition(" = ")[0]
    return Derivation(
        title=computed.title,
        formula=symbol,
        typeset=(computed.typeset[0], ""),
        expression=Number(value),
        code=lambda: (f"result = {value!r}  # pinned",),
        note="You pinned this number: all that follows uses it instead of the computed one.",
        origin="pinned",
    )


def _reader(write: Writer) -> Reader:
    def read(x: float) -> float:
        return float(write(x))

    return read


def _relation(*, is_exact: bool) -> str:
    return "=" if is_exact else r"\approx"
