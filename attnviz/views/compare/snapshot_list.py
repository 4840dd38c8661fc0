"""The list of snapshots: names in a line, of which the chosen one is A."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QListWidget, QListWidgetItem, QWidget

_AROUND_NAME = 14  # what the style puts above and below a name


class SnapshotList(QListWidget):
    """Names side by side; F2 or a double click renames one, Del asks to forget it.

    Signals
    -------
    snapshot_chosen : int
        The user chose the snapshot at this place.
    snapshot_renamed : int, str
        The snapshot at this place is to have this name; the list shows the old one until it has.
    snapshot_deleted : int
        The snapshot at this place is to be forgotten.
    """

    snapshot_chosen = Signal(int)
    snapshot_renamed = Signal(int, str)
    snapshot_deleted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self._marked = -1
        self.setObjectName("chips")
        self.setAccessibleName("Snapshots")
        self.setToolTip("The states that were held; the marked one is A (F2 renames, Del forgets)")
        self.setFlow(QListView.Flow.LeftToRight)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked)
        self.itemDelegate().commitData.connect(self._rename)
        self._fit()

    @property
    def marked(self) -> int:
        """The place of the snapshot that is A; -1 where there is none."""
        return self._marked

    def show_names(self, names: tuple[str, ...], row: int) -> None:
        """List these names and mark one; emits nothing."""
        self._names, self._marked = names, row
        self.clear()
        for name in names:
            item = QListWidgetItem(name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self.addItem(item)
        self.setCurrentRow(row)
        self.scrollToItem(self.currentItem())

    def event(self, event: QEvent) -> bool:
        """Keep F2 and Del, which rename and delete tokens elsewhere in the window."""
        is_asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_asked and cast(QKeyEvent, event).key() in (Qt.Key.Key_F2, Qt.Key.Key_Delete):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask to forget the marked snapshot on Del, and choose what the arrow keys go to."""
        if event.key() == Qt.Key.Key_Delete and self._names:
            self.snapshot_deleted.emit(self.currentRow())
        else:
            super().keyPressEvent(event)
            self._tell_chosen()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose what the mouse went to."""
        super().mouseReleaseEvent(event)
        self._tell_chosen()

    def changeEvent(self, event: QEvent) -> None:
        """Stay as high as a line of text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self.fontMetrics().height() + _AROUND_NAME)

    def _tell_chosen(self) -> None:
        row = self.currentRow()
        if row != self._marked:
            self._marked = row
            self.snapshot_chosen.emit(row)

    def _rename(self) -> None:
        row, item = self.currentRow(), self.currentItem()
        if item is None or item.text() == self._names[row]:
            return
        name = item.text()
        item.setText(self._names[row])  # what is refused must not stay
        self.snapshot_renamed.emit(row, name)
