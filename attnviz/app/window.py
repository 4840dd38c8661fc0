"""The main window: panels in docks, menus and tool bar, status bar; everything else is wired from here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6.QtCore import QMimeData, QSettings, QSize
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMainWindow, QWidget

from attnviz.app.actions import ACTIONS
from attnviz.app.bottom_area import NO_LIMIT
from attnviz.app.choice_menus import ChoiceMenus, values_in_menus
from attnviz.app.commands.all_commands import Commands
from attnviz.app.compare_wiring import CompareWiring
from attnviz.app.docks import PanelDock
from attnviz.app.documents import Documents, Prompts
from attnviz.app.heads_wiring import HeadsWiring
from attnviz.app.inspecting import InspectorOpening
from attnviz.app.layout import Layout
from attnviz.app.listed_actions import GridActions, PanelActions, SceneActions
from attnviz.app.lists_wiring import ListsWiring
from attnviz.app.mask_wiring import MaskWiring
from attnviz.app.menus import build_actions, build_menus, fill_menus
from attnviz.app.number_menu import NumberMenu
from attnviz.app.pins_menu import PinsMenu
from attnviz.app.presentation import Presentation
from attnviz.app.recent_menu import RecentMenu
from attnviz.app.status_line import StatusLine
from attnviz.app.styling import Appearance
from attnviz.app.tool_bar import SceneToolBar
from attnviz.app.wiring import Wiring
from attnviz.document.attn_file import SUFFIX
from attnviz.document.frame import Frame
from attnviz.document.measures import SHOWN_FIRST
from attnviz.document.presets import load_preset, preset_names
from attnviz.document.state import State
from attnviz.session import Session
from attnviz.views.compare.compare_view import CompareView
from attnviz.views.controls.view import ControlsView
from attnviz.views.derivation.view import DerivationView
from attnviz.views.film.film_view import FilmView
from attnviz.views.heads.heads_view import HeadsView
from attnviz.views.heatmaps import ScoresView, WeightsView
from attnviz.views.inspector.inspector_view import InspectorView
from attnviz.views.matrices.matrices_view import MatricesView
from attnviz.views.panels import PANELS
from attnviz.views.permutation.permutation_view import PermutationView
from attnviz.views.plane.view import PlaneView
from attnviz.views.selection import Selection
from attnviz.views.stages.stages_view import StagesView
from attnviz.views.table.table_view import TableView
from attnviz.views.tokens.view import TokensView

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
        self.matrices = cast(MatricesView, self.panels["matrices"])
        self.permutation = cast(PermutationView, self.panels["permutation"])
        self.docks = {spec.name: PanelDock(spec, self.panels[spec.name], self) for spec in PANELS}
        self.layout_of_docks = Layout(self, self.docks, settings)
        self.documents = Documents(self.session, prompts(self), settings, self)
        self.appearance = Appearance(tuple(self.panels.values()), settings, self)
        self.status_line = StatusLine(
            self.statusBar(), self.session, self.selection, self.inspector.describe_number, self
        )
        self._wire()
        self._scenes = {name: load_preset(name) for name in preset_names()}
        self._menus = build_menus(self)
        self.commands = Commands(self)
        self.actions_by_name = build_actions(self, {spec.name: self.commands.handler(spec) for spec in ACTIONS})
        self._fill_menus()
        self.tool_bar = SceneToolBar(self._scenes, self.actions_by_name, self)
        self.scene_box = self.tool_bar.scene_box
        self.addToolBar(self.tool_bar)
        self.presentation = Presentation(self, self._menus["View/Presentation"])
        self.heads_wiring.panel_wanted.connect(self.presentation.bring_forward)
        self.inspecting = InspectorOpening(
            self.selection, self.layout_of_docks, self.presentation, self.docks["inspector"], self
        )
        self.layout_of_docks.reset()
        self._connect()
        remembered = self.settings.value("measures", " ".join(SHOWN_FIRST), str)
        self.weights.show_measures(str(remembered).split())
        has_images, deforming = settings.value("plane/projections", False, bool), settings.value("plane/grid", "", str)
        self.plane.show_projections(bool(has_images), str(deforming))
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
            values_in_menus(state),
            state.context is None,
            state.plane is None,
            bool(state.interventions),
        )
        if said != self._said:
            self._said = said
            self._show_names(state)
        self._pins_menu.show_frame(frame)
        self.tool_bar.shapes.show_frame(frame)
        self.status_line.show_frame(frame)

    def _show_names(self, state: State) -> None:
        """Set what only some edits change: title, names of undo and redo, check marks."""
        session = self.session
        title = self.documents.name.replace("[*]", "[*][*]")  # doubled, Qt takes its mark for text
        self.setWindowTitle(f"{title}[*] — attnviz")
        self.tool_bar.show_scene(state.title)
        for name, verb, label in (("undo", "&Undo", session.undo_label), ("redo", "&Redo", session.redo_label)):
            action = self.actions_by_name[name]
            action.setEnabled(label is not None)
            text = f"{verb} {label.replace('&', '&&')}" if label else verb
            action.setText(text)
            action.setIconText(f"{_SIGNS[name]} {text.replace('&', '', 1)}")
        self.actions_by_name["causal"].setChecked(state.is_causal)
        self.actions_by_name["cross"].setChecked(state.context is not None)
        self._choice_menus.show_state(state)
        self.actions_by_name["refit"].setEnabled(state.plane is not None)
        self.actions_by_name["release_all"].setEnabled(bool(state.interventions))

    def tell(self, message: str) -> None:
        """Show why something was refused, for a while or until the document changes."""
        self.status_line.tell(message)

    def announce(self, message: str) -> None:
        """Show what was done, for a while or until the document changes."""
        self.status_line.announce(message)

    @property
    def message(self) -> str:
        """The message in the status bar; empty if there is none."""
        return self.status_line.message.text

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

    def _wire(self) -> None:
        """Connect the panels with the session."""
        panels = self.panels
        self.wiring = Wiring(self.session, self.selection, panels, self.tell, self)
        compare = cast(CompareView, panels["compare"])
        self.comparing = CompareWiring(self.wiring, compare, self.docks["compare"], self.plane, self)
        self.lists = ListsWiring(self.wiring, panels, self.announce, self)
        self.heads_wiring = HeadsWiring(self.wiring, cast(HeadsView, panels["heads"]), self)
        self.mask_wiring = MaskWiring(self.wiring, panels, self.tell, self.documents.ask_mask_path, self)

    def _fill_menus(self) -> None:
        fill_menus(self._menus, self.actions_by_name)
        PanelActions(self.docks, self._menus["View/Panels"])
        SceneActions(self, self._scenes, self._menus["File/Scenes"]).scene_chosen.connect(self.documents.open_preset)
        self._menus["View/Measures"].addActions(list(self.weights.measures.measure_actions))
        causal = self.actions_by_name["causal"]
        self._choice_menus = ChoiceMenus(self, self._menus["Model"], causal, self._menus["Model/Scale"])
        self._choice_menus.scalar_chosen.connect(self._set_scalar)
        self._menus["Lab/Parts"].addActions(list(self.matrices.parts.part_actions))
        self._grid_actions = GridActions(self, self._menus["View/Projections"])
        self._grid_actions.grid_chosen.connect(self._show_grid)
        self._grid_actions.show_chosen("")
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
        self.selection.changed.connect(self.status_line.show_chosen)
        self.documents.opened.connect(self.film.begin)
        self.documents.opened.connect(self.permutation.begin)
        self.documents.opened.connect(self.selection.begin)
        self.documents.opened.connect(self.plane.fit_next)
        self.documents.saved.connect(self.announce)
        self.documents.failed.connect(self.tell)
        self.tokens.import_requested.connect(self.commands.file.import_embeddings)
        self.scores.stage_chosen.connect(self._mark_stage)
        self.weights.range_chosen.connect(self._mark_range)
        self.weights.measures_chosen.connect(self._remember_measures)
        self.plane.projections_chosen.connect(self._mark_projections)
        self.derivation.step_explained.connect(self.status_line.sentence.show_text)
        self.tool_bar.scene_chosen.connect(self._open_scene)
        self.controls.sweep_changed.connect(self.actions_by_name["sweep"].setChecked)
        self.inspector.copied.connect(self.announce)
        self.wiring.matrices.copied.connect(self.announce)
        self.stages.opened_changed.connect(self.layout_of_docks.give_stages_room)
        self.table.copy_requested.connect(self.commands.edit.copy_block)
        self.appearance.changed.connect(self._mark_theme)
        self.mask_wiring.painting_changed.connect(self.actions_by_name["paint_mask"].setChecked)
        self.documents.opened.connect(self.mask_wiring.end_painting)
        self.appearance.changed.connect(self.layout_of_docks.follow_text)
        self.appearance.changed.connect(self._colour_shapes)
        self._colour_shapes()

    # -- slots

    def _open_scene(self, name: str) -> None:
        if not self.documents.open_preset(name):
            self._show_names(self.session.state)

    def _set_scalar(self, key: str, value: str | bool) -> None:
        self.wiring.set_scalar(key, value)
        self._choice_menus.show_state(self.session.state)  # what was refused is not chosen

    def _mark_range(self, name: str) -> None:
        self.actions_by_name[f"weights_{name}"].setChecked(True)

    def _mark_stage(self, stage: str) -> None:
        self.actions_by_name[{"scores": "scores_raw"}.get(stage, f"scores_{stage}")].setChecked(True)

    def _show_grid(self, name: str) -> None:
        self.plane.show_projections(self.plane.shows_projections, name)

    def _mark_projections(self, has_images: bool, deforming: str) -> None:
        self.actions_by_name["projections"].setChecked(has_images)
        self._grid_actions.show_chosen(deforming)
        self.settings.setValue("plane/projections", has_images)
        self.settings.setValue("plane/grid", deforming)

    def _colour_shapes(self) -> None:
        self.tool_bar.shapes.apply_theme(self.appearance.theme)

    def _mark_theme(self) -> None:
        self.actions_by_name[f"theme_{self.appearance.choice}"].setChecked(True)

    def _remember_measures(self, names: tuple[str, ...]) -> None:
        self.settings.setValue("measures", " ".join(names))


def _dropped_file(data: QMimeData) -> Path | None:
    urls = data.urls()
    return Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
