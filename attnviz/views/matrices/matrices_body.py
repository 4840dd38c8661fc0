"""What is inside the panel of the matrices: a section for each, and what was refused."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.frame import Frame
from attnviz.document.matrix_edits import EDITABLE_MATRICES, EditableMatrix, editable_matrices_of
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.views.controls.gestures import Gestures
from attnviz.views.late_panel import PanelBody
from attnviz.views.matrices.matrix_section import MatrixSection
from attnviz.views.matrices.section_flow import SectionFlow
from attnviz.views.matrices.shown_entries import Place
from attnviz.views.selection import Chosen
from attnviz.views.tokens.message_line import MessageLine


class MatricesBody(PanelBody):
    """The sections of all matrices of a document.

    Signals
    -------
    entry_changed : str, int, int, float, int
        The entry of the matrix of a name, in a row and a column, is to be a number; the last one names the gesture.
    operation_requested : str, str, object, int
        The matrix of a name is to be shaped by an operation with a number or None, as part of a gesture.
    gesture_cancelled : str, int
        The gesture on the matrix of a name is to be taken back.
    matrix_turned : str, object, float, int
        The matrix of a name is to be what it was when a gesture began, an array, turned by some degrees since then.
    matrix_pasted : str, str
        The matrix of a name is to be what a text says.
    copy_requested : str
        The matrix of a name is to be copied.
    number_pointed : object
        The number, a NumberRef, under the mouse or the cursor; None when it leaves.
    """

    entry_changed = Signal(str, int, int, float, int)
    operation_requested = Signal(str, str, object, int)
    gesture_cancelled = Signal(str, int)
    matrix_turned = Signal(str, object, float, int)
    matrix_pasted = Signal(str, str)
    copy_requested = Signal(str)
    number_pointed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gestures = Gestures(self)
        self._theme: Theme = LIGHT
        self._note = ""
        self._frame: Frame | None = None
        self.sections: dict[str, MatrixSection] = {}
        self.message = MessageLine(self)
        self._flow = SectionFlow()
        self._area = area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it takes the keys, and is scrolled to
        area.setWidget(self._flow)
        self._sought: MatrixSection | None = None
        self._seeker = QTimer(self, singleShot=True, interval=0)
        self._seeker.timeout.connect(self._reveal)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.message)
        column.addWidget(area, 1)

    def show_frame(self, frame: Frame) -> None:
        """Show every matrix of a frame's document."""
        self._frame = frame
        found = editable_matrices_of(frame.state)
        shown = [self._section(matrix) for matrix, _ in found]
        for section, (_, array) in zip(shown, found, strict=True):
            section.show_state(frame.state, array)
        if [section for section in self.sections.values() if not section.isHidden()] != shown:
            self._flow.show_sections(list(shown))
            self.setFocusProxy(shown[0].grid)
        self._note = _note(frame.state)
        self._tell()

    def show_selection(self, chosen: Chosen) -> None:
        """Light the number that is pointed at, and frame the chosen one."""
        for section in self.sections.values():
            lit, framed = self._place_in(section, chosen.pointed_number), self._place_in(section, chosen.number)
            section.grid.show_marks(lit, framed)

    def show_message(self, sentence: str) -> None:
        """Say why something was refused; nothing takes the line away."""
        self.message.show_text(sentence)

    def go_to(self, name: str) -> None:
        """Scroll to the matrix of a name, once it has its place, and give its numbers the keys."""
        self._sought = self.sections.get(name)
        if self._sought is not None:
            self._sought.grid.setFocus(Qt.FocusReason.OtherFocusReason)
            self._seeker.start()

    def focused_number(self) -> NumberRef | None:
        """Give the number of the cursor in the grid that has the focus, if it acts."""
        for section in self.sections.values():
            if section.grid.hasFocus():
                return self._ref(section, section.grid.cursor_place)
        return None

    def number_at(self, place: QPoint) -> NumberRef | None:
        """Give the number at a place of the body, if it acts."""
        for section in self.sections.values():
            at = section.grid.mapFrom(self, place)
            if section.isVisible() and section.grid.rect().contains(at):
                return self._ref(section, section.grid.place_at(at))
        return None

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.message.apply_theme(theme)
        for section in self.sections.values():
            section.apply_theme(theme)

    # -- helpers

    def _reveal(self) -> None:
        if self._sought is not None:
            self._area.ensureWidgetVisible(self._sought, 0, 0)

    def _section(self, matrix: EditableMatrix) -> MatrixSection:
        """Give the section of a matrix, made when a document first has it."""
        if matrix.name not in self.sections:
            made = MatrixSection(matrix, self._gestures, self._flow)
            made.hide()
            made.apply_theme(self._theme)
            made.entry_changed.connect(self.entry_changed)
            made.operation_requested.connect(self.operation_requested)
            made.gesture_cancelled.connect(self.gesture_cancelled)
            made.matrix_turned.connect(self.matrix_turned)
            made.copy_asked.connect(self.copy_requested)
            made.paste_asked.connect(self._paste)
            made.bar.refused.connect(self.refused)
            made.grid.refused.connect(self.refused)
            made.grid.cell_pointed.connect(self._point_at)
            made.grid.cursor_moved.connect(self._tell)
            self.sections[matrix.name] = made
            self.sections = {name: self.sections[name] for name in EDITABLE_MATRICES if name in self.sections}
        return self.sections[matrix.name]

    def _paste(self, name: str) -> None:
        self.matrix_pasted.emit(name, QGuiApplication.clipboard().text())

    def _point_at(self, place: Place | None) -> None:
        grid: QObject = self.sender()
        section = next((one for one in self.sections.values() if one.grid is grid), None)
        self.number_pointed.emit(None if section is None else self._ref(section, place))

    def _ref(self, section: MatrixSection, place: Place | None) -> NumberRef | None:
        """Name the number at a place, if it acts in the head that is looked at."""
        if self._frame is None or place is None or not section.grid.is_acting(place):
            return None
        return section.matrix.ref(self._frame, *place)

    def _place_in(self, section: MatrixSection, ref: NumberRef | None) -> Place | None:
        if ref is None or self._frame is None:
            return None
        place = section.matrix.place(self._frame, ref)
        rows, columns = section.grid.array.shape
        return place if place is not None and place[0] < rows and place[1] < columns else None

    def _tell(self) -> None:
        """Say the number of the cursor, and which columns act, beside the title."""
        focused = next((one.grid for one in self.sections.values() if one.grid.hasFocus()), None)
        said = "drag a number sideways, or type" if focused is None else focused.current_sentence()
        self.subtitle_changed.emit(f"{said} — {self._note}" if self._note else said)


def _note(state: State) -> str:
    """Say which of the written columns act where the heads need another number of them, and what is tied."""
    written, needed = state.w_q.shape[1], state.n_heads * state.d_k
    tied = "W_K is tied to W_Q" if state.is_tied else ""
    each = f"d_k = {state.d_k}" if state.n_heads == 1 else f"{state.n_heads} heads of d_k = {state.d_k}"
    if needed < written:
        acting = "the first acts" if needed == 1 else f"the first {needed} act"
        return ", ".join(filter(None, (f"{each}: of the {written} columns of W_Q and W_K only {acting}", tied)))
    if needed > written:
        drawn = needed - written
        acting = "1 drawn column acts" if drawn == 1 else f"{drawn} drawn columns act"
        return ", ".join(filter(None, (f"{each}: {acting} after those written here", tied)))
    return tied
