"""A row of buttons of which one is down: a choice with all its options in sight, or folded where it is narrow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from attnviz.views.hints import plain_tooltip

_AROUND_FOLDED = 42  # what the style puts around the text of a list that is folded


class Segments(QWidget):
    """Buttons side by side; left and right arrows go from one to the next.

    Where there is no room for all of them (large text, a narrow panel) they fold into a list that opens.

    Parameters
    ----------
    options : sequence of (name, label, help)
        The choices, in order.

    Signals
    -------
    chosen : str
        The user chose the option of this name.
    """

    chosen = Signal(str)

    def __init__(self, options: Sequence[tuple[str, str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options = tuple(options)
        self._names = [name for name, _, _ in options]
        self._group = QButtonGroup(self)
        self._folded: QComboBox | None = None
        self._is_folded = self._is_folding = False
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(0)
        for place, (_, label, explanation) in enumerate(options):
            button = QToolButton(self)
            button.setObjectName("segment")
            button.setText(label.replace("&", "&&"))
            button.setToolTip(explanation)
            button.setAccessibleName(label)
            button.setAccessibleDescription(explanation)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setProperty("place", _place(place, len(options)))
            self._group.addButton(button, place)
            self._line.addWidget(button, 1)
        self._group.buttonClicked.connect(self._clicked)

    @property
    def is_folded(self) -> bool:
        """Whether only the chosen option is in sight, in a list that opens."""
        return self._is_folded

    @property
    def choice(self) -> str:
        """The name of the option that is chosen."""
        return self._names[self._group.checkedId()]

    def show_choice(self, name: str) -> None:
        """Press the button of ``name``, or none of them for an empty name; emits nothing."""
        place = self._names.index(name) if name else -1
        button = self._group.button(place) if name else self._group.checkedButton()
        if button is not None and button.isChecked() != bool(name):
            self._group.setExclusive(bool(name))  # an exclusive group keeps one of its buttons down
            button.setChecked(bool(name))
            self._group.setExclusive(True)
        if self._folded is not None:
            self._folded.setCurrentIndex(place)

    def sizeHint(self) -> QSize:
        """Give the room of all buttons side by side."""
        hints = [button.sizeHint() for button in self._group.buttons()]
        return QSize(sum(hint.width() for hint in hints), max(hint.height() for hint in hints))

    def minimumSizeHint(self) -> QSize:
        """Give the room of the longest option alone."""
        metrics = self.fontMetrics()
        longest = max(metrics.horizontalAdvance(label) for _, label, _ in self._options)
        return QSize(min(longest + _AROUND_FOLDED, self._unfolded_width()), self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Fold or unfold when the buttons ask for another size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fold_or_unfold()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold where the buttons would be cut."""
        super().resizeEvent(event)
        self._fold_or_unfold()

    def _unfolded_width(self) -> int:
        return sum(button.minimumSizeHint().width() for button in self._group.buttons())

    def _fold_or_unfold(self) -> None:
        if self._is_folding:
            return  # hiding and showing ask for a new layout, which would come back here half way
        self._is_folding = True
        for _ in range(2):  # the width may have changed on the way
            is_narrow = self.width() < self._unfolded_width()
            if is_narrow != self._is_folded:
                self._fold(is_narrow=is_narrow)
        self._is_folding = False

    def _fold(self, *, is_narrow: bool) -> None:
        self._is_folded = is_narrow
        has_focus = any(child.hasFocus() for child in self.findChildren(QWidget))
        if self._folded is None:
            self._folded = self._made_list()
        for button in self._group.buttons():
            button.setVisible(not is_narrow)
        self._folded.setVisible(is_narrow)
        self._line.activate()
        if has_focus:
            now: QWidget = self._folded if is_narrow else self._group.button(self._folded.currentIndex())
            now.setFocus()

    def _made_list(self) -> QComboBox:
        made = QComboBox(self)
        made.setAccessibleName(self.accessibleName())
        made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        made.setMinimumContentsLength(1)
        for place, (_, label, explanation) in enumerate(self._options):
            made.addItem(label)
            made.setItemData(place, plain_tooltip(explanation), Qt.ItemDataRole.ToolTipRole)
        made.setToolTip(self.accessibleDescription() or self.accessibleName())
        made.setCurrentIndex(self._group.checkedId())
        made.activated.connect(self._activated)
        self._line.addWidget(made, 1)
        return made

    def _clicked(self, button: QAbstractButton) -> None:
        self.chosen.emit(self._names[self._group.id(button)])

    def _activated(self, place: int) -> None:
        self._group.button(place).setChecked(True)
        self.chosen.emit(self._names[place])


def _place(index: int, count: int) -> str:
    if index == 0:
        return "first"
    return "last" if index == count - 1 else "middle"
