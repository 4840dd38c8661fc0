"""The two heatmaps: scores at a stage of one's choice, and weights with what each row adds up to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame, Stage
from attnviz.document.hidden_cells import may_leak
from attnviz.document.matrices import MATRICES_BY_NAME, Matrix
from attnviz.document.measures import MEASURES
from attnviz.document.number_ref import NumberRef
from attnviz.engine import SOFTMAX_VARIANTS
from attnviz.views.cell_readout import READOUT_KINDS, CellReadout
from attnviz.views.cell_sentences import announced
from attnviz.views.ghost_column import with_ghost
from attnviz.views.giving_way import GivingWayRow
from attnviz.views.linked_number import LinkedNumber
from attnviz.views.mask.ghost_words import GHOST_TIP, announced_with_ghost, ghost_sentence
from attnviz.views.matrix.brush import Brush
from attnviz.views.matrix.of_frame import picture_of
from attnviz.views.matrix.picture import Highlight, MatrixPicture
from attnviz.views.matrix.view import MatrixView
from attnviz.views.matrix.words import CELL_TIP
from attnviz.views.measures import MeasureSwitch, gutters_of
from attnviz.views.numbers import number_text
from attnviz.views.panel import Panel
from attnviz.views.segments import Segments
from attnviz.views.selection import Chosen, Selection

SCORE_STAGES: tuple[tuple[Stage, str, str], ...] = (
    ("scores", "raw", "The dot products q·k as they are"),
    ("scaled", "scaled", "The scores times the multiplier"),
    ("masked", "masked", "The scaled scores without the banned cells: what the softmax sees"),
)
WEIGHT_RANGES = (
    ("unit", "0 – 1", "Colours from 0 to 1: a colour means the same weight in every document"),
    ("largest", "0 – max", "Colours from 0 to the largest weight there is, to see small ones"),
)
_NAMES: dict[Stage, str] = {"scores": "score", "scaled": "scaled", "masked": "masked"}  # of their matrices
_OF_SOFTMAX = {
    "standard": "softmax of each row",
    "plus_one": "softmax of each row, plus one",
    "columns": "softmax of each column: rows are no budgets",
}
_PAINTING = "painting — Esc ends"
_MOST_KEYS_WITH_READOUT = 5
_READOUT_SHARE = 3.0  # of the panel's width to the readout's, below which the readout goes


class HeatmapPanel(Panel):
    """A panel that shows one matrix of the frame and shares the selection with it.

    Parameters
    ----------
    selection : Selection
        The shared selection.
    shown : Matrix
        Whose numbers are in the cells. A subclass may change it, and draws its picture.

    Signals
    -------
    cells_painted : object, bool, int
        These cells, a tuple of (row, column), are to be allowed (True) or banned; the last number names the gesture.
    painting_taken_back : int
        The gesture of this number is to be undone as if it had not begun.
    painting_ended : (nothing)
        The user wants to paint no more.
    """

    is_of_one_head = True
    cells_painted = Signal(object, bool, int)
    painting_taken_back = Signal(int)
    painting_ended = Signal()

    def __init__(self, selection: Selection, shown: Matrix, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent)
        self.shown = shown
        self._painted_shape = (0, 0)  # of the frame that strokes are painted on
        self.matrix = MatrixView(self)
        self.matrix.cell_pointed.connect(self._point_at)
        self.matrix.cell_chosen.connect(self._pin)
        self.matrix.cell_opened.connect(self._open)
        self.matrix.gutter_pointed.connect(self._point_beside)
        self.matrix.gutter_chosen.connect(self._pin_beside)
        self.brush = Brush(self.matrix, self._is_banned, self)
        self.brush.painted.connect(self.cells_painted)
        self.brush.taken_back.connect(self.painting_taken_back)
        self.brush.ended.connect(self.painting_ended)
        self.setFocusProxy(self.matrix)

    def show_painting(self, is_on: bool) -> None:
        """Let the mouse and some keys paint the mask, or choose cells again."""
        self.brush.switch(is_on)
        if self.frame is not None:
            self.offer_frame(self.frame)  # what is banned is marked at every stage while it is painted

    def show_words(self, frame: Frame) -> None:
        """Say beside the title what is shown, and that the mask is painted while it is."""
        self.set_subtitle(_PAINTING if self.brush.is_on else self.words_for(frame))

    def words_for(self, frame: Frame) -> str:  # noqa: ARG002  an override looks at it
        """Give what stands beside the title; to be overridden."""
        return ""

    def draw(self, picture: MatrixPicture) -> None:
        """Show a picture of the matrix, and in it what is chosen; a stroke ends where other cells are there."""
        shape = (0, 0) if self.frame is None else (self.frame.n_query, self.frame.n_key)
        if shape != self._painted_shape:
            self._painted_shape = shape
            self.brush.drop_stroke()
        self.matrix.show_picture(picture)
        self.show_selection(self.selection.chosen)

    def show_selection(self, chosen: Chosen) -> None:
        """Frame the chosen cell and light the pointed row and column."""
        frame = self.frame
        if frame is None:
            return
        pinned = (min(chosen.query, frame.n_query - 1), min(chosen.key, frame.n_key - 1)) if chosen.is_pinned else None
        self.matrix.show_highlight(Highlight(pinned=pinned, row=chosen.pointed_query, column=chosen.pointed_key))

    def number_at(self, place: QPoint) -> NumberRef | None:
        """Give the number at a place; the press before has brought the keyboard there."""
        return self.focused_number() if self.matrix.has_number_at(self.matrix.mapFrom(self, place)) else None

    def focused_number(self) -> NumberRef | None:
        """Give the number that the keyboard is at, in a cell or beside them."""
        cell, beside = self.matrix.cursor_cell, self.matrix.cursor_gutter
        if beside is not None:
            return self._number_beside(*beside)
        return None if cell is None else self._number_in(*cell)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        self.matrix.apply_theme(theme)

    def _point_at(self, row: int, column: int) -> None:
        number = self._number_in(row, column) if row >= 0 and column >= 0 else None
        self.selection.point_at(None if row < 0 else row, self._key_in(column), number)

    def _point_beside(self, name: str, index: int) -> None:
        self.point_at_number(self._number_beside(name, index))

    def _pin_beside(self, name: str, index: int) -> None:
        number = self._number_beside(name, index)
        if number is not None:
            self.pin_number(number)

    def _pin(self, row: int, column: int) -> None:
        self.selection.pin_number(self._number_in(row, column), row, self._key_in(column))

    def _open(self, row: int, column: int) -> None:
        self.selection.pin_number(self._number_in(row, column), row, self._key_in(column), opening="must")

    def _key_in(self, column: int) -> int | None:
        """Give the key of a column; none for a ghost, and beside the columns."""
        return column if 0 <= column < self._n_key else None

    def _number_in(self, row: int, column: int) -> NumberRef:
        """Give the number in a cell; the share that a ghost has follows from what the row adds up to."""
        return self.shown.ref(row, column) if column < self._n_key else NumberRef("row_sum", (row,))

    def _number_beside(self, name: str, index: int) -> NumberRef | None:
        """Give the number of a gutter; none below a ghost."""
        is_below = name in MEASURES and MEASURES[name].axis == "key"
        return None if is_below and index >= self._n_key else NumberRef(name, (index,))

    @property
    def _n_key(self) -> int:
        return 0 if self.frame is None else self.frame.n_key

    def _is_banned(self, row: int, column: int) -> bool | None:
        frame = self.frame
        if frame is None or row >= frame.n_query or column >= frame.n_key:
            return None
        return frame.is_banned(row, column)


class ScoresView(HeatmapPanel):
    """The score heatmap with its switch: raw, scaled, masked."""

    stage_chosen = Signal(str)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, MATRICES_BY_NAME["scaled"], parent)
        self.stage: Stage = "scaled"
        self.matrix.setAccessibleName("Scores")
        self.switch = Segments([(name, label, tip) for name, label, tip in SCORE_STAGES], self)
        self.switch.setAccessibleName("Stage of the scores")
        self.switch.chosen.connect(self.choose_stage)
        self.tools = self.switch
        self.readout = CellReadout(self)
        self._linked = [
            LinkedNumber(self, line, f"{kind} of the shown cell")
            for kind, line in zip(READOUT_KINDS, self.readout.numbers, strict=True)
        ]
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 0, 16, 0)
        layout.setSpacing(8)
        layout.addWidget(self.matrix, 1)
        layout.addWidget(self.readout, 0, Qt.AlignmentFlag.AlignTop)
        self.switch.show_choice(self.stage)

    def show_frame(self, frame: Frame) -> None:
        """Draw the matrix; where it needs the readout's room it takes it, the status bar says the same."""
        self._show_or_hide_readout(frame)
        self.show_words(frame)
        picture = replace(picture_of(self.shown, frame), sentence=partial(announced, frame))
        if self.brush.is_on and frame.state.has_mask and picture.banned is None:
            picture = replace(picture, leaking=frame.banned)
        self.draw(picture)

    def words_for(self, frame: Frame) -> str:
        """Say the stage, with the cap where scores are bent under one, and whether banned cells keep numbers."""
        symbol = {"scores": "raw: q·k", "scaled": "scaled: q·k × {}", "masked": "masked: q·k × {}"}[self.stage]
        if self.stage == "masked" and frame.state.soft_cap:
            symbol += f", capped at ±{number_text(frame.state.soft_cap)}"
        return symbol.format(number_text(frame.multiplier)) + _leak_words(frame, self.stage)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the readout's room to the matrix where the panel is narrow."""
        super().resizeEvent(event)
        if self.frame is not None:
            self._show_or_hide_readout(self.frame)

    def changeEvent(self, event: QEvent) -> None:
        """Give the readout's room away before larger text makes the window wider for it."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.frame is not None:
            self._show_or_hide_readout(self.frame)

    def _show_or_hide_readout(self, frame: Frame) -> None:
        has_room = self.width() >= _READOUT_SHARE * self.readout.sizeHint().width()
        self.readout.setVisible(has_room and frame.n_key <= _MOST_KEYS_WITH_READOUT)

    def focused_number(self) -> NumberRef | None:
        """Give the number that the keyboard is at, in the readout or in the matrix."""
        beside = (link.ref for link in self._linked if link.has_focus)
        return next(beside, None) or super().focused_number()

    def show_selection(self, chosen: Chosen) -> None:
        """Light the cell and say its numbers."""
        super().show_selection(chosen)
        if self.frame is not None and self.readout.isVisibleTo(self):
            cell = self.readout.show_cell(self.frame, chosen)
            for kind, link in zip(READOUT_KINDS, self._linked, strict=True):
                link.ref = NumberRef(kind, cell)
                link.show_chosen(chosen)

    def choose_stage(self, stage: str) -> None:
        """Show another stage of the scores."""
        self.stage = next(name for name, _, _ in SCORE_STAGES if name == stage)
        self.shown = MATRICES_BY_NAME[_NAMES[self.stage]]
        self.switch.show_choice(stage)
        if self.frame is not None:
            self.show_frame(self.frame)
        self.stage_chosen.emit(stage)


class WeightsView(HeatmapPanel):
    """The weight heatmap with what is measured of its rows and columns.

    Signals
    -------
    measures_chosen : object
        The user chose which measures are shown: a tuple of names.
    range_chosen : str
        The user chose what the colours run to: "unit" for 1, "largest" for the largest weight.
    """

    range_chosen = Signal(str)
    measures_chosen = Signal(object)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, MATRICES_BY_NAME["weight"], parent)
        self.range = "unit"
        self._pointed = (-1, -1)
        self.matrix.setAccessibleName("Weights")
        self.switch = Segments(WEIGHT_RANGES, self)
        self.switch.setAccessibleName("Range of the colours")
        self.switch.chosen.connect(self.choose_range)
        self.switch.show_choice(self.range)
        self.measures = MeasureSwitch()
        self.measures.measures_chosen.connect(self._take_measures)
        self.tools = GivingWayRow(self.measures, self.switch, parent=self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 0, 16, 0)
        layout.addWidget(self.matrix)
        self.set_subtitle(_OF_SOFTMAX["standard"])

    def show_frame(self, frame: Frame) -> None:
        """Draw the weights with their gutters, on a map that runs from 0 to 1, or to the largest weight."""
        picture = replace(
            picture_of(self.shown, frame),
            limits=(0.0, 1.0 if self.range == "unit" else frame.largest_weight),
            gutters=gutters_of(frame, "query", self.measures.names),
            feet=gutters_of(frame, "key", self.measures.names),
            sentence=partial(announced, frame),
        )
        self.show_words(frame)
        picture = with_ghost(picture, frame)
        if picture.n_ghosts:
            picture = replace(picture, sentence=partial(announced_with_ghost, frame))
        self.draw(picture)
        self._say_ghost()

    def words_for(self, frame: Frame) -> str:
        """Say which softmax made them, and whether banned cells have weight."""
        name = frame.state.softmax
        return (_OF_SOFTMAX.get(name) or f"softmax: {SOFTMAX_VARIANTS[name].label}") + _leak_words(frame, "weights")

    def choose_range(self, name: str) -> None:
        """Let the colours run to 1 ("unit") or to the largest weight ("largest")."""
        self.range = name
        self.switch.show_choice(name)
        if self.frame is not None:
            self.show_frame(self.frame)
        self.range_chosen.emit(name)

    def show_measures(self, names: Iterable[str]) -> None:
        """Let the measures of these names stand beside the weights, and no others."""
        self.measures.show_measures(names)
        if self.frame is not None:
            self.show_frame(self.frame)

    def _point_at(self, row: int, column: int) -> None:
        super()._point_at(row, column)
        self._pointed = (row, column)
        self._say_ghost()

    def _say_ghost(self) -> None:
        """Say over a ghost what it is, and over other cells what a click does."""
        (row, column), frame = self._pointed, self.frame
        words = "" if frame is None or row < 0 or column < frame.n_key else ghost_sentence(frame, row)
        self.matrix.cell_tip = f"{words}\n{GHOST_TIP}" if words else CELL_TIP

    def _take_measures(self, names: tuple[str, ...]) -> None:
        self.show_measures(names)
        self.measures_chosen.emit(names)


def _leak_words(frame: Frame, stage: Stage) -> str:
    return " — hatched edge: banned, yet counted" if may_leak(frame, stage) else ""
