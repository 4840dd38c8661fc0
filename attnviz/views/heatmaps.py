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
from attnviz.document.matrices import MATRICES_BY_NAME, Matrix
from attnviz.document.number_ref import NumberRef
from attnviz.views.cell_readout import READOUT_KINDS, CellReadout
from attnviz.views.cell_sentences import announced
from attnviz.views.giving_way import GivingWayRow
from attnviz.views.linked_number import LinkedNumber
from attnviz.views.matrix.of_frame import picture_of
from attnviz.views.matrix.picture import Highlight, MatrixPicture
from attnviz.views.matrix.view import MatrixView
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
    """

    is_of_one_head = True

    def __init__(self, selection: Selection, shown: Matrix, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent)
        self.shown = shown
        self.matrix = MatrixView(self)
        self.matrix.cell_pointed.connect(self._point_at)
        self.matrix.cell_chosen.connect(self._pin)
        self.matrix.cell_opened.connect(self._open)
        self.matrix.gutter_pointed.connect(self._point_beside)
        self.matrix.gutter_chosen.connect(self._pin_beside)
        self.setFocusProxy(self.matrix)

    def draw(self, picture: MatrixPicture) -> None:
        """Show a picture of the matrix, and in it what is chosen."""
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
            return NumberRef(beside[0], (beside[1],))
        return None if cell is None else self.shown.ref(*cell)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        self.matrix.apply_theme(theme)

    def _point_at(self, row: int, column: int) -> None:
        number = self.shown.ref(row, column) if row >= 0 and column >= 0 else None
        self.selection.point_at(None if row < 0 else row, None if column < 0 else column, number)

    def _point_beside(self, name: str, index: int) -> None:
        self.point_at_number(NumberRef(name, (index,)))

    def _pin_beside(self, name: str, index: int) -> None:
        self.pin_number(NumberRef(name, (index,)))

    def _pin(self, row: int, column: int) -> None:
        self.selection.pin_number(self.shown.ref(row, column), row, column)

    def _open(self, row: int, column: int) -> None:
        self.selection.pin_number(self.shown.ref(row, column), row, column, opening="must")


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
        symbol = {"scores": "raw: q·k", "scaled": "scaled: q·k × {}", "masked": "masked: q·k × {}"}[self.stage]
        self.set_subtitle(symbol.format(number_text(frame.multiplier)))
        self.draw(replace(picture_of(self.shown, frame), sentence=partial(announced, frame)))

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
        self.set_subtitle("softmax of each row")

    def show_frame(self, frame: Frame) -> None:
        """Draw the weights with their gutters, on a map that runs from 0 to 1, or to the largest weight."""
        picture = replace(
            picture_of(self.shown, frame),
            limits=(0.0, 1.0 if self.range == "unit" else frame.largest_weight),
            gutters=gutters_of(frame, "query", self.measures.names),
            feet=gutters_of(frame, "key", self.measures.names),
            sentence=partial(announced, frame),
        )
        self.draw(picture)

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

    def _take_measures(self, names: tuple[str, ...]) -> None:
        self.show_measures(names)
        self.measures_chosen.emit(names)
