"""The wiring of the mask: switches, tools and painted cells become edits; both heatmaps are painted on, or none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt, Signal

from attnviz.app.wiring import Wiring
from attnviz.document import layer_edits
from attnviz.document.arrays import BoolArray
from attnviz.document.tokens import shortened
from attnviz.late import late
from attnviz.views.heatmaps import HeatmapPanel
from attnviz.views.mask.mask_view import MaskView
from attnviz.views.panel import Panel

if TYPE_CHECKING:
    from attnviz.app import mask_dialog
else:
    mask_dialog = late("attnviz.app.mask_dialog")

_LONGEST_NAME = 20


class MaskWiring(QObject):
    """Connects the panel of the mask and the brushes of the heatmaps with one session.

    Parameters
    ----------
    wiring : Wiring
        Applies edits, and tells refusals.
    panels : mapping from name to Panel
        All panels.
    tell : callable
        Shows one sentence to the user.
    ask_path : callable
        Asks for the file of a mask; ``None`` for none.

    Signals
    -------
    painting_changed : bool
        Painting began, or ended.
    """

    painting_changed = Signal(bool)

    def __init__(
        self,
        wiring: Wiring,
        panels: Mapping[str, Panel],
        tell: Callable[[str], None],
        ask_path: Callable[[], Path | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._wiring, self._tell, self._ask_path = wiring, tell, ask_path
        self._mask = cast(MaskView, panels["mask"])
        self._heatmaps = tuple([cast(HeatmapPanel, panels[name]) for name in ("weights", "scores")])
        self.is_painting = False
        self._mask.padding_switched.connect(self.set_padding)
        self._mask.invert_requested.connect(self.invert)
        self._mask.clear_requested.connect(self.clear)
        self._mask.import_requested.connect(self.ask_and_import)
        self._mask.painting_switched.connect(self.switch_painting)
        self._mask.sink_entered.connect(self._set_sink)
        self._mask.reroll_requested.connect(self.reroll)
        for heatmap in self._heatmaps:
            heatmap.cells_painted.connect(self._paint)
            heatmap.painting_taken_back.connect(self._take_back)
            heatmap.painting_ended.connect(self.end_painting)

    def set_padding(self, key: int, is_padding: bool) -> None:
        """Make a key padding, or a real token again."""
        name = shortened(self._wiring.session.state.key_sequence.tokens[key], _LONGEST_NAME)
        label = f"Make “{name}” Padding" if is_padding else f"Make “{name}” Real"
        self._wiring.apply(partial(layer_edits.set_padding, is_padding=is_padding), key, label=label)

    def invert(self) -> None:
        """Allow what the mask bans, and ban what it allows."""
        self._wiring.apply(layer_edits.invert_mask, label="Invert Mask")

    def clear(self) -> None:
        """Take the mask away."""
        self._wiring.apply(layer_edits.clear_mask, label="Clear Mask")

    def reroll(self) -> None:
        """Drop other weights."""
        state = self._wiring.session.state
        if not state.dropout:
            self._tell("To roll dropout again its rate must be above 0, got 0.")
            return
        self._wiring.set_scalar("dropout_seed", (state.dropout_seed + 1) % (1 << 31))

    def ask_and_import(self) -> None:
        """Ask for a file, and show both readings of the mask in it."""
        path = self._ask_path()
        if path is not None:
            self.import_file(path)

    def import_file(self, path: Path) -> None:
        """Show both readings of the mask in a file."""
        frame = self._wiring.session.frame
        dialog = mask_dialog.MaskDialog(path, (frame.n_query, frame.n_key), self._mask.theme, self._mask.window())
        dialog.imported.connect(self._take_mask)
        dialog.open()

    def switch_painting(self, is_on: bool) -> None:
        """Begin to paint the mask on the heatmaps, with the keyboard in one of them, or end it."""
        if is_on == self.is_painting:
            return
        self.is_painting = is_on
        for heatmap in self._heatmaps:
            heatmap.show_painting(is_on)
        self._mask.show_painting(is_on)
        if is_on:
            visible = next((heatmap for heatmap in self._heatmaps if heatmap.isVisible()), None)
            if visible is not None and not any(heatmap.matrix.hasFocus() for heatmap in self._heatmaps):
                visible.setFocus(Qt.FocusReason.OtherFocusReason)
        self.painting_changed.emit(is_on)

    def end_painting(self) -> None:
        """Let the heatmaps choose cells again."""
        self.switch_painting(False)

    def _paint(self, cells: tuple[tuple[int, int], ...], is_visible: bool, gesture: int) -> None:
        edit = partial(layer_edits.set_visible, is_visible=is_visible)
        self._wiring.apply(edit, cells, label="Paint Mask", merge=self._gesture_of(self.sender(), gesture))
        state = self._wiring.session.state
        if is_visible and state.padding is not None and all(state.padding[key] for _, key in cells):
            name = shortened(state.key_sequence.tokens[cells[-1][1]], _LONGEST_NAME)
            self._tell(f"“{name}” must be a real token to be seen, got padding; its switch is in the panel Mask.")

    def _take_back(self, gesture: int) -> None:
        self._wiring.session.take_back(self._gesture_of(self.sender(), gesture))

    def _gesture_of(self, heatmap: QObject, gesture: int) -> tuple[str, int, int]:
        place = next(place for place, each in enumerate(self._heatmaps) if each is heatmap)
        return "paint", place, gesture

    def _set_sink(self, head: int, logit: float, gesture: int) -> None:
        label = "Set Sink" if self._wiring.session.frame.n_heads == 1 else f"Set Sink of Head {head + 1}"
        self._wiring.apply(layer_edits.set_sink, head, logit, label=label, merge=("sink", head, gesture))

    def _take_mask(self, allowed: BoolArray, name: str) -> None:
        self._wiring.apply_from_file(name, layer_edits.set_mask_array, allowed, label="Import Mask")
