"""What is inside the table panel: which matrix, in what form it is copied, and the table itself."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame
from attnviz.document.matrices import AxisName, Matrix, matrices_of
from attnviz.explanations import place_of
from attnviz.views.announcing import Announcer
from attnviz.views.late_panel import PanelBody
from attnviz.views.selection import Chosen, Selection
from attnviz.views.table.cells import Lights
from attnviz.views.table.grid import MatrixGrid
from attnviz.views.tokens.message_line import quiet_style
from attnviz.views.tokens.wrapping_row import WrappingRow

_FORMS = (
    ("TSV", "Table (TSV)\tCtrl+C"),
    ("CSV", "CSV"),
    ("Markdown", "Markdown"),
    ("NumPy", "NumPy"),
    ("LaTeX", "LaTeX"),
)
_NO_MARK = "QPushButton::menu-indicator { image: none; width: 0; }"  # the button's text has one


class TableBody(PanelBody):
    """The table with its choice of matrix.

    Signals
    -------
    copy_requested : str, object
        A part of the matrix is to be copied in a form.
    """

    copy_requested = Signal(str, object)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selection = selection
        self._frame: Frame | None = None
        self._name = "weight"
        self.choice = QComboBox(self)
        self.choice.setAccessibleName("Matrix")
        self.choice.setToolTip("Which matrix of the pass the table shows")
        self.choice.activated.connect(self._choose_matrix)
        self.copy_button = QPushButton("Copy as ▾", self)
        self.copy_button.setToolTip("Copy the selected cells with their names, or all of them if none is selected")
        self.grid = MatrixGrid(self)
        self.setFocusProxy(self.grid)
        self.menu = self._build_menu()
        bar = WrappingRow(self)
        bar.add(self.choice)
        bar.add(self.copy_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(bar)
        column.addWidget(self.grid, 1)
        self._announcer = Announcer(self.grid, self.grid.current_sentence, is_description=False)
        self._order_announcer = Announcer(self.grid, self.grid.order_sentence, is_description=False)
        self.grid.cell_pointed.connect(self._point_at)
        self.grid.cell_chosen.connect(self._pin)
        self.grid.copy_asked.connect(self._copy_as_table)
        self.grid.sorted_anew.connect(self._order_announcer.tell_moved)

    def show_frame(self, frame: Frame) -> None:
        """Show the same matrix of a frame, or the weights where the frame has no such matrix."""
        self._frame = frame
        self._list_matrices(frame)
        matrix = self._matrix(frame)
        self.grid.show_matrix(frame, matrix)
        if self.grid.accessibleDescription() != matrix.formula_in(frame):
            self.grid.setAccessibleDescription(matrix.formula_in(frame))
        rows, columns = matrix.shape(frame)
        self.subtitle_changed.emit(f"{matrix.formula_in(frame)}   {rows} × {columns}")
        if self.grid.hasFocus():
            self._announcer.tell_changed()

    def show_selection(self, chosen: Chosen) -> None:
        """Light the row and the column that are pointed at, and the chosen cell."""
        if self._frame is None:
            return
        matrix = self._matrix(self._frame)
        row, column = _along(matrix.rows, chosen), _along(matrix.columns, chosen)
        pointed, number = chosen.pointed_number, chosen.number
        if pointed is not None and pointed.kind == matrix.name:
            row, column = pointed.indices
        pinned = None
        if number is not None and number.kind == matrix.name:
            pinned = (number.indices[0], number.indices[1])
        elif chosen.is_pinned and number is None and matrix.name == "weight":
            pinned = (chosen.query, chosen.key)
        self.grid.show_lights(Lights(row, column, pinned))

    def show_matrix(self, name: str) -> None:
        """Show another matrix."""
        self._name = name
        if self._frame is not None:
            self.show_frame(self._frame)
            self.show_selection(self.selection.chosen)

    def choose_digits(self, name: str) -> None:
        """Write numbers with about three digits ("short") or all of them ("full")."""
        self.grid.choose_digits(is_exact=name == "full")

    def ask_to_copy(self, language: str) -> None:
        """Ask to have the selected cells copied, or all of them if none is selected."""
        try:
            block = self.grid.selected_block()
        except DocumentError as error:
            self.refused.emit(str(error))
            return
        if block is not None:
            self.copy_requested.emit(language, block)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.grid.apply_theme(theme)
        self.copy_button.setStyleSheet(quiet_style(theme) + _NO_MARK)

    def _list_matrices(self, frame: Frame) -> None:
        found = matrices_of(frame)
        if [self.choice.itemData(place) for place in range(self.choice.count())] != [one.name for one in found]:
            with QSignalBlocker(self.choice):
                self.choice.clear()
                for matrix in found:
                    self.choice.addItem(f"{matrix.symbol}   {matrix.label}", matrix.name)
        self.choice.setCurrentIndex(self.choice.findData(self._matrix(frame).name))

    def _matrix(self, frame: Frame) -> Matrix:
        found = {matrix.name: matrix for matrix in matrices_of(frame)}
        return found.get(self._name, found["weight"])

    def _choose_matrix(self, place: int) -> None:
        self.show_matrix(str(self.choice.itemData(place)))

    def _build_menu(self) -> QMenu:
        """Make the menu of the table, and that of the copy button, which is a part of it."""
        menu, forms = QMenu(self), QMenu("&Copy as", self)
        for language, text in _FORMS:
            action = QAction(text, forms)
            action.setData(language)
            forms.addAction(action)
        forms.triggered.connect(self._copy_as)
        self.copy_button.setMenu(forms)
        menu.addMenu(forms)
        menu.addSeparator()
        for text, act in (
            ("Sort by &Column\tCtrl+Shift+O", self.grid.sort_by_column),
            ("Sort by &Row Name\tCtrl+Alt+R", self.grid.sort_by_names),
            ("Select R&ow\tShift+Space", self.grid.select_current_row),
            ("Select Col&umn\tCtrl+Shift+Space", self.grid.select_current_column),
            ("Select &All\tCtrl+A", self.grid.selectAll),
        ):
            menu.addAction(text).triggered.connect(act)
        self.grid.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.grid.customContextMenuRequested.connect(self._open_menu)
        return menu

    def _open_menu(self, place: QPoint) -> None:
        self.menu.popup(self.grid.viewport().mapToGlobal(place))

    def _copy_as(self, action: QAction) -> None:
        self.ask_to_copy(str(action.data()))

    def _copy_as_table(self) -> None:
        self.ask_to_copy("TSV")

    def _point_at(self, row: int, column: int) -> None:
        if self._frame is None or row < 0:
            self.selection.point_at(None, None)
        else:
            ref = self._matrix(self._frame).ref(row, column)
            self.selection.point_at(*place_of(self._frame, ref), ref)

    def _pin(self, row: int, column: int) -> None:
        if self._frame is not None:
            ref = self._matrix(self._frame).ref(row, column)
            self.selection.pin_number(ref, *place_of(self._frame, ref))


def _along(axis: AxisName, chosen: Chosen) -> int | None:
    """Give the place that is pointed at along an axis; ``None`` for coordinates."""
    return {"query": chosen.pointed_query, "key": chosen.pointed_key}.get(axis)
