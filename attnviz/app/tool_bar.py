"""The tool bar: the box of ready scenes, the shapes of cross-attention, and the actions that are wanted most often."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QComboBox, QLabel, QStyle, QStyleOptionComboBox, QToolBar, QToolButton, QWidget

from attnviz.document.state import State
from attnviz.views.shape_line import ShapeLine

_SEPARATOR, _GAP = "", " "
_INSET = 4  # pixels that styles leave free around the text of a box
_ORDER = ("gallery", _SEPARATOR, "undo", "redo", _GAP, "import_embeddings", "export_figure", "contents")
_TEXTS = {
    "gallery": "▦ Scenes",
    "undo": "↶ Undo",
    "redo": "↷ Redo",
    "import_embeddings": "⇪ Import embeddings",
    "export_figure": "⇩ Export figure",
    "contents": "? Help",
}


class SceneBox(QComboBox):
    """The ready scenes; of another document it shows the title, elided where it does not fit, which is no choice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own = ""

    def show_title(self, title: str) -> None:
        """Choose the scene of a title; if there is none, show that title."""
        place = self.findText(title, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchCaseSensitive)
        self._own = "" if place >= 0 else title.strip() or "Own document"
        self.setAccessibleDescription(self._own)
        self.setCurrentIndex(place)
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide what is shown to the new width."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width() - _INSET
        text = self.fontMetrics().elidedText(self._own, Qt.TextElideMode.ElideRight, room)
        if text != self.placeholderText():
            self.setPlaceholderText(text)


class SceneToolBar(QToolBar):
    """The only tool bar of a window.

    Parameters
    ----------
    scenes : mapping from name to State
        The ready scenes.
    actions : mapping from name to QAction
        Those of the window; the ones in the bar get a short text for it.
    parent : QWidget
        The window.

    Signals
    -------
    scene_chosen : str
        The name of the scene to open.
    """

    scene_chosen = Signal(str)

    def __init__(self, scenes: Mapping[str, State], actions: Mapping[str, QAction], parent: QWidget) -> None:
        super().__init__("Tool Bar", parent)
        self.setObjectName("tool_bar")
        self.setMovable(False)
        label = QLabel("Scene")
        label.setObjectName("muted")
        self.scene_box = SceneBox()
        self.scene_box.setAccessibleName("Scene")
        self.scene_box.setToolTip("Open one of the ready scenes")
        for name, scene in scenes.items():
            self.scene_box.addItem(scene.title, name)
        label.setBuddy(self.scene_box)
        self.shapes = ShapeLine()
        self.scene_box.activated.connect(self._choose)
        self.addWidget(label)
        self.addWidget(self.scene_box)
        self._add_actions(actions)
        more = self.findChild(QToolButton, "qt_toolbar_ext_button")
        if more is not None:
            more.setAccessibleName("More of the tool bar")
            more.setToolTip("What has no room in the tool bar")

    def show_scene(self, title: str) -> None:
        """Choose the scene of a title in the box; of another document the box shows the title, which is no choice."""
        self.scene_box.show_title(title)

    def _add_actions(self, actions: Mapping[str, QAction]) -> None:
        for name in _ORDER:
            if name == _SEPARATOR:
                self.addSeparator()
            elif name == _GAP:
                self.addWidget(self.shapes)
            else:
                actions[name].setIconText(_TEXTS[name])
                self.addAction(actions[name])

    def _choose(self, place: int) -> None:
        self.scene_chosen.emit(str(self.scene_box.itemData(place)))
