"""The plane: every token where its embedding lies, every output where attention puts it, all by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.document.frame import Frame, has_mixing
from attnviz.document.number_ref import NumberRef
from attnviz.document.provenance import provenance_of
from attnviz.document.state import Side, State
from attnviz.late import late
from attnviz.views.linked_number import LinkedNumber
from attnviz.views.panel import Panel
from attnviz.views.plane.footer import PlaneFooter
from attnviz.views.plane.geometry import convex_hull, within_reach
from attnviz.views.plane.legend import ProjectionLegend
from attnviz.views.plane.projections import PROJECTIONS, projection_scene
from attnviz.views.plane.scene import PlaneScene
from attnviz.views.selection import Chosen, Selection

if TYPE_CHECKING:
    from attnviz.views.plane import canvas as plane_canvas
else:
    plane_canvas = late("attnviz.views.plane.canvas")


class PlaneView(Panel):
    """The plane of embeddings.

    Signals
    -------
    point_dragged : str, int, float, float, int
        The token at a place of a side is to be drawn at (x, y); the last number names the gesture.
    drag_cancelled : int
        The gesture is to be taken back.
    point_added : float, float
        A token is wanted at (x, y).
    tokens_deleted : str, object
        Tokens of a side, by a tuple of places, are to go.
    refit_requested : (nothing)
        The plane is to be fitted anew.
    projections_chosen : bool, str
        Whether queries, keys and values are shown from now on, and the matrix that deforms the grid, empty for none.
    """

    is_of_one_head = True
    point_dragged = Signal(str, int, float, float, int)
    drag_cancelled = Signal(int)
    point_added = Signal(float, float)
    tokens_deleted = Signal(str, object)
    refit_requested = Signal()
    projections_chosen = Signal(bool, str)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent)
        self.footer, self.legend = PlaneFooter(self), ProjectionLegend(self)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addStretch(1)
        self._layout.addWidget(self.legend)
        self._layout.addWidget(self.footer)
        self._canvas: plane_canvas.PlaneCanvas | None = None
        self._fits_next = True
        self._has_images, self._deforming = False, ""  # what is shown of the projections
        self._shown: tuple[object, ...] | None = None  # what of the selection is drawn
        self._compared: Frame | None = None  # the frame that the shown one is compared with
        self.footer.place_entered.connect(self._place)
        self.footer.fit_requested.connect(self.fit)
        self.footer.refit_requested.connect(self.refit_requested)
        self.footer.refused.connect(self.refused)
        self._linked = [LinkedNumber(self, box) for box in (self.footer.x_box, self.footer.y_box)]

    @property
    def canvas(self) -> plane_canvas.PlaneCanvas:
        """The plane itself; made when first needed, and at the latest right after the window's first paint."""
        if self._canvas is None:
            self._canvas = self._made_canvas()
            self._canvas.show()
            self._layout.activate()
            if self.frame is not None:
                self.show_frame(self.frame)
        return self._canvas

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground; the first time, have the canvas made as soon as the window is on the screen."""
        super().paintEvent(event)
        if self._canvas is None:
            QTimer.singleShot(0, self._ensure_canvas)

    def _ensure_canvas(self) -> None:
        self.canvas.setFocus()  # the program's main job is at hand as soon as the window is there

    def _made_canvas(self) -> plane_canvas.PlaneCanvas:
        canvas = plane_canvas.PlaneCanvas(self)
        canvas.token_chosen.connect(self._choose)
        canvas.token_pointed.connect(self._point_at)
        canvas.token_dragged.connect(self._drag)
        canvas.drag_cancelled.connect(self.drag_cancelled)
        canvas.place_double_clicked.connect(self.point_added)
        canvas.delete_pressed.connect(self._delete)
        canvas.apply_theme(self.theme)
        self._layout.takeAt(0)
        self._layout.insertWidget(0, canvas, 1)
        self.setFocusProxy(canvas)
        before = self.footer.x_box.previousInFocusChain()
        while before is not None and before.focusPolicy() == Qt.FocusPolicy.NoFocus:
            before = before.previousInFocusChain()
        if before is not None:
            QWidget.setTabOrder(before, canvas)  # where it would stand had it been made with the rest
        return canvas

    @property
    def shows_projections(self) -> bool:
        """Whether queries, keys and values are shown."""
        return self._has_images

    @property
    def deforming(self) -> str:
        """The matrix that deforms the grid; empty for none."""
        return self._deforming

    def show_projections(self, has_images: bool, deforming: str) -> None:
        """Show queries, keys and values or not, and the grid as a matrix deforms it, or as it is.

        The view makes room for images that lie outside of it.
        """
        chosen = has_images, deforming if deforming in PROJECTIONS else ""
        if chosen != (self._has_images, self._deforming):
            self._has_images, self._deforming = chosen
            if self.frame is not None:
                self._draw(self.frame)
            if has_images and self._canvas is not None and not self._canvas.shows_every_token():
                self._canvas.fit()
            self.projections_chosen.emit(*chosen)

    def take_drag_back(self) -> bool:
        """Take back the drag that goes on; say whether one did."""
        return self._canvas is not None and self._canvas.take_drag_back()

    def fit(self) -> None:
        """Show every token."""
        self.canvas.fit()

    def show_frame(self, frame: Frame) -> None:
        """Draw the tokens, their outputs and the chosen query's weights; the view makes room for a new token."""
        before = None if self._canvas is None else self._canvas.tokens.scene
        self._draw(frame)
        if self._canvas is None:
            return
        scene = self._canvas.tokens.scene
        has_new = before is not None and scene is not None and scene.has_new_tokens(before)
        if self._fits_next or (has_new and not self._canvas.shows_every_token()):
            self._fits_next = False
            self._canvas.fit()

    def show_compared(self, before: Frame | None) -> None:
        """Draw the outputs of another state too, or no longer."""
        if before is not self._compared:
            self._compared = before
            if self.frame is not None and self.isVisible():
                self._draw(self.frame)

    def show_selection(self, chosen: Chosen) -> None:
        """Light the chosen token and draw the lines of the shown query; the view stays where it is."""
        frame, before = self.frame, self._shown
        if frame is None:
            return
        self._shown = _shown(chosen)
        if before is None or before[0] != self._shown[0]:
            self.footer.show_frame(frame, chosen)
        self._link_boxes(frame.state, chosen)
        scene = None if self._canvas is None else self._canvas.tokens.scene
        if self._canvas is not None and scene is not None and before != self._shown:
            self._canvas.show_scene(_with_selection(scene, frame, chosen))

    def _draw(self, frame: Frame) -> None:
        state = frame.state
        self._shown = _shown(self.selection.chosen)
        self.footer.show_frame(frame, self.selection.chosen)
        self._link_boxes(state, self.selection.chosen)
        projected = projection_scene(frame, has_images=self._has_images, deforming=self._deforming)
        compared = ", dotted: those of A" * (_compared(state, self._compared) is not None)
        self.set_subtitle("; ".join(projected.notes) or _subtitle(frame) + compared)
        self.legend.show_scene(projected)
        if self._canvas is None:
            return
        self._canvas.show_projections(projected)
        n_context = 0 if state.context is None else len(state.context)
        self._canvas.show_scene(self._scene(frame, self.selection.chosen))
        self._canvas.setAccessibleDescription(
            f"{len(state.sequence)} tokens" + (f" and {n_context} of the context" if n_context else "")
        )

    def focused_number(self) -> NumberRef | None:
        """Give the coordinate that is being typed, if it is one of the document."""
        return next((link.ref for link in self._linked if link.has_focus), None)

    def _link_boxes(self, state: State, chosen: Chosen) -> None:
        """Name the numbers in the boxes; on a plane through more dimensions they are no coordinates of the document."""
        is_context = chosen.side == "context" and state.context is not None
        tokens = state.context if is_context and state.context is not None else state.sequence
        for i, link in enumerate(self._linked):
            is_coordinate = state.plane is None and i < state.width
            ref = NumberRef("context" if is_context else "x", (min(chosen.token, len(tokens) - 1), i))
            link.ref = ref if is_coordinate else None
            link.show_chosen(chosen)

    def fit_next(self) -> None:
        """Fit the view to the next frame: another document is coming, of which nothing is held yet."""
        self._fits_next = True
        if self._canvas is not None:
            self._canvas.let_go()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        self.legend.apply_theme(theme)
        if self._canvas is not None:
            self._canvas.apply_theme(theme)

    def _scene(self, frame: Frame, chosen: Chosen) -> PlaneScene:
        state, kind = frame.state, outlined(frame)
        outputs = _outlines(frame)
        note = "" if kind else _note(frame)
        query = min(chosen.shown_query, frame.n_query - 1)
        return PlaneScene(
            points=within_reach(state.points(state.sequence.embeddings)),
            context=np.empty((0, 2)) if state.context is None else within_reach(state.points(state.context.embeddings)),
            outputs=None if outputs is None else within_reach(state.points(outputs)),
            hull=convex_hull(within_reach(state.points(frame.v))) if kind == "output" else np.empty((0, 2)),
            names=frame.query_tokens,
            context_names=() if state.context is None else state.context.tokens,
            query=query,
            weights=frame.row(query).weights[0],
            chosen=_chosen_token(chosen, frame),
            lit=_lit(chosen, frame),
            key=_lit_key(chosen, frame),
            note=note,
            compared=_compared(state, self._compared),
            marked_outputs=tuple(np.flatnonzero(provenance_of(frame).affected_rows(kind or "output")).tolist()),
        )

    def _choose(self, is_context: bool, index: int) -> None:
        self.selection.choose_token(_side(is_context), index, is_query=not is_context)

    def _point_at(self, is_context: bool, index: int) -> None:
        is_self = self.frame is not None and self.frame.state.context is None
        place = index if index >= 0 else None
        self.selection.point_at(None if is_context else place, place if is_context or is_self else None)

    def _drag(self, is_context: bool, index: int, x: float, y: float, gesture: int) -> None:
        self.point_dragged.emit(_side(is_context), index, x, y, gesture)

    def _place(self, x: float, y: float) -> None:
        chosen = self.selection.chosen
        self.point_dragged.emit(chosen.side, chosen.token, x, y, -1)

    def _delete(self) -> None:
        self.tokens_deleted.emit(self.selection.chosen.side, (self.selection.chosen.token,))


def outlined(frame: Frame) -> str:
    """Name the outputs that have a place on the plane: those of the layer, else the shown head's own; else nothing.

    Only one head without W_O has its outputs inside the hull of its values: its own are those of the layer then.
    """
    width = frame.state.width
    if has_mixing(frame) and frame.layer_output.shape[1] == width:
        return "layer_output"
    return "output" if frame.output.shape[1] == width else ""


def _outlines(frame: Frame) -> FloatArray | None:
    return {"output": frame.output, "layer_output": frame.layer_output}.get(outlined(frame))


def _note(frame: Frame) -> str:
    n_coordinates = (frame.layer_output if has_mixing(frame) else frame.output).shape[1]
    return f"outputs have {n_coordinates} coordinates, embeddings {frame.state.width}: they lie in another space"


def _subtitle(frame: Frame) -> str:
    plane, kind = frame.state.plane, outlined(frame)
    lists = "" if frame.state.context is None else "● ask, ■ answer — "
    of_which = "the outputs of the layer" if kind == "layer_output" else "the outputs"
    if kind == "output" and has_mixing(frame):
        of_which = "the outputs of the head, before W_O"
    if plane is None:
        pins = frame.state.interventions if kind == "layer_output" else frame.pins
        after_pins = ", ◥ those after pinned numbers" if pins else ""
        return f"{lists or 'drag a token — '}outlines are {of_which}{after_pins}"
    first, second = (100.0 * plane.explained).tolist()
    outlines = f", outlines are {of_which}" if has_mixing(frame) and kind else ""
    return f"{lists}PC 1 {first:.1f} % + PC 2 {second:.1f} % of the variance{outlines}"


def _compared(state: State, before: Frame | None) -> FloatArray | None:
    """Give where the outputs of the compared frame lie on the plane, if they lie in its space."""
    outputs = None if before is None else _outlines(before)
    if outputs is None or outputs.shape[1] != state.width:
        return None
    return within_reach(state.points(outputs))


def _side(is_context: bool) -> Side:
    return "context" if is_context else "sequence"


def _shown(chosen: Chosen) -> tuple[object, ...]:
    """Give what of the selection the plane shows: the chosen token, and what is pointed at."""
    return (chosen.side, chosen.token), chosen.query, chosen.pointed_query, chosen.pointed_key


def _with_selection(scene: PlaneScene, frame: Frame, chosen: Chosen) -> PlaneScene:
    """Give the same scene with other tokens lit: pointing moves no point."""
    query = min(chosen.shown_query, frame.n_query - 1)
    weights = scene.weights if query == scene.query else frame.row(query).weights[0]
    return replace(
        scene,
        query=query,
        weights=weights,
        chosen=_chosen_token(chosen, frame),
        lit=_lit(chosen, frame),
        key=_lit_key(chosen, frame),
    )


def _chosen_token(chosen: Chosen, frame: Frame) -> tuple[bool, int]:
    is_context = chosen.side == "context" and frame.state.context is not None
    return is_context, min(chosen.token, (frame.n_key if is_context else frame.n_query) - 1)


def _lit_key(chosen: Chosen, frame: Frame) -> int | None:
    """Give the key whose line is lit: the pointed one, unless it is the query itself."""
    key = chosen.pointed_key
    is_itself = frame.state.context is None and key == chosen.shown_query
    return None if key is None or key >= frame.n_key or is_itself else key


def _lit(chosen: Chosen, frame: Frame) -> frozenset[tuple[bool, int]]:
    has_context = frame.state.context is not None
    lit = set()
    if chosen.pointed_query is not None and chosen.pointed_query < frame.n_query:
        lit.add((False, chosen.pointed_query))
    if chosen.pointed_key is not None and chosen.pointed_key < frame.n_key:
        lit.add((has_context, chosen.pointed_key))
    return frozenset(lit)
