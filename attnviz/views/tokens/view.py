"""The token editor: a sentence line over a table of tokens, for one list or, in cross-attention, for two."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import Side, State
from attnviz.views.controls.toggle_switch import ToggleSwitch
from attnviz.views.panel import Panel
from attnviz.views.segments import Segments
from attnviz.views.selection import Chosen, Selection
from attnviz.views.tokens.cells import TokenMark
from attnviz.views.tokens.message_line import MessageLine, quiet_style
from attnviz.views.tokens.rows import NO_ROW
from attnviz.views.tokens.sentence_line import SentenceLine
from attnviz.views.tokens.table import TokenTable
from attnviz.views.tokens.wrapping_row import WrappingRow

_SIDES = (
    ("sequence", "Queries", "Edit the tokens that ask: one row of the matrices each"),
    ("context", "Keys and values", "Edit the tokens that answer: one column of the matrices each"),
)
_CROSS_TIP = "Cross-attention: keys and values have a list of tokens of their own; switched off, that list is kept"
_MARGIN, _GAP = 16, 8
_ROWS_IN_SIGHT = 2
_NO_LIMIT = 16_777_215  # Qt's QWIDGETSIZE_MAX


class TokensView(Panel):
    """The panel that edits tokens: their names, order and coordinates.

    Signals
    -------
    sentence_edited : str, str, int
        The side, the typed sentence, and the burst of typing it belongs to.
    token_renamed : str, int, str
        The side, the token's place and its new name.
    coordinate_entered : str, int, int, float
        The side, the token's place, the coordinate counted from 0, and its value.
    token_inserted : str, int
        The side and the place of a new token.
    tokens_deleted : str, object
        The side and a tuple of places.
    token_moved : str, int, int
        The side, a token's place and the place it is to have.
    rows_pasted : str, int, str
        The side, the place of the first pasted row, and the whole text of the clipboard.
    import_requested
        Embeddings are to be read from a file.
    cross_asked : bool
        Keys and values are to come from a list of their own, or from the sequence again.
    """

    sentence_edited = Signal(str, str, int)
    token_renamed = Signal(str, int, str)
    coordinate_entered = Signal(str, int, int, float)
    token_inserted = Signal(str, int)
    tokens_deleted = Signal(str, object)
    token_moved = Signal(str, int, int)
    rows_pasted = Signal(str, int, str)
    import_requested = Signal()
    cross_asked = Signal(bool)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent)
        self._side: Side = "sequence"
        self._message_state: State | None = None
        self.sentence_label = QLabel("&Sentence", self)
        self.sentence = SentenceLine(self)
        self.table = TokenTable(self)
        self.add_button = QPushButton("+ &Add token", self)
        self.import_button = QPushButton("&Import embeddings…", self)
        self.cross_switch = ToggleSwitch("Cross", self)
        self.side_switch = Segments(_SIDES, self)
        self._message = MessageLine(self)
        self._describe()
        self._lay_out()
        self._connect()
        self.apply_theme(self.theme)

    @property
    def side(self) -> Side:
        """The list that is edited."""
        return self._side

    @property
    def message(self) -> str:
        """The text of the message line; empty if there is none."""
        return self._message.text

    def show_frame(self, frame: Frame) -> None:
        """Show the tokens of a frame; what did not change is not touched."""
        self.frame = frame
        if self._message.text and frame.state is not self._message_state:
            self._message.clear()
        is_cross = frame.state.context is not None
        self.cross_switch.setChecked(is_cross)
        if is_cross == self.side_switch.isHidden():
            if is_cross:
                self.sentence_label.hide()  # first: side by side with both the panel would want more width
            self.side_switch.setVisible(is_cross)
            self._arrange_head()
        self.show_selection(self.selection.chosen)

    def show_selection(self, chosen: Chosen) -> None:
        """Edit the chosen side, light the chosen token and those pointed at."""
        if self.frame is None:
            return
        state = self.frame.state
        side: Side = "sequence" if state.context is None else chosen.side
        if side != self._side:
            self.sentence.end_gesture()
            self._side = side
        self.side_switch.show_choice(side)
        sequence = state.side(side)
        self.sentence.show_tokens(sequence.tokens)
        self.table.show_sequence(sequence)
        is_context = side == "context"
        self.table.show_mark(TokenMark(len(state.sequence) if is_context else 0, is_square=is_context))
        self.table.show_chosen(chosen.token if chosen.side == side else None, self._pointed_rows(chosen, state))
        pinned = chosen.number if chosen.is_pinned else None
        self.table.show_cells(self._cell_of(chosen.pointed_number), self._cell_of(pinned))
        self.set_subtitle(f"{len(sequence):,} token{'s' * (len(sequence) != 1)}, d = {state.width}")

    def focused_number(self) -> NumberRef | None:
        """Give the coordinate that the keyboard is at."""
        index = self.table.currentIndex()
        return self._coordinate(index.row(), index.column())

    def show_message(self, text: str) -> None:
        """Say something under the table, until it is dismissed or the document changes."""
        self._message_state = None if self.frame is None else self.frame.state
        self._message.show_text(text)

    def move_chosen(self, by: int) -> None:
        """Ask to move the chosen token so many places down, or up."""
        if self.frame is None:
            return
        row = min(self.selection.chosen.token, self.table.rows.rowCount() - 1)
        if 0 <= row + by < self.table.rows.rowCount():
            self._move(row, row + by)

    def switch_side(self) -> bool:
        """Edit the other list; say whether there is one."""
        if self.frame is None or self.frame.state.context is None:
            return False
        self._go_to("context" if self._side == "sequence" else "sequence")
        return True

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        self.table.apply_theme(theme)
        self.sentence_label.setStyleSheet(f"color: {theme.muted};")
        for button in (self.add_button, self.import_button):
            button.setStyleSheet(quiet_style(theme))
        self.cross_switch.apply_theme(theme)
        self._message.apply_theme(theme)

    def minimumSizeHint(self) -> QSize:
        """Give the least size, with everything above the table in one line and one row in sight."""
        return QSize(super().minimumSizeHint().width(), self._height_with(n_rows=1, is_low=True))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put what stands above the table into one line where that leaves more room to the rows."""
        super().resizeEvent(event)
        self._arrange_head()

    def _arrange_head(self) -> None:
        is_low = self.height() < self._height_with(n_rows=_ROWS_IN_SIGHT, is_low=False)
        ways = QBoxLayout.Direction
        self._head.setDirection(ways.LeftToRight if is_low else ways.TopToBottom)
        self.side_switch.setMaximumWidth(self.side_switch.minimumSizeHint().width() if is_low else _NO_LIMIT)
        self.sentence_label.setHidden(is_low and not self.side_switch.isHidden())
        self.updateGeometry()

    def _height_with(self, n_rows: int, *, is_low: bool) -> int:
        """Give the height at which so many rows are in sight, below one line or below several."""
        switch = [] if self.side_switch.isHidden() else [self.side_switch.sizeHint().height() + _GAP // 2]
        heads = [self.sentence.sizeHint().height() + _GAP // 2, *switch]
        if not is_low:
            heads.append(self.sentence_label.sizeHint().height() + _GAP // 2)
        table, bar = self.table, self.table.horizontalScrollBar()
        rows = table.horizontalHeader().sizeHint().height() + n_rows * table.verticalHeader().defaultSectionSize()
        rows += bar.sizeHint().height() if bar.maximum() > 0 else 0
        # Buttons that stand one over the other for a moment, while the text grows, must not make the window higher.
        buttons = max(button.sizeHint().height() for button in (self.add_button, self.import_button, self.cross_switch))
        return (max(heads) if is_low else sum(heads)) + rows + buttons + 3 * _GAP // 2

    def _pointed_rows(self, chosen: Chosen, state: State) -> frozenset[int]:
        pointed: list[int | None] = []
        if self._side == "sequence":
            pointed.append(chosen.pointed_query)
        if self._side == "context" or state.context is None:
            pointed.append(chosen.pointed_key)
        return frozenset(row for row in pointed if row is not None)

    def _cell_of(self, ref: NumberRef | None) -> tuple[int, int] | None:
        """Give the row and the column of the table where a number stands, if it does."""
        if ref is None or ref.kind != ("context" if self._side == "context" else "x"):
            return None
        return ref.indices[0], ref.indices[1] + 1

    def _describe(self) -> None:
        self.sentence_label.setBuddy(self.sentence)
        self.sentence.setAccessibleName("Sentence")
        self.sentence.setToolTip(
            "The tokens in one line, parted by blanks. Typing changes them at once; "
            "words that stay keep their embeddings. A no-break space stands for a blank inside a token."
        )
        self.table.setObjectName("token_table")
        self.table.setAccessibleName("Tokens and coordinates")
        self.table.setAccessibleDescription(
            "One row per token. F2 or typing edits a cell, Insert and Ctrl+Enter add a row, Delete removes rows, "
            "Alt+Up and Alt+Down move a row, Ctrl+C and Ctrl+V copy and paste rows. "
            "The inspector shows the coordinate you are at; Ctrl+Shift+I opens it."
        )
        self.add_button.setToolTip("Add a token at the end (in the table: Insert above, Ctrl+Enter below)")
        self.import_button.setToolTip("Read word vectors from a file and choose words from them")
        self.cross_switch.setToolTip(_CROSS_TIP)
        self.cross_switch.setAccessibleName("Cross-attention")
        self.add_button.setAccessibleName("Add token")
        self.import_button.setAccessibleName("Import embeddings")
        for button in (self.add_button, self.import_button):
            button.setObjectName("quiet_button")
            button.setFlat(True)
            button.setCursor(Qt.CursorShape.PointingHandCursor)

    def _lay_out(self) -> None:
        self.side_switch.setAccessibleName("List to edit")
        self.side_switch.hide()
        buttons = self._buttons = WrappingRow(self)
        buttons.add(self.add_button, short="&Add")
        buttons.add(self.import_button, short="&Import…")
        buttons.add(self.cross_switch)
        # The light of a row reaches half a margin beyond the text, so the table gets half a margin more.
        above, below, layout = QVBoxLayout(), QVBoxLayout(), QVBoxLayout(self)
        for part in (above, below):
            part.setContentsMargins(_MARGIN // 2, 0, _MARGIN // 2, 0)
        self._head = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._head.addWidget(self.side_switch)
        self._head.addWidget(self.sentence_label)
        self._head.addWidget(self.sentence, 1)
        above.addLayout(self._head)
        below.addWidget(self._message)
        layout.setContentsMargins(_MARGIN // 2, 0, _MARGIN // 2, _GAP)
        layout.setSpacing(_GAP // 2)
        layout.addLayout(above)
        layout.addWidget(self.table, 1)
        layout.addLayout(below)
        layout.addWidget(buttons)

    def _connect(self) -> None:
        self.sentence.sentence_typed.connect(self._tell_sentence)
        self.side_switch.chosen.connect(self._go_to)
        self.add_button.clicked.connect(self._append)
        self.import_button.clicked.connect(self._ask_import)
        self.cross_switch.clicked.connect(self.cross_asked)
        table = self.table
        table.horizontalScrollBar().rangeChanged.connect(self._arrange_head)
        table.row_chosen.connect(self._choose)
        table.cell_pointed.connect(self._point)
        table.cell_reached.connect(self._reach)
        table.row_moved.connect(self._move)
        table.rows_deleted.connect(self._delete)
        table.insertion_asked.connect(self._insert)
        table.rows_pasted.connect(self._paste)
        table.import_asked.connect(self._ask_import)
        table.rows.name_entered.connect(self._rename)
        table.rows.coordinate_entered.connect(self._enter_coordinate)
        table.cells.refused.connect(self._refuse)

    def _tell_sentence(self, text: str, gesture: int) -> None:
        self.sentence_edited.emit(self._side, text, gesture)

    def _rename(self, row: int, name: str) -> None:
        self.token_renamed.emit(self._side, row, name)

    def _enter_coordinate(self, row: int, coordinate: int, value: float) -> None:
        self.coordinate_entered.emit(self._side, row, coordinate, value)

    def _append(self) -> None:
        self._insert(self.table.rows.rowCount())

    def _insert(self, row: int) -> None:
        count = self.table.rows.rowCount()
        self.token_inserted.emit(self._side, row)
        if self.table.rows.rowCount() == count + 1:
            self._choose(row)
            self.table.edit_name(row)

    def _delete(self, rows: tuple[int, ...]) -> None:
        before = self.frame
        self.tokens_deleted.emit(self._side, rows)
        if self.frame is not before:
            self._choose(min(rows[0], self.table.rows.rowCount() - 1))

    def _move(self, row: int, to: int) -> None:
        before = self.frame
        self.token_moved.emit(self._side, row, to)
        if self.frame is not before:
            self._choose(to)

    def _paste(self, row: int, text: str) -> None:
        self.rows_pasted.emit(self._side, row, text)

    def _ask_import(self) -> None:
        self.import_requested.emit()

    def _refuse(self, sentence: str) -> None:
        self.show_message(sentence)
        self.refused.emit(sentence)

    def _choose(self, row: int) -> None:
        self.selection.choose_token(self._side, row, is_query=self._side == "sequence")

    def _reach(self, row: int, column: int) -> None:
        """Pin the coordinate that was clicked or stepped to; the pinned row and column stay. On a name let it go."""
        ref = self._coordinate(row, column)
        if ref is None:
            self._choose(row)
        else:
            self.selection.pin_number(ref, opening="never")

    def _coordinate(self, row: int, column: int) -> NumberRef | None:
        """Name the number in a cell of the table; ``None`` beside the coordinates."""
        is_context = self._side == "context"
        return NumberRef("context" if is_context else "x", (row, column - 1)) if row >= 0 and column > 0 else None

    def _point(self, row: int, column: int) -> None:
        place = None if row == NO_ROW else row
        is_cross = self.frame is not None and self.frame.state.context is not None
        query = place if self._side == "sequence" else None
        key = place if self._side == "context" or not is_cross else None
        self.selection.point_at(query, key, self._coordinate(row, column))

    def _go_to(self, name: str) -> None:
        if self.frame is None or name == self._side:
            return
        chosen = self.selection.chosen
        side: Side = "context" if name == "context" else "sequence"
        row = chosen.key if side == "context" else chosen.query
        row = min(row, len(self.frame.state.side(side)) - 1)
        self.selection.choose_token(side, row, is_query=side == "sequence")
