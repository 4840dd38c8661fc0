"""The derivation of one weight as text: six steps, dot product to share of the output, with the real numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from attnviz.document.frame import Frame
from attnviz.views.derivation.cell import Cell
from attnviz.views.derivation.lengths import brief_short_text, brief_text, longest_sum, shortening, sums, vectors
from attnviz.views.derivation.steps_between import extras_of
from attnviz.views.numbers import factor_text, number_text, short_text

DOT_PRODUCT_NAMES = "dot product q·k", "q·k"
# Textbooks often leave the maximum in, and show larger exponentials and a larger sum for the same weight.
EXPONENTIAL_NAMES = (
    "exponentiate, row max taken off",
    "exponentiate, max taken off",
    "exponentiate − max",
    "e^(s − max)",
)
COLUMN_NAMES = (
    "exponentiate, column max taken off",
    "exponentiate, max taken off",
    "exponentiate − max",
    "e^(s − max)",
)
OTHER_NAMES = ("exponentiate, largest taken off", "exponentiate − max", "e^(s − max)")
SUM_NAMES = ("sum of exponentials", "sum")
SUM_OF_COLUMN_NAMES = ("sum of exponentials of the column", "sum of the column")
FURTHER_NAME = "scale …"
SHARE_NAME = "adds to y"


def _no_texts() -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step. Each text comes in several lengths, longest first, for cards of different widths.

    Parameters
    ----------
    names, results : tuple of str
        What is done, and what comes out; at least one of each.
    formula : str
        With which numbers, as long as it can be.
    shorter : callable
        Writes shorter formulas; most cards never ask.
    """

    names: tuple[str, ...]
    formula: str
    results: tuple[str, ...]
    shorter: Callable[[], tuple[str, ...]] = field(default=_no_texts, compare=False, repr=False)

    @property
    def formulas(self) -> tuple[str, ...]:
        """The formula in all lengths."""
        return shortening((self.formula, *self.shorter()))

    @property
    def sentence(self) -> str:
        """The step on one line, for a screen reader."""
        return f"{self.names[0]}: {self.formula} = {self.results[0]}"


@dataclass(frozen=True, slots=True)
class Shape:
    """What says how much room the steps need, whatever the numbers are: it stays while a token is dragged.

    Parameters
    ----------
    n_terms, n_keys, n_values : int
        The terms of the dot product, the keys of a row, the entries of a value.
    extras : tuple of str
        What the layer does besides, as :func:`~attnviz.views.derivation.steps_between.extras_of` names it.
    """

    n_terms: int
    n_keys: int
    n_values: int
    extras: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Derivation:
    """Why one weight is what it is.

    Parameters
    ----------
    title : str
        The question, such as "Why 0.389?".
    subtitle : str
        Which cell it is about, and what is special about it.
    steps : tuple of Step
        Dot product, scale, exponentiate, sum of exponentials, weight, share of the output.
    shape : Shape
        How long the steps can become while the document keeps its widths.
    """

    title: str
    subtitle: str
    steps: tuple[Step, ...]
    shape: Shape


def derive(frame: Frame, query: int, key: int) -> Derivation:
    """Write the derivation of the weight that ``query`` gives to ``key``.

    Parameters
    ----------
    frame : Frame
        The numbers.
    query : int
        The row, 0 to n_query - 1.
    key : int
        The column, 0 to n_key - 1.

    Returns
    -------
    Derivation
        Six steps, whether the cell is masked or not.
    """
    cell = Cell(frame, query, key)
    texts = _Texts(cell)
    steps = tuple([step(cell, texts) for step in _STEPS])
    n_terms = cell.n_members + (cell.steps.other is not None)
    shape = Shape(len(cell.q), n_terms, len(cell.value), extras_of(frame))
    return Derivation(f"Why {texts.weight}?", cell.subtitle, steps, shape)


class _Texts:
    """The numbers that stand in more than one step, each written once."""

    def __init__(self, cell: Cell) -> None:
        self.score = number_text(cell.score)
        self.scaled = number_text(cell.scaled)
        self.masked = self.scaled if cell.masked == cell.scaled or cell.is_banned else number_text(cell.masked)
        self.e = _exponential_text(cell.e)
        self.normaliser = number_text(cell.normaliser)
        self.weight = number_text(cell.weight)


def _dot_product(cell: Cell, texts: _Texts) -> Step:
    if cell.is_score_pinned:
        return _pinned("score", cell.computed_score, texts.score)
    q, k = cell.q, cell.k

    def product(i: int) -> str:
        return product_text(i, short_text(float(q[i])), short_text(float(k[i])))

    def brief(i: int) -> str:
        return product_text(i, brief_short_text(float(q[i])), brief_short_text(float(k[i])))

    def shorter() -> tuple[str, ...]:
        return sums(product, brief, len(q), 0, "terms")

    return Step(DOT_PRODUCT_NAMES, longest_sum(product, len(q), 0, "terms"), (texts.score,), shorter)


def _scale(cell: Cell, texts: _Texts) -> Step:
    multiplier = factor_text(number_text(cell.multiplier))
    scaled, steps = f"{texts.score} × {multiplier}", cell.steps
    if cell.is_banned or not steps.before_softmax:
        return _step(("scale",), (scaled, f"× {multiplier}"), (texts.scaled,))
    names = ", ".join(("scale", *steps.before_softmax))
    if steps.masking == "fill_large_negative":
        return _step((names, "scale, mask"), (f"{scaled}, then −1e9 instead", "−1e9 instead"), (texts.masked,))
    whole = scaled
    if steps.cap is not None:
        cap = number_text(steps.cap)
        whole = f"{cap}·tanh({whole} ÷ {cap})"
    if steps.bias is not None:
        whole = f"{whole} + {factor_text(number_text(steps.bias))}"
    if steps.masking == "add_large_negative":
        whole = f"{whole} − 1e9"
    elif steps.masking == "multiply_zero":
        whole = f"({whole}) × 0"
    short = f"× {multiplier}, {', '.join(steps.before_softmax)}"
    return _step((names, FURTHER_NAME), (whole, short, f"× {multiplier} …"), (texts.masked,))


def _exponential(cell: Cell, texts: _Texts) -> Step:
    if cell.is_banned:
        return _step((f"masked: {cell.reason}", "masked"), ("e^(−∞), key is hidden", "e^(−∞)"), ("0",))
    power = f"e^({texts.masked} − {factor_text(number_text(cell.row_max))})"
    names = OTHER_NAMES if cell.steps.other is not None else EXPONENTIAL_NAMES
    return _step(COLUMN_NAMES if cell.is_by_column else names, (power, "e^(s − max)"), (texts.e,))


def _row_sum(cell: Cell, texts: _Texts) -> Step:
    members, exponentials, chosen = cell.members, cell.exponentials, cell.chosen
    names, before = _sum_names(cell), _other_text(cell)
    if not len(members):
        if before:
            return _step(names, (before,), (texts.normaliser,))
        what = "no query sees it" if cell.is_by_column else "no key is visible"
        return _step(names, (what, "nothing"), ("0",))

    def exponential(i: int) -> str:
        return _exponential_text(float(exponentials[members[i]]))

    def brief(i: int) -> str:
        x = float(exponentials[members[i]])
        return "1" if x == 1.0 else brief_text(x)

    def shorter() -> tuple[str, ...]:
        return _after(before, sums(exponential, brief, len(members), chosen, cell.noun))

    (longest,) = _after(before, (longest_sum(exponential, len(members), chosen, cell.noun),))
    return Step(names, longest, (texts.normaliser,), shorter)


def _sum_names(cell: Cell) -> tuple[str, ...]:
    if cell.is_by_column:
        return SUM_OF_COLUMN_NAMES
    return names_of_sum(cell.steps.other_name)


def names_of_sum(other_name: str) -> tuple[str, ...]:
    """Name the sum of a row, in which there may be something besides the keys."""
    if not other_name:
        return SUM_NAMES
    return (f"sum of exponentials and [{other_name}]", f"sum and [{other_name}]")


def _other_text(cell: Cell) -> str:
    """Write the exponential of what takes attention and gives nothing, in brackets; empty where there is none."""
    return "" if cell.steps.other is None else f"[{_exponential_text(cell.steps.other)}]"


def _after(first: str, sums_of_keys: tuple[str, ...]) -> tuple[str, ...]:
    """Put a term before sums; one that only counts its terms stays as it is."""
    if not first:
        return sums_of_keys
    return tuple(text if text.split(" ")[-1].isalpha() else f"{first} + {text}" for text in sums_of_keys)


def _weight(cell: Cell, texts: _Texts) -> Step:
    steps = cell.steps
    if cell.is_weight_pinned:
        return _pinned("weight", cell.computed_weight, texts.weight)
    if cell.is_silent:
        seen = "no query sees it" if cell.is_by_column else "nothing is seen"
        return _step(("weight",), (f"0, as {seen}", "no query" if cell.is_by_column else "no key seen"), ("0",))
    if cell.is_banned:
        return _step(("weight",), (f"0 ÷ {texts.normaliser}",), ("0",))
    share = f"{texts.e} ÷ {texts.normaliser}"
    if steps.is_zeroed or not steps.is_kept:
        why = "masked" if steps.is_zeroed else "dropped by chance"
        return _step((f"weight, {why}", "weight"), (f"{share} × 0", "× 0"), ("0",))
    names, short = ["weight"], "e ÷ sum"
    if steps.kept_sum is not None:
        names.append("divided by what is left")
        share, short = f"{share} ÷ {number_text(steps.kept_sum)}", f"{short} ÷ rest"
    if steps.rate:
        names.append("kept by dropout")
        share, short = f"{share} ÷ (1 − {number_text(steps.rate)})", f"{short} ÷ (1 − p)"
    return _step((", ".join(names), *(names[:1] if names[1:] else ())), (share, short), (texts.weight,))


def _share(cell: Cell, texts: _Texts) -> Step:
    is_nought = (cell.is_banned or cell.steps.is_zeroed or not cell.steps.is_kept) and not cell.is_weight_pinned
    weight = "0" if is_nought else texts.weight
    names = [f"{SHARE_NAME} = {vector}" for vector in vectors(cell.output, (2,))]
    results = vectors(cell.contribution, (3, 2))

    def shorter() -> tuple[str, ...]:
        return (*[f"{weight} · {vector}" for vector in vectors(cell.value, (None, 2))], f"{weight} · v")

    formula = f"{weight} · {vectors(cell.value, (None,))[0]}"
    return Step((*names, SHARE_NAME), formula, (*results, f"{len(cell.value)} numbers"), shorter)


_STEPS = (_dot_product, _scale, _exponential, _row_sum, _weight, _share)


def product_text(place: int, first: str, second: str) -> str:
    """Write a product of a sum: a negative factor stands in brackets, but for the very first."""
    return f"{factor_text(first) if place else first}·{factor_text(second)}"


def _pinned(name: str, computed: float, result: str) -> Step:
    """Make the step of a number that somebody pinned."""
    instead = number_text(computed)
    return _step((f"{name}, pinned", "pinned"), (f"without the pin {instead}", f"not {instead}", "pinned"), (result,))


def _step(names: tuple[str, ...], formulas: tuple[str, ...], results: tuple[str, ...]) -> Step:
    """Make a step whose formulas are all at hand."""
    return Step(names, formulas[0], results, lambda: formulas[1:])


def _exponential_text(x: float) -> str:
    return "1" if x == 1.0 else number_text(x)
