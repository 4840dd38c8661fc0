"""What there is to draw at a step of the film, as plain records: matrices, bars, and vectors laid head to tail."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, IntArray
from attnviz.film.steps import Reach, Step

Cells: TypeAlias = Callable[[IntArray, IntArray], FloatArray]
Banned: TypeAlias = Callable[[IntArray, IntArray], BoolArray]
Role: TypeAlias = Literal["embedding", "query", "key", "value", "score", "share", "output"]


@dataclass(frozen=True, slots=True)
class Axis:
    """The tokens along one side of a matrix.

    Parameters
    ----------
    names : tuple of str
        One for each row or column.
    first_colour : int
        The place of the first one among the colours of the tokens.
    """

    names: tuple[str, ...]
    first_colour: int


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells.

    Parameters
    ----------
    rows, columns : range
        Which they are.
    """

    rows: range
    columns: range


@dataclass(frozen=True, slots=True)
class Origin:
    """Which part of which matrix of the document a block shows.

    Parameters
    ----------
    kind : str
        The kind of its numbers: the name of a matrix in :mod:`attnviz.document.matrices`.
    first_row, first_column : int
        The place in the matrix of the block's first number.
    is_turned : bool
        Whether the block shows it transposed.
    running : int or None
        The row of the block in which sums are not complete yet; ``None`` if there is none.
    """

    kind: str
    first_row: int = 0
    first_column: int = 0
    is_turned: bool = False
    running: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A matrix or vector with its name.

    Parameters
    ----------
    name : str
        What it is called, such as ``q_cat``.
    role : Role
        What it is, which chooses its colours.
    shape : tuple of int
        Rows and columns.
    cells : callable
        Gives the numbers where some rows and columns cross, so that a large matrix is not made whole for a small
        picture.
    key : hashable
        Blocks of one frame with equal keys have equal numbers.
    reach : Reach or None
        How much of it is known; None for all.
    lit : Area or None
        The cells that this step is about.
    limit : float or None
        The magnitude that has the strongest colour; None for the largest there is.
    rows, columns : Axis or None
        The tokens along its sides.
    banned : callable or None
        Tells which cells the mask takes away.
    is_tall : bool
        Whether it is a vector that stands upright, as a transposed one.
    origin : Origin or None
        Where its numbers are from; ``None`` for numbers without a derivation of their own.
    pinned : tuple of (int, int)
        The cells of it that are pinned, as row and column.
    """

    name: str
    role: Role
    shape: tuple[int, int]
    cells: Cells
    key: Hashable
    reach: Reach | None = None
    lit: Area | None = None
    limit: float | None = None
    rows: Axis | None = None
    columns: Axis | None = None
    banned: Banned | None = None
    is_tall: bool = False
    origin: Origin | None = None
    pinned: tuple[tuple[int, int], ...] = ()

    @property
    def title(self) -> str:
        """Its name and shape: ``q_cat (1 × 2)``."""
        return f"{self.name} ({self.shape[0]:,} × {self.shape[1]:,})"

    @property
    def is_begun(self) -> bool:
        """Whether any of its cells is known."""
        reach = self.reach
        return reach is None or reach.above > 0 or (reach.below > 0 and reach.columns > 0)

    @property
    def numbers(self) -> FloatArray:
        """All its numbers, known yet or not."""
        return self.cells(np.arange(self.shape[0]), np.arange(self.shape[1]))

    @property
    def known(self) -> BoolArray:
        """Which of its cells are known, in its shape."""
        if self.reach is None:
            return np.ones(self.shape, dtype=np.bool_)
        return self.reach.mask(*self.shape)


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """The scores of one row as bars from 0, with what they were before.

    Parameters
    ----------
    numbers : (n_key,) array
        The scores as they are now.
    before : (n_key,) array or None
        What they were before this step, behind them.
    n_known : int
        How many are known, from the left.
    banned : (n_key,) array of bool or None
        Which of them the mask takes away.
    lit : range
        The keys that this step is about.
    keys : Axis
        Their names and colours.
    label : str
        What is done to them.
    heights : (n_key,) array or None
        How high they are drawn, where some are too far off to be drawn beside the others.
    """

    numbers: FloatArray
    before: FloatArray | None
    n_known: int
    banned: BoolArray | None
    lit: range
    keys: Axis
    label: str
    heights: FloatArray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Bars:
    """One row of the softmax as bars that compete for one budget.

    Parameters
    ----------
    shifted : (n_key,) array
        Scores less the maximum of the row, or of each column, at most 0; -inf where banned.
    exponentials, weights : (n_key,) array
        What is made of them.
    n_exponentials, n_weights : int
        How many of each are known, from the left.
    shares : (n_key,) array
        The exponentials over their sum, before a mask after the softmax and before dropout.
    total : float
        The sum of the row's exponentials.
    has_total : bool
        Whether the sum is known.
    lit : range
        The keys that this step is about.
    keys : Axis
        Their names and colours.
    query : str
        Whose row it is.
    maximum, budget : str
        What is subtracted, and what the budget is, as it is said above them.
    rest : tuple of (str, float)
        What takes a share beside the keys, and which.
    hidden : (n_key,) array of bool or None
        Which weights the mask takes away after the softmax.
    is_by_column : bool
        Whether each key has a budget of its own, instead of the row.
    """

    shifted: FloatArray
    exponentials: FloatArray
    weights: FloatArray
    n_exponentials: int
    n_weights: int
    shares: FloatArray
    total: float
    has_total: bool
    lit: range
    keys: Axis
    query: str
    maximum: str
    budget: str
    rest: tuple[tuple[str, float], ...] = ()
    hidden: BoolArray | None = None
    is_by_column: bool = False

    @property
    def peak(self) -> float:
        """What reaches the top of the chart: 1, or the largest weight where dropout or a pin makes one larger."""
        return max(1.0, float(self.weights.max()))


@dataclass(frozen=True, slots=True, eq=False)
class Arrows:
    """The weighted values of one row, laid head to tail.

    Parameters
    ----------
    tips : (n_key + 1, 2) array
        Where the path is after each key; it begins at the origin and ends at the output.
    values : (n_key, 2) array
        The values themselves.
    weights : (n_key,) array
        What each is multiplied by.
    known : int
        How many are laid.
    lit : range
        The keys that this step is about.
    has_arrived : bool
        Whether the output is drawn as one vector.
    keys : Axis
        Names and colours of the keys.
    query : str
        Whose output it is.
    query_colour : int
        The place of the query among the colours of the tokens.
    axes : tuple of str
        What is drawn to the right and upward.
    """

    tips: FloatArray
    values: FloatArray
    weights: FloatArray
    known: int
    lit: range
    has_arrived: bool
    keys: Axis
    query: str
    query_colour: int
    axes: tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class FilmPicture:
    """Everything that is drawn at a step.

    Parameters
    ----------
    step : Step
        The step.
    caption : str
        What happens, in one sentence.
    equation : tuple of Block or str
        Operands, signs and result, from left to right.
    then : tuple of Block or str
        A second equation under the first, in which its result is an operand.
    terms : tuple of Block
        Two vectors and their products, one under the other with equal columns; empty in other stages.
    running : float or None
        The sum of the products so far.
    levels : Levels or None
        The scores of a row.
    bars : Bars or None
        The softmax of a row.
    arrows : Arrows or None
        The weighted sum of a row.
    gathered : tuple of Block
        The matrices that fill in the course of the film.
    title, symbols : str
        The stage with its number, and what it computes.
    is_wordy : bool
        Whether the sentences of this film need more room than those of a plain head.
    """

    step: Step
    caption: str
    equation: tuple[Block | str, ...] = ()
    then: tuple[Block | str, ...] = ()
    terms: tuple[Block, ...] = ()
    running: float | None = None
    levels: Levels | None = None
    bars: Bars | None = None
    arrows: Arrows | None = None
    gathered: tuple[Block, ...] = ()
    title: str = ""
    symbols: str = ""
    is_wordy: bool = False
