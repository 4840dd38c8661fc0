"""The canvas of the plane: pyqtgraph's view with zoom and pan, and the hand that grabs a token."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from attnviz._qt import pyqtgraph as pg
from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.views.plane.geometry import FARTHEST, Viewport, on_hundredths, range_around
from attnviz.views.plane.grid import GridPainter
from attnviz.views.plane.hits import next_below, place_of, token_at
from attnviz.views.plane.painters import ScenePainter
from attnviz.views.plane.projection_painter import ProjectionPainter
from attnviz.views.plane.projections import ProjectionScene
from attnviz.views.plane.scene import PlaneScene, Token

_NUDGE, _BIG_NUDGE = 0.01, 0.1
_EDGE_PX = 24.0
_NARROWEST = 1e-12  # the least width of the view
_ZOOM_STEP = 1.25
_NUDGE_PAUSE_MS = 1000
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class PlaneCanvas(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph has no types
    """The plane with its tokens.

    Signals
    -------
    token_chosen : bool, int
        A token was pressed or stepped to: whether it is of the context, and its place.
    token_pointed : bool, int
        The mouse is over a token; the place is -1 when it is over none.
    token_dragged : bool, int, float, float, int
        A token is to lie at (x, y) now; the last number names the gesture.
    drag_cancelled : int
        The gesture is to be taken back.
    place_double_clicked : float, float
        An empty place was double clicked.
    delete_pressed : (nothing)
        The chosen token is to go.
    """

    token_chosen = Signal(bool, int)
    token_pointed = Signal(bool, int)
    token_dragged = Signal(bool, int, float, float, int)
    drag_cancelled = Signal(int)
    place_double_clicked = Signal(float, float)
    delete_pressed = Signal()

    _drag: Token | None = None  # of the class: Qt still hides the canvas when Python has taken it apart

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, useOpenGL=False)
        self.setObjectName("plane_canvas")
        self.setAccessibleName("Plane")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        self.viewport().setMouseTracking(True)
        self._box = pg.ViewBox(enableMenu=False, lockAspect=1.0)
        self._box.disableAutoRange()
        sides = {f"{axis}{end}": sign * 2.0 * FARTHEST for axis in "xy" for end, sign in (("Min", -1), ("Max", 1))}
        self._box.setLimits(**sides, minXRange=_NARROWEST, minYRange=_NARROWEST)
        self.setCentralItem(self._box)
        self.scene().contextMenu = []
        self.grid, self.tokens, self.projections = GridPainter(), ScenePainter(), ProjectionPainter()
        self._window: Viewport | None = None
        self._box.sigRangeChanged.connect(self._forget_window)
        self._box.sigResized.connect(self._forget_window)
        self._grip = (0.0, 0.0)
        self._has_moved = False
        self._was_chosen = False
        self._wanted: tuple[float, float] | None = None
        self._gesture = 0
        self._pointed: Token | None = None
        self._sender = QTimer(self, singleShot=True, interval=0)
        self._sender.timeout.connect(self._send_drag)
        self._nudges = QTimer(self, singleShot=True, interval=_NUDGE_PAUSE_MS)

    # -- what is shown

    def window_shown(self) -> Viewport:
        """The part of the plane that is in view."""
        if self._window is None:
            (left, right), (bottom, top) = self._box.viewRange()
            width, height = max(1.0, self._box.width()), max(1.0, self._box.height())
            self._window = Viewport(left, right, bottom, top, width, height)
        return self._window

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint grid and tokens; nothing of it stands in the graphics scene."""
        self.scene().prepareForPaint()  # the view box takes its new range into account only then, for wheel and pan
        view, ratio = self.window_shown(), self.devicePixelRatioF()
        with QPainter(self.viewport()) as painter:  # ended in any case: Qt crashes on one that is left active
            self.grid.paint(painter, view, ratio)
            self.projections.paint_grid(painter, view, ratio)
            self.tokens.paint(painter, view, ratio)
            if self.tokens.scene is not None:
                self.projections.paint_images(painter, view, ratio, self.tokens.scene)
            self.grid.paint_numbers(painter, self.tokens.taken)

    def painted_texts(self) -> list[tuple[str, QRectF]]:
        """List the numbers of the grid, the names and the note, as painted last, with their boxes."""
        return [*self.grid.texts, *self.tokens.texts]

    def show_scene(self, scene: PlaneScene) -> None:
        """Show a scene; while a token is dragged out of the view, the view follows it.

        A held token is let go when anything else has changed: its place may be another token's now.
        """
        before, self.tokens.scene = self.tokens.scene, scene
        self.viewport().update()
        if self._drag is None:
            return
        if before is not None and not scene.is_same_but_for(self._drag, before):
            self.let_go()
        elif self._has_moved:
            self._keep_in_view(place_of(scene, self._drag))

    def show_projections(self, scene: ProjectionScene) -> None:
        """Show images of the tokens and a deformed grid, or none."""
        if scene is not self.projections.scene:
            self.projections.scene = scene
            self.viewport().update()

    def let_go(self) -> None:
        """End a drag where the token is."""
        self._drag, self._wanted = None, None
        self._sender.stop()
        self.tokens.is_held = False
        self.viewport().update()

    def take_drag_back(self) -> bool:
        """Let go of a held token and ask for its place before; say whether one was held."""
        is_held = self._drag is not None
        if is_held:
            self._cancel_drag()
        return is_held

    def fit(self) -> None:
        """Show everything: tokens, outputs and the origin, with a margin."""
        scene = self.tokens.scene
        if scene is None:
            return
        parts = [scene.points, scene.context, np.zeros((1, 2))] + ([] if scene.outputs is None else [scene.outputs])
        parts += [images.points for images in self.projections.scene.images]
        low, high = range_around(np.concatenate(parts))
        self._box.setRange(xRange=(low[0], high[0]), yRange=(low[1], high[1]), padding=0)

    def shows_every_token(self) -> bool:
        """Tell whether every token of the scene, and every image that is shown, lies in the view."""
        scene, view = self.tokens.scene, self.window_shown()
        if scene is None:
            return True
        images = [one.points for one in self.projections.scene.images]
        every = view.to_pixels(np.concatenate([scene.points, scene.context, *images]))
        return bool(((every >= 0.0) & (every <= (view.width, view.height))).all())

    def zoom(self, factor: float) -> None:
        """Zoom in by ``factor`` about the middle of the view."""
        self._box.scaleBy((1.0 / factor, 1.0 / factor))

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for painter in (self.grid, self.tokens):
            painter.theme, painter.font = theme, self.font()
        self.projections.theme = theme
        self.viewport().update()

    # -- the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grab the token under the mouse, or let the view pan."""
        hit, scene = self._token_at(event.position()), self.tokens.scene
        if event.button() != Qt.MouseButton.LeftButton or hit is None or scene is None:
            super().mousePressEvent(event)
            return
        event.accept()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._was_chosen = scene.chosen == hit
        self._drag, self._has_moved, self._wanted = hit, False, None
        self._gesture += 1
        x, y = self.window_shown().to_pixels(place_of(scene, hit)[np.newaxis])[0].tolist()
        self._grip = (x - event.position().x(), y - event.position().y())
        self.token_chosen.emit(*hit)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the grabbed token, or say which one the mouse is over."""
        if not event.buttons() & Qt.MouseButton.LeftButton and self._drag is not None:
            self.let_go()  # the button was released where the canvas could not know, as under a dialog
        if self._drag is None:
            super().mouseMoveEvent(event)
            if not event.buttons():
                self._point_at(self._token_at(event.position()))
            return
        event.accept()
        self._has_moved = self.tokens.is_held = True
        at = event.position()
        self._wanted = self.window_shown().to_plane(at.x() + self._grip[0], at.y() + self._grip[1])
        self._sender.start()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the token go; a click on a stack of tokens chooses the next of them."""
        if self._drag is None or event.button() != Qt.MouseButton.LeftButton:
            super().mouseReleaseEvent(event)
            return
        event.accept()
        self._send_drag()
        if not self._has_moved and self._was_chosen:
            self._choose_next_below(event.position())
        self.let_go()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ask for a token at an empty place."""
        if event.button() == Qt.MouseButton.LeftButton and self._token_at(event.position()) is None:
            event.accept()
            self.place_double_clicked.emit(*self.window_shown().to_plane(event.position().x(), event.position().y()))
            return
        self.mousePressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Let a held token go: nobody sees it any more."""
        super().hideEvent(event)
        if self._drag is not None:
            self.let_go()

    def leaveEvent(self, event: object) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self._point_at(None)

    # -- the keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Nudge, cancel, delete, fit, zoom, or step to another token."""
        key = Qt.Key(event.key())
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        is_plain = modifiers in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if key in _ARROWS and is_plain:
            self._nudge(*_ARROWS[key], big=bool(modifiers & Qt.KeyboardModifier.ShiftModifier))
        elif key == Qt.Key.Key_Escape and self._drag is not None:
            self._cancel_drag()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
        elif key == Qt.Key.Key_F and is_plain:
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal) and is_plain:
            self.zoom(_ZOOM_STEP)
        elif key == Qt.Key.Key_Minus and is_plain:
            self.zoom(1.0 / _ZOOM_STEP)
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self._step_token(1 if key == Qt.Key.Key_PageDown else -1)
        else:
            event.ignore()
            return
        event.accept()

    # -- helpers

    def _forget_window(self) -> None:
        self._window = None
        self.viewport().update()

    def _send_drag(self) -> None:
        if self._drag is None or self._wanted is None:
            return
        (x, y), self._wanted = self._wanted, None
        self.token_dragged.emit(*self._drag, x, y, self._gesture)

    def _cancel_drag(self) -> None:
        self.let_go()
        self.drag_cancelled.emit(self._gesture)

    def _nudge(self, right: int, up: int, *, big: bool) -> None:
        scene = self.tokens.scene
        if scene is None or self._drag is not None:
            return
        if not self._nudges.isActive():
            self._gesture += 1
        self._nudges.start()
        step = _BIG_NUDGE if big else _NUDGE
        x, y = place_of(scene, scene.chosen).tolist()
        self.token_dragged.emit(
            *scene.chosen, on_hundredths(x + right * step), on_hundredths(y + up * step), self._gesture
        )

    def _step_token(self, by: int) -> None:
        scene = self.tokens.scene
        if scene is None:
            return
        n, total = len(scene.points), len(scene.points) + len(scene.context)
        at = (scene.chosen[1] + (n if scene.chosen[0] else 0) + by) % total
        self._nudges.stop()
        self.token_chosen.emit(at >= n, at - n if at >= n else at)

    def _point_at(self, token: Token | None) -> None:
        if token != self._pointed:
            self._pointed = token
            is_context, index = token if token is not None else (False, -1)
            self.token_pointed.emit(is_context, index)
            shape = Qt.CursorShape.ArrowCursor if token is None else Qt.CursorShape.OpenHandCursor
            self.viewport().setCursor(shape)

    def _token_at(self, position: QPointF) -> Token | None:
        """Give the token that a press takes, if one is there."""
        scene = self.tokens.scene
        return None if scene is None else token_at(scene, self.window_shown(), position)

    def _choose_next_below(self, position: QPointF) -> None:
        scene = self.tokens.scene
        below = None if scene is None else next_below(scene, self.window_shown(), position)
        if below is not None:
            self.token_chosen.emit(*below)

    def _keep_in_view(self, place: FloatArray) -> None:
        view = self.window_shown()
        x, y = view.to_pixels(place[np.newaxis])[0].tolist()
        right = min(0.0, x - _EDGE_PX) + max(0.0, x - view.width + _EDGE_PX)
        down = min(0.0, y - _EDGE_PX) + max(0.0, y - view.height + _EDGE_PX)
        if right or down:
            scale = view.pixels_per_unit
            self._box.translateBy(x=right / scale, y=-down / scale)
