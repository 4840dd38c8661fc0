"""How a cell of the token table is painted and edited, and how a token's dot is."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from attnviz.appearance import LIGHT, Theme
from attnviz.document.errors import DocumentError
from attnviz.document.tokens import check_token
from attnviz.views.fonts import monospaced
from attnviz.views.hints import mark_invalid, plain_tooltip
from attnviz.views.number_box import parse_number
from attnviz.views.tokens.model import Index, TokenModel

PADDING = 8
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SQUARE = 0.85  # the side of a square to the diameter of a dot
_COMMITTING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


@dataclass(frozen=True, slots=True)
class TokenMark:
    """How the tokens of a list are marked, here as on the plane.

    Parameters
    ----------
    first_colour : int
        The place of the first token's colour among the colours of tokens.
    is_square : bool
        Squares for a list that answers only, dots for one that asks.
    """

    first_colour: int = 0
    is_square: bool = False


class CellEditor(QLineEdit):
    """The line a cell is edited in; it knows what its text must be."""

    def __init__(self, column_title: str, is_number: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = column_title
        self._is_number = is_number
        self.setObjectName("cell_editor")
        self.setFrame(False)
        self.setAccessibleName(column_title)
        self.textEdited.connect(self._forget_refusal)
        if is_number:
            self.setFont(monospaced())
            self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def value(self) -> str | float:
        """Give the name or the number that was typed.

        Raises
        ------
        DocumentError
            If the text is neither.
        """
        if self._is_number:
            return parse_number(self.text(), self._title)
        check_token(self.text())
        return self.text()

    def show_refusal(self, sentence: str) -> None:
        """Mark the text as refused."""
        mark_invalid(self, True)
        self.setToolTip(plain_tooltip(sentence))
        self.setAccessibleDescription(sentence)

    def _forget_refusal(self) -> None:
        mark_invalid(self, False)
        self.setToolTip("")
        self.setAccessibleDescription("")


class CellDelegate(QStyledItemDelegate):
    """Paints the dot, the name and the coordinates when the table asks, and checks what is typed before it is told.

    Signals
    -------
    refused : str
        One sentence why the typed text was not taken.
    """

    refused = Signal(str)

    def __init__(self, rows: TokenModel, parent: QObject) -> None:
        super().__init__(parent)
        self._rows = rows
        self._name_font = QFont()
        self._number_font = QFont()
        self._metrics = QFontMetrics(self._name_font)
        self.mark = TokenMark()
        self.apply_theme(LIGHT)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._text_pen = QPen(QColor(theme.text))
        self._dots = [QColor(colour) for colour in theme.tokens]

    def apply_font(self, font: QFont) -> None:
        """Take the font of the table for names, and a monospaced one of its size for numbers."""
        self._name_font = QFont(font)
        self._number_font = QFont(font)
        self._number_font.setFamilies(monospaced().families())
        self._metrics = QFontMetrics(self._name_font)

    def number_width(self, characters: int) -> int:
        """Give the width of a column whose numbers have at most so many characters."""
        return QFontMetrics(self._number_font).horizontalAdvance("0" * characters) + PADDING + PADDING // 2

    def dot_space(self) -> int:
        """Give the width from the left of a row to its name."""
        return PADDING + self._metrics.height()

    def begin_column(self, painter: QPainter, column: int) -> None:
        """Make a painter ready for the cells of one column."""
        painter.setPen(self._text_pen)
        painter.setFont(self._number_font if column else self._name_font)

    def paint_cell(self, painter: QPainter, rect: QRect, row: int, column: int) -> None:
        """Paint one cell of the column begun; the light behind a row is the table's own."""
        text = self._rows.cell_text(row, column)
        if column:
            painter.drawText(rect.adjusted(0, 0, -PADDING, 0), _RIGHT, text)
            return
        colour = self._dots[(self.mark.first_colour + row) % len(self._dots)]
        paint_dot(painter, rect, self._metrics.height(), colour, is_square=self.mark.is_square)
        painter.setPen(self._text_pen)
        rect = rect.adjusted(self.dot_space(), 0, -PADDING // 2, 0)
        if self._metrics.horizontalAdvance(text) > rect.width():
            text = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, _LEFT, text)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002  # Qt's signature
        """Give a row's height: one line with air above and below."""
        return QSize(self._metrics.averageCharWidth() * 8, self._metrics.height() + 12)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:  # noqa: ARG002
        """Make the line a cell is edited in."""
        title = "a token" if index.column() == 0 else self._rows.column_title(index.column())
        editor = CellEditor(title, index.column() > 0, parent)
        palette = editor.palette()
        for role, colour in (
            (QPalette.ColorRole.Base, self._theme.inset),
            (QPalette.ColorRole.Highlight, self._theme.accent),
            (QPalette.ColorRole.HighlightedText, self._theme.on_accent),
        ):
            palette.setColor(role, QColor(colour))
        editor.setPalette(palette)
        editor.setAutoFillBackground(True)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Put every digit into the line."""
        if isinstance(editor, CellEditor):
            editor.setText(self._rows.edit_text(index.row(), index.column()))

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Let the line fill its cell, beside the dot."""
        rect: QRect = option.rect
        editor.setGeometry(rect.adjusted(self.dot_space() - 4 if index.column() == 0 else 0, 1, 0, -1))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Tell the model what was typed, if anything was."""
        if isinstance(editor, CellEditor) and editor.isModified():
            try:
                model.setData(index, editor.value())
            except DocumentError as error:
                self.refused.emit(str(error))

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """Keep the line open when a committing key meets a text that cannot be; leaving gives it up."""
        if not isinstance(editor, CellEditor) or not editor.isModified():
            return super().eventFilter(editor, event)
        is_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if is_key and event.key() in _COMMITTING_KEYS:  # type: ignore[attr-defined]  # it is a QKeyEvent
            return self._refuses(editor) or super().eventFilter(editor, event)
        is_leaving = isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusOut
        if is_leaving and event.reason() != Qt.FocusReason.PopupFocusReason and self._refuses(editor):  # type: ignore[attr-defined]  # it is a QFocusEvent
            editor.setModified(False)
            self.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.RevertModelCache)
            return False
        return super().eventFilter(editor, event)

    def _refuses(self, editor: CellEditor) -> bool:
        try:
            editor.value()
        except DocumentError as error:
            editor.show_refusal(str(error))
            self.refused.emit(str(error))
            return True
        return False


def paint_dot(painter: QPainter, cell: QRect, line_height: int, colour: QColor, *, is_square: bool = False) -> None:
    """Paint a token's dot, or square, at the left of its cell."""
    diameter = 0.7 * line_height
    centre = QPointF(cell.left() + PADDING + diameter / 2, cell.center().y() + 0.5)
    was_smooth = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    size = _SQUARE * diameter if is_square else diameter
    box = QRectF(centre.x() - size / 2, centre.y() - size / 2, size, size)
    if is_square:
        painter.drawRoundedRect(box, 1.5, 1.5)
    else:
        painter.drawEllipse(box)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, was_smooth)
