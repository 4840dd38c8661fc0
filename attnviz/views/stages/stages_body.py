"""What is inside the stages panel: the strip, the matrix that is open, and how both share the selection."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.document.matrices import MATRICES_BY_NAME, Matrix
from attnviz.document.number_ref import NumberRef
from attnviz.views.matrix.lettering import PaintedText
from attnviz.views.matrix.of_frame import sentence_of
from attnviz.views.panel import Panel
from attnviz.views.selection import Chosen, Selection
from attnviz.views.stages.large_matrix import LargeMatrix
from attnviz.views.stages.pointing import highlight_of, place_of
from attnviz.views.stages.shown import Shown, shown_matrices
from attnviz.views.stages.strip import StageStrip

_LEAST_LARGE_LINES = 14
_GAP = 4


class StagesBody(Panel):
    """The strip, and one matrix large below it, or beside it where the panel is low.

    Enter or a click opens the chosen matrix, Esc or another click closes it. Alt+Left and Alt+Right go from matrix
    to matrix while one is open.

    Signals
    -------
    opened_changed : bool
        A matrix was opened or closed by the user.
    """

    opened_changed = Signal(bool)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent)
        self.strip, self.large = StageStrip(self), LargeMatrix(self)
        self.large.hide()
        self.is_open = False
        self._shown: dict[str, Shown] = {}
        self.setFocusProxy(self.strip)
        self.strip.cell_pointed.connect(self._point_in_strip)
        self.strip.stage_chosen.connect(self._choose)
        self.strip.stage_opened.connect(self.toggle)
        self.strip.installEventFilter(self)
        self.large.closed.connect(self.close_matrix)
        self.large.matrix.cell_pointed.connect(self._point_in_large)
        self.large.matrix.cell_chosen.connect(self._pin)
        self.large.matrix.installEventFilter(self)
        for keys, slot in (("Alt+Left", self._go_back), ("Alt+Right", self._go_on)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)

    # -- what is shown

    @property
    def current(self) -> str:
        """The name of the chosen matrix; empty before the first frame."""
        return self.strip.current

    def show_frame(self, frame: Frame) -> None:
        """Draw all matrices of a frame."""
        self.frame = frame
        shown = shown_matrices(frame)
        self._shown = {one.matrix.name: one for one in shown}
        self.strip.show_matrices(shown)
        if self.is_open:
            self._show_large()
        self.show_selection(self.selection.chosen)

    def show_selection(self, chosen: Chosen) -> None:
        """Light what is pointed at and pinned in every matrix, and say the number that is pointed at."""
        frame = self.frame
        if frame is None or not self._shown:
            return
        lit = {name: highlight_of(one.matrix, frame, chosen) for name, one in self._shown.items()}
        self.strip.show_highlights(tuple(lit.values()))
        if self.is_open:
            self.large.show_highlight(lit[self.current])
        self._say(chosen)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        self.strip.apply_theme(theme)
        self.large.apply_theme(theme)

    def painted_texts(self) -> list[PaintedText]:
        """List every text in sight with its rectangle in the panel's coordinates."""
        viewport = self.strip.viewport()
        corner = viewport.mapTo(self, viewport.rect().topLeft())
        found = [(text, box.translated(corner)) for text, box in self.strip.painted_texts()]
        if self.is_open:
            found += [(text, box.translated(self.large.pos())) for text, box in self.large.painted_texts()]
        return found

    # -- what the user does

    def toggle(self, name: str) -> None:
        """Open a matrix, or close it if it is open."""
        if self.is_open and name == self.current:
            self.close_matrix()
            return
        was_open, self.is_open = self.is_open, True
        self._choose(name)
        if not was_open:
            self.opened_changed.emit(True)
        self.large.show()
        self._arrange()
        self.large.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_matrix(self) -> None:
        """Show the strip alone."""
        if not self.is_open:
            return
        self.is_open = False
        self.strip.setFocus(Qt.FocusReason.OtherFocusReason)
        self.large.hide()
        self.strip.show_choice(self.current, is_open=False)
        self.opened_changed.emit(False)
        self._arrange()
        self.show_selection(self.selection.chosen)

    def event(self, event: QEvent) -> bool:
        """Claim Esc while a matrix is open, before a shortcut of the window gets it."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            is_escape = event.key() == Qt.Key.Key_Escape and self.is_open
            event.setAccepted(is_escape)
            return is_escape
        return super().event(event)

    def focused_number(self) -> NumberRef | None:
        """Give the number in the cell of the large matrix that the keyboard is at."""
        cell = self.large.matrix.cursor_cell if self.is_open else None
        return None if cell is None else self._shown[self.current].matrix.ref(*cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the matrix that is open."""
        if event.key() == Qt.Key.Key_Escape and self.is_open:
            self.close_matrix()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Describe the matrix or the cell when its widget gets the focus."""
        if event.type() == QEvent.Type.FocusIn:
            self._describe()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the selection, which goes on while the panel is hidden."""
        super().showEvent(event)
        self.show_selection(self.selection.chosen)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room out."""
        super().resizeEvent(event)
        self._arrange()

    # -- inside

    def _choose(self, name: str) -> None:
        self.strip.show_choice(name, is_open=self.is_open)
        if self.is_open:
            self._show_large()
        self.show_selection(self.selection.chosen)
        self._describe()

    def _go_back(self) -> None:
        self._step(-1)

    def _go_on(self) -> None:
        self._step(1)

    def _step(self, by: int) -> None:
        names = list(self._shown)
        if names:
            self._choose(names[max(0, min(names.index(self.current) + by, len(names) - 1))])

    def _show_large(self) -> None:
        self.large.show_matrix(self._shown[self.current])

    def _point_in_strip(self, name: str, row: int, column: int) -> None:
        if not name:
            self.selection.point_at(None, None)
        else:
            self._point_at(self._shown[name].matrix, row, column)

    def _point_in_large(self, row: int, column: int) -> None:
        self._point_at(self._shown[self.current].matrix, row, column)

    def _point_at(self, matrix: Matrix, row: int, column: int) -> None:
        if row >= 0 and column >= 0:
            self.point_at_number(matrix.ref(row, column))
        else:
            self.selection.point_at(*place_of(matrix, row, column))

    def _pin(self, row: int, column: int) -> None:
        self.pin_number(self._shown[self.current].matrix.ref(row, column))

    def _say(self, chosen: Chosen) -> None:
        """Say the pointed number beside the title, else what is shown."""
        frame, ref = self.frame, chosen.pointed_number
        if frame is None:
            return
        matrix = None if ref is None else MATRICES_BY_NAME.get(ref.kind)
        if matrix is not None and ref is not None and matrix.name in self._shown:
            self.set_subtitle(sentence_of(matrix, frame, *ref.indices))
        else:
            self.set_subtitle("" if self.is_open else "from embeddings to outputs; a click opens one")

    def _describe(self) -> None:
        """Tell screen readers what is chosen in the strip."""
        frame = self.frame
        if frame is None or not self._shown:
            return
        shown = self._shown[self.current]
        self.strip.setAccessibleDescription(f"{shown.spoken}, colours {shown.range_text}")

    def _arrange(self) -> None:
        """Give the strip all room, a row at the top, or in a low panel the left half."""
        width, height = self.width(), self.height()
        if not self.is_open:
            self.strip.setGeometry(0, 0, width, height)
            return
        row = self.strip.minimumSizeHint().height()
        if height - row >= _LEAST_LARGE_LINES * self.fontMetrics().height():
            self.strip.setGeometry(0, 0, width, row)
            self.large.setGeometry(QRect(0, row + _GAP, width, height - row - _GAP))
        else:
            self.strip.setGeometry(0, 0, width // 2, height)
            self.large.setGeometry(QRect(width // 2, 0, width - width // 2, height))
