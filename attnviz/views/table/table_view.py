"""The table panel: any matrix of the pass with its names, for keyboards, screen readers and copying."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.late import late
from attnviz.views.digits_switch import digits_switch
from attnviz.views.late_panel import LatePanel
from attnviz.views.selection import Chosen, Selection

if TYPE_CHECKING:
    from attnviz.views.table import table_body
else:
    table_body = late("attnviz.views.table.table_body")  # the panel is hidden when the window opens


class TableView(LatePanel):
    """The panel of the table; what it holds is made when it is first shown.

    Signals
    -------
    copy_requested : str, object
        A part of the matrix, a :class:`~attnviz.document.labelled.LabelledMatrix`, is to be copied as "TSV", "CSV",
        "Markdown", "NumPy" or "LaTeX".
    """

    is_of_one_head = True
    copy_requested = Signal(str, object)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent, margin=16)
        self.digits = digits_switch("copies for spreadsheets and NumPy have all", self)
        self.digits.chosen.connect(self._choose_digits)
        self.tools = self.digits

    @cached_property
    def body(self) -> table_body.TableBody:
        """What is inside."""
        made = table_body.TableBody(self.selection, self)
        made.copy_requested.connect(self.copy_requested)
        self.take_in(made)
        return made

    def show_frame(self, frame: Frame) -> None:
        """Show the same matrix of a frame."""
        self.body.show_frame(frame)
        self.body.show_selection(self.selection.chosen)

    def show_selection(self, chosen: Chosen) -> None:
        """Light what is chosen."""
        self.body.show_selection(chosen)

    def focused_number(self) -> NumberRef | None:
        """Give the number in the cell of the cursor."""
        return self.body.grid.current_number() if self.is_made else None

    def show_matrix(self, name: str) -> None:
        """Show another matrix, by its name in the document's list."""
        self.body.show_matrix(name)

    def sort_by_column(self) -> None:
        """Sort by the column of the cursor: ascending, descending, as in the document."""
        self.body.grid.sort_by_column()

    def sort_by_names(self) -> None:
        """Sort by the names of the rows: ascending, descending, as in the document."""
        self.body.grid.sort_by_names()

    def ask_to_copy(self, language: str) -> None:
        """Ask to have the selection copied, or everything where nothing is selected."""
        self.body.ask_to_copy(language)

    def sizeHint(self) -> QSize:
        """Give the room in which a small matrix is seen whole."""
        line = self.fontMetrics().height()
        return QSize(28 * line, 16 * line)

    def _choose_digits(self, name: str) -> None:
        self.digits.show_choice(name)
        self.body.choose_digits(name)
