"""What a scalar parameter of the document is: the one description its control, flag and file entry come from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.errors import DocumentError

ScalarValue: TypeAlias = float | int | bool | str
_Number: TypeAlias = int | float | np.integer | np.floating
Kind: TypeAlias = Literal["number", "count", "switch", "choice"]
Group: TypeAlias = Literal["", "mask", "softmax", "heads", "positions"]

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


@dataclass(frozen=True, slots=True)
class Scalar:
    """The description of one scalar field of the state.

    Parameters
    ----------
    key : str
        Its name in files and after ``--set``.
    label, help : str
        Its name and its meaning on screen.
    kind : {"number", "count", "switch", "choice"}
        A float, an int, a bool, or one of ``choices``.
    minimum, maximum : float
        The closed range of values that are accepted.
    slider : tuple of float
        The range that the slider covers; typed values may lie beyond it.
    is_logarithmic : bool
        Whether the slider is spaced by ratio.
    step : float
        What one arrow key or wheel notch adds (for a logarithmic slider: the ratio less one).
    choices : tuple of (str, str, str)
        Name, label and help of each choice.
    undo_name : str
        How Undo names a change of it.
    shown_when : (str, tuple of str) or None
        The field of a choice and the names it may have for this scalar to matter; ``None`` if it always does.
    group : {"softmax", "mask", "heads", "positions", ""}
        Where controls and help show it; empty for what is always in sight.
    """

    key: str
    label: str
    help: str
    kind: Kind
    minimum: float = -math.inf
    maximum: float = math.inf
    slider: tuple[float, float] | None = None
    is_logarithmic: bool = False
    step: float = 1.0
    choices: tuple[tuple[str, str, str], ...] = ()
    undo_name: str = "change"
    shown_when: tuple[str, tuple[str, ...]] | None = None
    group: Group = ""

    def check(self, value: object) -> ScalarValue:
        """Give ``value`` in this scalar's own type, or say why it cannot be.

        Raises
        ------
        DocumentError
            If the type is wrong, the number is not finite or out of range, or the choice is unknown.
        """
        if self.kind == "switch":
            return self._checked_switch(value)
        if self.kind == "choice":
            return self._checked_choice(value)
        if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
            raise DocumentError(f"{self.key} must be a number, got {_shown(value)}")
        return self._checked_number(value)

    def parse(self, text: str) -> ScalarValue:
        """Read ``text`` as typed after ``--set`` or in a box.

        Raises
        ------
        DocumentError
            If it cannot be read as this kind of value, or :meth:`check` refuses it.
        """
        text = text.strip()
        if self.kind == "switch":
            lowered = text.lower()
            if lowered not in _TRUE + _FALSE:
                raise DocumentError(f"{self.key} must be true or false, got {_shown(text)}")
            return self.check(lowered in _TRUE)
        if self.kind == "choice":
            return self.check(text)
        try:
            number = int(text) if self.kind == "count" else float(text)
        except ValueError as error:
            kind = "a whole number" if self.kind == "count" else "a number"
            raise DocumentError(f"{self.key} must be {kind}, got {_shown(text)}") from error
        return self.check(number)

    def _checked_switch(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise DocumentError(f"{self.key} must be true or false, got {_shown(value)}")
        return value

    def _checked_choice(self, value: object) -> str:
        names = [name for name, _, _ in self.choices]
        if not isinstance(value, str) or value not in names:
            raise DocumentError(f"{self.key} must be one of {', '.join(names)}, got {_shown(value)}")
        return value

    def _checked_number(self, value: _Number) -> float | int:
        number = _as_float(self.key, value)
        if not self.minimum <= number <= self.maximum:
            raise DocumentError(f"{self.key} must be {self._range()}, got {_shown(value)}")
        if self.kind == "number":
            return number
        if not number.is_integer():
            raise DocumentError(f"{self.key} must be a whole number, got {_shown(value)}")
        return int(number)

    def _range(self) -> str:
        if math.isinf(self.maximum):
            return f"at least {_short(self.minimum)}"
        return f"between {_short(self.minimum)} and {_short(self.maximum)}"


def _as_float(key: str, value: _Number) -> float:
    try:
        number = float(value)
    except OverflowError as error:
        raise DocumentError(f"{key} must be a number a float64 can hold, got one with over 308 digits") from error
    if not math.isfinite(number):
        raise DocumentError(f"{key} must be a finite number, got {number}")
    return number


def _short(number: float) -> str:
    return f"{number:,.0f}" if abs(number) < 1e10 and number == int(number) else f"{number:g}"


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        text = "a whole number of thousands of digits"
    return text if len(text) <= 60 else text[:57] + "..."
