"""The timeline of the film: a slider over all steps whose groove is cut into its stages."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractSlider, QSlider, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.film import Chapter

_GROOVE = 6.0
_RING = 8.0
_EDGE = _RING + 3.0
_CUT = 4.0


class Timeline(QSlider):
    """A slider over the steps of a film.

    Each stage has the same width, however many steps it has, so that none is too narrow to be found; a press on a
    stage goes to the step under the mouse. Arrow keys go one step, Page Up and Page Down to the stage before and
    after, Home and End to the ends.

    Signals
    -------
    step_wanted : int
        The user moved the slider to this step.
    """

    step_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._chapters: tuple[Chapter, ...] = ()
        self._theme = LIGHT
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSingleStep(1)
        self.setAccessibleName("Step of the film")
        self.setToolTip("Drag to any step; arrow keys go one step, Page Up and Page Down to the next stage")
        self.actionTriggered.connect(self._take_action)

    def show_film(self, chapters: tuple[Chapter, ...], index: int) -> None:
        """Show stages and the step; emits no intent."""
        if chapters != self._chapters:
            self._chapters = chapters
            self.setRange(0, chapters[-1].stop - 1)
            self.update()
        self.setValue(index)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Give room for the groove and the names of the stages."""
        return QSize(320, round(2 * _RING + 10 + self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        """Give the least size that can be scrubbed."""
        return QSize(120, self.sizeHint().height())

    def x_of(self, index: int) -> float:
        """Give where a step stands on the groove, in pixels from the left."""
        for i, chapter in enumerate(self._chapters):
            if index < chapter.stop:
                start, width = self._stretch(i)
                length = chapter.stop - chapter.start
                return start + width * (index - chapter.start + 0.5) / length
        return _EDGE

    def index_at(self, x: float) -> int:
        """Give the step that stands at a place on the groove, the nearest one beyond its ends."""
        for i, chapter in enumerate(self._chapters):
            start, width = self._stretch(i)
            if x < start + width + _CUT / 2 or i == len(self._chapters) - 1:
                length = chapter.stop - chapter.start
                part = int((x - start) / max(1.0, width) * length)
                return chapter.start + max(0, min(length - 1, part))
        return 0

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the step under the mouse."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.setSliderDown(True)
        self._go(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scrub."""
        if self.isSliderDown():
            self._go(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if event.button() == Qt.MouseButton.LeftButton and self.isSliderDown():
            self.setSliderDown(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go by stages with the page keys; leave keys with modifiers, and Space, to the panel."""
        page = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}.get(Qt.Key(event.key()))
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or page is not None:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the stages, how much of each has passed, their names, and the ring."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, ring = self._theme, self.x_of(self.sliderPosition())
        middle = _RING + 4.0
        for i, chapter in enumerate(self._chapters):
            start, width = self._stretch(i)
            groove = QRectF(start, middle - _GROOVE / 2, width, _GROOVE)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.border))
            painter.drawRoundedRect(groove, _GROOVE / 2, _GROOVE / 2)
            passed = min(width, max(0.0, ring - start))
            if passed > 0:
                painter.setBrush(QColor(theme.accent))
                painter.drawRoundedRect(QRectF(start, groove.top(), passed, _GROOVE), _GROOVE / 2, _GROOVE / 2)
            is_now = chapter.start <= self.sliderPosition() < chapter.stop
            text = f"{i + 1} {chapter.brief}" if self._has_names() else str(i + 1)
            self._write_name(painter, text, start, width, is_now=is_now)
        painter.setPen(QPen(QColor(theme.accent), 2.5))
        painter.setBrush(QColor(theme.accent_soft if self.isSliderDown() else theme.panel))
        painter.drawEllipse(QPointF(ring, middle), _RING - 1.5, _RING - 1.5)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(ring, middle), _RING + 2.0, _RING + 2.0)
        painter.end()

    def _has_names(self) -> bool:
        """Tell whether the names of all stages fit; otherwise they are numbered only."""
        metrics, (_, width) = QFontMetrics(self._bold()), self._stretch(0)
        return all(metrics.horizontalAdvance(f"0 {chapter.brief}") <= width + 12 for chapter in self._chapters)

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setBold(True)
        return font

    def _write_name(self, painter: QPainter, text: str, start: float, width: float, *, is_now: bool) -> None:
        metrics = self.fontMetrics()
        font = self._bold() if is_now else self.font()
        painter.setFont(font)
        painter.setPen(QColor(self._theme.accent_text if is_now else self._theme.muted))
        box = QRectF(start - 6, 2 * _RING + 8, width + 12, metrics.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _stretch(self, i: int) -> tuple[float, float]:
        n = max(1, len(self._chapters))
        width = (self.width() - 2 * _EDGE - (n - 1) * _CUT) / n
        return _EDGE + i * (width + _CUT), width

    def _go(self, x: float) -> None:
        before = self.sliderPosition()
        self.setSliderPosition(self.index_at(x))
        if self.sliderPosition() == before:
            self.update()

    def _take_action(self, action: int) -> None:
        if QAbstractSlider.SliderAction(action) != QAbstractSlider.SliderAction.SliderNoAction:
            self.step_wanted.emit(self.sliderPosition())
