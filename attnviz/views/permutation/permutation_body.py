"""What is inside the permutation panel: buttons that choose a trial order, its picture, and three matrices.

The trial order is view state: it changes nothing of the document until it is applied.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.document.permutation import (
    Equivariance,
    Order,
    backwards,
    by_first_coordinate,
    in_order,
    shuffled,
    sorted_by_name,
)
from attnviz.document.state import Side
from attnviz.views.late_panel import PanelBody
from attnviz.views.matrix.picture import Highlight
from attnviz.views.matrix.view import MatrixView
from attnviz.views.permutation.order_picture import NOTHING_POINTED, OrderPicture
from attnviz.views.permutation.pictures import TITLES, pictures_of
from attnviz.views.permutation.trial import Trial
from attnviz.views.permutation.verdict import verdict_of
from attnviz.views.permutation.wrapped_text import WrappedText
from attnviz.views.segments import Segments
from attnviz.views.text_line import TextLine
from attnviz.views.tokens.wrapping_row import WrappingRow

_MARGIN, _GAP = 16, 8
_LEAST_WIDTH, _LEAST_HEIGHT = 12, 7  # of a matrix, in lines of text
_SIDES = (
    ("sequence", "Queries", "Try another order of the tokens that ask"),
    ("context", "Keys and values", "Try another order of the tokens that answer"),
)
_NAMES = ("Outputs of the reordered tokens", "Reordered outputs", "Difference")


class PermutationBody(PanelBody):
    """The inside of the permutation panel.

    Signals
    -------
    order_applied : str, object
        The tokens of this side are to stand in this order.
    token_pointed : object, object
        The query and the key that the mouse or the cursor is at; None for none.
    """

    order_applied = Signal(str, object)
    token_pointed = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._frame: Frame | None = None
        self._found: Equivariance | None = None
        self.side: Side = "sequence"
        self.order: Order = ()
        self.seed = -1  # of the last shuffle; the first one has 0
        self.trial = Trial(self)
        self.sides = Segments(_SIDES, self)
        self.sides.setAccessibleName("List to reorder")
        self.sides.show_choice(self.side)
        self.shuffle_button = _button("Shuffle", "Draw another order: the next seed each time")
        self.sort_button = _button("Sort", "Order the tokens by their names")
        self.reverse_button = _button("Reverse", "Turn the trial order round")
        self.coordinate_button = _button(
            "By coordinate 1", "Order the tokens by the first coordinate of their embeddings"
        )
        self.back_button = _button("Back in order", "Let every token stand where it stands in the document")
        self.apply_button = _button("Apply to the document", "Let the tokens of the document stand in this order")
        self.picture = OrderPicture(self)
        self.matrices = tuple(MatrixView(self) for _ in _NAMES)
        self.titles = tuple(TextLine(role=QPalette.ColorRole.PlaceholderText) for _ in range(4))
        self.verdict = WrappedText("What the order does", self)
        self._lay_out()
        self._connect()

    # -- what is shown

    def begin(self) -> None:
        """Forget order and seed; the next frame begins in order."""
        self.order, self.seed, self.side = (), -1, "sequence"
        self.subtitle_changed.emit("")

    def show_frame(self, frame: Frame) -> None:
        """Compare anew; another number of tokens begins in order."""
        self._frame = frame
        is_cross = frame.state.context is not None
        self.sides.setVisible(is_cross)
        if not is_cross and self.side == "context":
            self.side, self.order = "sequence", ()
        self.sides.show_choice(self.side)
        if len(self.order) != len(frame.state.side(self.side)):
            self.order = in_order(len(frame.state.side(self.side)))
        self._compare()

    def show_pointed(self, query: int | None, key: int | None) -> None:
        """Light a token in the picture and its rows in the matrices."""
        is_self = self._frame is not None and self._frame.state.context is None
        of_side = query if self.side == "sequence" else key
        self.picture.show_lit(key if of_side is None and is_self else of_side)
        found = self._found
        row = found.rows.index(query) if found is not None and query in found.rows else None
        for matrix in self.matrices:
            matrix.show_highlight(Highlight(row=row))

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.picture.apply_theme(theme)
        for matrix in self.matrices:
            matrix.apply_theme(theme)

    # -- what the user does

    def shuffle(self) -> None:
        """Try the order of the next seed."""
        self.seed += 1
        self._try(shuffled(len(self.order), np.random.default_rng(self.seed)), f"shuffled with seed {self.seed}")

    def try_sorted(self) -> None:
        """Try the alphabetical order."""
        if self._frame is not None:
            self._try(sorted_by_name(self._frame.state.side(self.side)), "sorted by name")

    def try_reversed(self) -> None:
        """Turn the trial order round."""
        self._try(tuple(self.order[place] for place in backwards(len(self.order))), "turned round")

    def try_by_coordinate(self) -> None:
        """Try the order of the first coordinate."""
        if self._frame is not None:
            self._try(by_first_coordinate(self._frame.state.side(self.side)), "by the first coordinate")

    def go_back(self) -> None:
        """Try the order of the document, in which both outputs are the same."""
        self._try(in_order(len(self.order)), "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the pictures side by side where there is room, else two by two, or one below the other."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Arrange anew for another size of text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._arrange()

    # -- inside

    def _try_by_hand(self, order: Order) -> None:
        self._try(order, "by hand")

    def _try(self, order: Order, subtitle: str) -> None:
        if self._frame is None:
            return
        self.order = order
        self.subtitle_changed.emit(subtitle)
        self._compare()

    def _apply(self) -> None:
        side, order = self.side, self.order
        self.order = in_order(len(order))  # what is applied is the order from now on
        self.subtitle_changed.emit("")
        self.order_applied.emit(side, order)

    def _choose_side(self, name: str) -> None:
        self.side = "context" if name == "context" else "sequence"
        if self._frame is not None:
            self.order = in_order(len(self._frame.state.side(self.side)))
            self.subtitle_changed.emit("")
            self._compare()

    def _compare(self) -> None:
        frame = self._frame
        if frame is None:
            return
        tokens = frame.state.side(self.side).tokens
        self.picture.show_order(tokens, self.order, frame.n_query if self.side == "context" else 0)
        is_moved = self.order != in_order(len(self.order))
        self.apply_button.setEnabled(is_moved)
        self.back_button.setEnabled(is_moved)
        for title, text in zip(self.titles, ("as it is → as it is tried", *TITLES[self.side]), strict=True):
            title.show_text(text)
        self.trial.compare(frame, self.side, self.order)
        if self.trial.is_busy:
            self.verdict.show_text("Computing …")

    def _show(self, found: Equivariance) -> None:
        if self._frame is None:
            return
        self._found = found
        for matrix, picture in zip(self.matrices, pictures_of(found, self._frame), strict=True):
            matrix.show_picture(picture)
        self.verdict.show_text(verdict_of(found, self._frame))

    def _point_at_row(self, row: int, _column: int) -> None:
        found = self._found
        self.token_pointed.emit(None if found is None or row < 0 else found.rows[row], None)

    def _point_at_token(self, token: int) -> None:
        place = None if token == NOTHING_POINTED else token
        is_sequence = self.side == "sequence"
        self.token_pointed.emit(place if is_sequence else None, None if is_sequence else place)

    def _connect(self) -> None:
        for button, slot in (
            (self.shuffle_button, self.shuffle),
            (self.sort_button, self.try_sorted),
            (self.reverse_button, self.try_reversed),
            (self.coordinate_button, self.try_by_coordinate),
            (self.back_button, self.go_back),
            (self.apply_button, self._apply),
        ):
            button.clicked.connect(slot)
        self.sides.chosen.connect(self._choose_side)
        self.trial.compared.connect(self._show)
        self.trial.failed.connect(self.verdict.show_text)
        self.picture.token_pointed.connect(self._point_at_token)
        self.picture.order_tried.connect(self._try_by_hand)
        for matrix in self.matrices:
            matrix.cell_pointed.connect(self._point_at_row)

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
        column.setSpacing(_GAP)
        column.addWidget(self.sides)
        above, below = WrappingRow(), WrappingRow()
        for row, button, short in (
            (above, self.shuffle_button, ""),
            (above, self.sort_button, ""),
            (above, self.reverse_button, ""),
            (above, self.coordinate_button, "By 1st"),
            (below, self.back_button, "Back"),
            (below, self.apply_button, "Apply"),
        ):
            row.add(button, short)
        column.addWidget(above)
        column.addWidget(below)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(_GAP)
        self._grid.setVerticalSpacing(2)
        self._n_columns = 0
        column.addWidget(self.verdict)
        column.addLayout(self._grid, 1)
        for matrix, name in zip(self.matrices, _NAMES, strict=True):
            matrix.setAccessibleName(name)
        scrolled = QScrollArea(self)
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setWidgetResizable(True)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scrolled.setWidget(inside)
        for transparent in (scrolled.viewport(), inside):
            transparent.setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scrolled)
        self.setFocusProxy(self.shuffle_button)
        self._arrange()

    def _arrange(self) -> None:
        line = self.fontMetrics().height()
        least = _LEAST_WIDTH * line
        for matrix in self.matrices:
            matrix.setMinimumSize(least, _LEAST_HEIGHT * line)
        room = self.width() - 2 * _MARGIN - self.fontMetrics().height()
        n_columns = next((count for count in (4, 2) if room >= count * (least + _GAP)), 1)
        if n_columns == self._n_columns:
            return
        self._n_columns = n_columns
        for place, (title, shown) in enumerate(zip(self.titles, (self.picture, *self.matrices), strict=True)):
            row, column = divmod(_TWO_BY_TWO[place] if n_columns == 2 else place, n_columns)
            self._grid.addWidget(title, 2 * row, column)
            self._grid.addWidget(shown, 2 * row + 1, column)
        for row in range(4):
            self._grid.setRowStretch(2 * row + 1, 1 if row < 4 // n_columns else 0)
        for column in range(4):
            self._grid.setColumnStretch(column, 1 if column < n_columns else 0)


_TWO_BY_TWO = (0, 2, 3, 1)  # the order and the difference above, the outputs below


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setAccessibleName(text)
    button.setAccessibleDescription(tip)
    return button
