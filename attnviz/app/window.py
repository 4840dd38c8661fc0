"""The main window: panels in docks, menus and tool bar, status bar; everything else is wired from here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6.QtCore import QMimeData, QSettings, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QDragEnterEvent, QDropEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMainWindow,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from attnviz.app.actions import ACTIONS, build_actions, build_menus, fill_menus
from attnviz.app.commands.all_commands import Commands
from attnviz.app.docks import PanelDock
from attnviz.app.documents import Documents, Prompts
from attnviz.app.inspecting import InspectorOpening
from attnviz.app.layout import NO_LIMIT, Layout
from attnviz.app.listed_actions import PanelActions, SceneActions
from attnviz.app.mnemonics import with_mnemonics
from attnviz.app.number_menu import NumberMenu
from attnviz.app.pins_menu import PinsMenu
from attnviz.app.presentation import Presentation
from attnviz.app.recent_menu import RecentMenu
from attnviz.app.styling import Appearance
from attnviz.app.wiring import Wiring
from attnviz.document.attn_file import SUFFIX
from attnviz.document.frame import Frame
from attnviz.document.measures import MEASURES, SHOWN_FIRST
from attnviz.document.presets import load_preset, preset_names
from attnviz.document.provenance import pins_in_force
from attnviz.document.state import SCALARS, State
from attnviz.session import Session
from attnviz.views.cell_sentences import sentence
from attnviz.views.controls.view import ControlsView
from attnviz.views.derivation.view import DerivationView
from attnviz.views.film.film_view import FilmView
from attnviz.views.heatmaps import ScoresView, WeightsView
from attnviz.views.inspector.inspector_view import InspectorView
from attnviz.views.panels import PANELS
from attnviz.views.plane.view import PlaneView
from attnviz.views.selection import Chosen, Selection
from attnviz.views.stages.stages_view import StagesView
from attnviz.views.table.table_view import TableView
from attnviz.views.text_line import TextLine
from attnviz.views.tokens.view import TokensView

_MESSAGE_MS = 8000
_SAID_WITH_THEIR_CELL = ("score", "scaled", "masked", "weight", "x", "context", *MEASURES)
_TOOL_TEXTS = {
    "gallery": "▦ Scenes",
    "undo": "↶ Undo",
    "redo": "↷ Redo",
    "import_embeddings": "⇪ Import embeddings",
    "export_figure": "⇩ Export figure",
    "contents": "? Help",
}
_SIGNS = {"undo": "↶", "redo": "↷"}


class MainWindow(QMainWindow):
    """The window of one document."""

    def __init__(self, state: State, settings: QSettings, prompts: Callable[[QWidget], Prompts]) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setDockNestingEnabled(True)
        self.setContentsMargins(8, 0, 8, 0)
        self.setAcceptDrops(True)
        self.settings = settings
        self._said: tuple[object, ...] = ()
        self._message_state: State | None = None
        self.session = Session(state, self)
        self.selection = Selection(self)
        self.panels = {spec.name: spec.kind(self.selection) for spec in PANELS}
        self.plane = cast(PlaneView, self.panels["plane"])
        self.scores = cast(ScoresView, self.panels["scores"])
        self.weights = cast(WeightsView, self.panels["weights"])
        self.tokens = cast(TokensView, self.panels["tokens"])
        self.controls = cast(ControlsView, self.panels["controls"])
        self.derivation = cast(DerivationView, self.panels["derivation"])
        self.film = cast(FilmView, self.panels["film"])
        self.inspector = cast(InspectorView, self.panels["inspector"])
        self.stages = cast(StagesView, self.panels["stages"])
        self.table = cast(TableView, self.panels["table"])
        self.docks = {spec.name: PanelDock(spec, self.panels[spec.name], self) for spec in PANELS}
        self.layout_of_docks = Layout(self, self.docks, settings)
        self.documents = Documents(self.session, prompts(self), settings, self)
        self.appearance = Appearance(tuple(self.panels.values()), settings, self)
        self._build_status_bar()
        self.wiring = Wiring(self.session, self.selection, self.panels, self.tell, self)
        self._scenes = {name: load_preset(name) for name in preset_names()}
        self._menus = build_menus(self)
        self.commands = Commands(self)
        self.actions_by_name = build_actions(self, {spec.name: self.commands.handler(spec) for spec in ACTIONS})
        self._fill_menus()
        self._build_tool_bar()
        self.presentation = Presentation(self, self._menus["View/Presentation"])
        self.inspecting = InspectorOpening(
            self.selection, self.layout_of_docks, self.presentation, self.docks["inspector"], self
        )
        self.layout_of_docks.reset()
        self._connect()
        remembered = self.settings.value("measures", " ".join(SHOWN_FIRST), str)
        self.weights.show_measures(str(remembered).split())
        for line in self.findChildren(QLineEdit):
            line.setAcceptDrops(False)  # a file that falls on it is opened, not written into it
        self.show_frame(self.session.frame)
        self.wiring.show_frame(self.session.frame)

    def show_sized(self, width: int, height: int) -> None:
        """Show the window in a size, with the docks of the first layout."""
        self._show_arranged(QSize(width, height), self.layout_of_docks.share_out)

    def show_remembered(self, width: int, height: int) -> None:
        """Show the window as it was left, or for the first time in a size with the first layout."""
        layout = self.layout_of_docks
        size = layout.restore_geometry() or QSize(width, height)
        self._show_arranged(size, layout.restore_docks if layout.is_remembered else layout.share_out)

    def _show_arranged(self, size: QSize, arrange: Callable[[], object]) -> None:
        """Show the window and arrange its docks, painting it once at the end.

        The style sheet reaches the panels only when they are shown, and makes them smaller: until then the
        layout would take more room than they need, so the size is held while the docks are arranged.
        """
        is_free = not (self.isMaximized() or self.isFullScreen())
        if is_free:
            self.setFixedSize(size)
        self.setUpdatesEnabled(False)
        self.show()
        QApplication.processEvents()
        arrange()
        QApplication.processEvents()
        self.setUpdatesEnabled(True)
        if is_free:
            self.setMinimumSize(0, 0)
            self.setMaximumSize(NO_LIMIT, NO_LIMIT)

    # -- what the session says

    def show_frame(self, frame: Frame) -> None:
        """Follow the document with title, undo names and status bar."""
        session, state = self.session, frame.state
        self.setWindowModified(session.is_modified)
        labels = (session.undo_label, session.redo_label)
        said = (
            self.documents.name,
            state.title,
            *labels,
            state.scale,
            state.is_causal,
            state.plane is None,
            bool(state.interventions),
        )
        if said != self._said:
            self._said = said
            self._show_names(state)
        if self._message.text and state is not self._message_state:
            self._end_message()
        self._pins_menu.show_frame(frame)
        self._facts.show_text(_facts(frame, session.compute_ms))
        self._show_sentence(self.selection.chosen)

    def _show_names(self, state: State) -> None:
        """Set what only some edits change: title, names of undo and redo, check marks."""
        session = self.session
        title = self.documents.name.replace("[*]", "[*][*]")  # doubled, Qt takes its mark for text
        self.setWindowTitle(f"{title}[*] — attnviz")
        self.scene_box.setCurrentIndex(self.scene_box.findText(state.title))
        for name, verb, label in (("undo", "&Undo", session.undo_label), ("redo", "&Redo", session.redo_label)):
            action = self.actions_by_name[name]
            action.setEnabled(label is not None)
            text = f"{verb} {label.replace('&', '&&')}" if label else verb
            action.setText(text)
            action.setIconText(f"{_SIGNS[name]} {text.replace('&', '', 1)}")
        self.actions_by_name["causal"].setChecked(state.is_causal)
        for name, action in self._scale_actions.items():
            action.setChecked(name == state.scale)
        self.actions_by_name["refit"].setEnabled(state.plane is not None)
        self.actions_by_name["release_all"].setEnabled(bool(state.interventions))

    def tell(self, message: str) -> None:
        """Show why something was refused, for a while or until the document changes."""
        self._show_message(message, QPalette.ColorRole.BrightText)

    def announce(self, message: str) -> None:
        """Show what was done, for a while or until the document changes."""
        self._show_message(message, QPalette.ColorRole.WindowText)

    @property
    def message(self) -> str:
        """The message in the status bar; empty if there is none."""
        return self._message.text

    def _show_message(self, message: str, role: QPalette.ColorRole) -> None:
        self.statusBar().clearMessage()  # an action's tip must not stand over it
        self._message_state = self.session.state
        self._message.use_role(role)
        self._message.show_text(message)
        self._message.setVisible(bool(message))
        self._sentence.setVisible(not message)
        if message:
            self._message_timer.start()

    # -- window events

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, then remember the layout."""
        if not self.documents.may_leave():
            event.ignore()
            return
        for dialog in self.findChildren(QDialog):
            dialog.close()  # a reading that runs in one of them ends
        self.controls.stop_sweep()
        self.layout_of_docks.save()
        self.appearance.end_presenting()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take one file."""
        if _dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped file."""
        path = _dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.open_any(path)

    def open_any(self, path: Path) -> None:
        """Open a document; any other file is offered to the import of embeddings."""
        if path.suffix.lower() == SUFFIX:
            self.documents.open_path(path)
        else:
            self.commands.file.import_file(path)

    # -- building

    def _build_status_bar(self) -> None:
        self._sentence = TextLine(
            Qt.AlignmentFlag.AlignLeft, QPalette.ColorRole.PlaceholderText, ground=QPalette.ColorRole.Window, margin=8
        )
        self._message = TextLine(
            Qt.AlignmentFlag.AlignLeft, QPalette.ColorRole.BrightText, ground=QPalette.ColorRole.Window, margin=8
        )
        self._facts = TextLine(
            Qt.AlignmentFlag.AlignRight, QPalette.ColorRole.PlaceholderText, ground=QPalette.ColorRole.Window, margin=8
        )
        self._message.hide()
        self._message_timer = QTimer(self, singleShot=True, interval=_MESSAGE_MS)
        self._message_timer.timeout.connect(self._end_message)
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.addWidget(self._sentence, 3)
        bar.addWidget(self._message, 3)
        bar.addPermanentWidget(self._facts, 2)

    def _build_tool_bar(self) -> None:
        bar = self.tool_bar = QToolBar("Tool Bar", self)
        bar.setObjectName("tool_bar")
        bar.setMovable(False)
        label = QLabel("Scene")
        label.setObjectName("muted")
        self.scene_box = QComboBox()
        self.scene_box.setAccessibleName("Scene")
        self.scene_box.setToolTip("Open one of the ready scenes")
        for name, scene in self._scenes.items():
            self.scene_box.addItem(scene.title, name)
        label.setBuddy(self.scene_box)
        self.scene_box.activated.connect(self._open_scene)
        bar.addWidget(label)
        bar.addWidget(self.scene_box)
        for name, text in _TOOL_TEXTS.items():
            self.actions_by_name[name].setIconText(text)
        spacer = QWidget()
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        for name in ("gallery", "", "undo", "redo", " ", "import_embeddings", "export_figure", "contents"):
            if name.strip():
                bar.addAction(self.actions_by_name[name])
            elif name:
                bar.addWidget(spacer)
            else:
                bar.addSeparator()
        self.addToolBar(bar)
        more = bar.findChild(QToolButton, "qt_toolbar_ext_button")
        if more is not None:
            more.setAccessibleName("More of the tool bar")
            more.setToolTip("What has no room in the tool bar")

    def _fill_menus(self) -> None:
        fill_menus(self._menus, self.actions_by_name)
        PanelActions(self.docks, self._menus["View/Panels"])
        SceneActions(self, self._scenes, self._menus["File/Scenes"]).scene_chosen.connect(self.documents.open_preset)
        self._menus["View/Measures"].addActions(list(self.weights.measures.measure_actions))
        for group in {spec.group for spec in ACTIONS if spec.group}:
            exclusive = QActionGroup(self)
            for spec in ACTIONS:
                if spec.group == group:
                    exclusive.addAction(self.actions_by_name[spec.name])
        self._scale_actions: dict[str, QAction] = {}
        exclusive = QActionGroup(self)
        choices = SCALARS["scale"].choices
        texts = with_mnemonics([label if label != "…" else name.capitalize() for name, label, _ in choices])
        for (name, _, explanation), text in zip(choices, texts, strict=True):
            action = QAction(text, self, checkable=True)
            action.setObjectName(f"scale_{name}")
            action.setStatusTip(explanation)
            action.setToolTip(explanation)
            action.setMenuRole(QAction.MenuRole.NoRole)
            action.setData(name)
            exclusive.addAction(action)
            self._menus["Model/Scale"].addAction(action)
            self._scale_actions[name] = action
        exclusive.triggered.connect(self._choose_scale)
        self.actions_by_name["scores_scaled"].setChecked(True)
        self.actions_by_name["weights_unit"].setChecked(True)
        self._mark_theme()
        RecentMenu(self._menus["File/Recent"], self.documents, self)
        self._pins_menu = PinsMenu(self._menus["Edit/Pins"], self)
        self._pins_menu.number_chosen.connect(self.commands.edit.explain_pin)
        self._pins_menu.pin_released.connect(self.wiring.release_number)
        NumberMenu(self.panels.values(), self.actions_by_name, self)

    def _connect(self) -> None:
        self.session.frame_changed.connect(self.show_frame)
        self.selection.changed.connect(self._show_sentence)
        self.documents.opened.connect(self.film.begin)
        self.documents.opened.connect(self.selection.begin)
        self.documents.opened.connect(self.plane.fit_next)
        self.documents.saved.connect(self.announce)
        self.documents.failed.connect(self.tell)
        self.tokens.import_requested.connect(self.commands.file.import_embeddings)
        self.scores.stage_chosen.connect(self._mark_stage)
        self.weights.range_chosen.connect(self._mark_range)
        self.weights.measures_chosen.connect(self._remember_measures)
        self.derivation.step_explained.connect(self._sentence.show_text)
        self.controls.sweep_changed.connect(self.actions_by_name["sweep"].setChecked)
        self.inspector.copied.connect(self.announce)
        self.stages.opened_changed.connect(self.layout_of_docks.give_stages_room)
        self.table.copy_requested.connect(self.commands.edit.copy_block)
        self.appearance.changed.connect(self._mark_theme)

    # -- slots

    def _open_scene(self, place: int) -> None:
        if not self.documents.open_preset(str(self.scene_box.itemData(place))):
            self._show_names(self.session.state)

    def _choose_scale(self, action: QAction) -> None:
        self.wiring.set_scalar("scale", str(action.data()))

    def _mark_range(self, name: str) -> None:
        self.actions_by_name[f"weights_{name}"].setChecked(True)

    def _mark_stage(self, stage: str) -> None:
        self.actions_by_name[{"scores": "scores_raw"}.get(stage, f"scores_{stage}")].setChecked(True)

    def _mark_theme(self) -> None:
        self.actions_by_name[f"theme_{self.appearance.choice}"].setChecked(True)

    def _show_sentence(self, chosen: Chosen) -> None:
        ref = chosen.pointed_number
        said = "" if ref is None or ref.kind in _SAID_WITH_THEIR_CELL else self.inspector.describe_number(ref)
        self._sentence.show_text(said or sentence(self.session.frame, chosen))

    def _remember_measures(self, names: tuple[str, ...]) -> None:
        self.settings.setValue("measures", " ".join(names))

    def _end_message(self) -> None:
        self.tell("")


def _facts(frame: Frame, compute_ms: float) -> str:
    state = frame.state
    n = str(frame.n_query) if state.context is None else f"{frame.n_query} × {frame.n_key}"
    mask = "causal" if state.is_causal else "none"
    sizes = f"n = {n}   d = {state.width}   d_k = {state.d_k}"
    in_force = len(pins_in_force(frame))
    waiting = len(state.interventions) - in_force
    pins = f"   {in_force:,} pinned" * bool(in_force) + f"   {waiting:,} waiting" * bool(waiting)
    return f"{sizes}   T = {state.temperature:g}   mask {mask}{pins}   {compute_ms:.1f} ms"


def _dropped_file(data: QMimeData) -> Path | None:
    urls = data.urls()
    return Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
