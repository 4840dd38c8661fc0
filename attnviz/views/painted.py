"""Which texts a widget paints, and where: found by letting it and all in it paint on a device that only listens.

A text that is drawn is heard as it is drawn, after any elision, whoever draws it. Widgets that lay down ready
pictures with words on them tell those themselves, by a method ``painted_texts`` or ``pictured_texts``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPaintDevice, QPaintEngine, QPainterPath, QTextItem
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class SeenText:
    """One text that was painted.

    Parameters
    ----------
    text : str
        What is drawn.
    box : QRectF
        Its width by the height of its ink, in the coordinates of the widget that was asked.
    visible : QRectF
        What of the box is not cut off.
    widget : QWidget
        On which widget it is.
    """

    text: str
    box: QRectF
    visible: QRectF
    widget: QWidget


def texts_painted_by(widget: QWidget) -> list[SeenText]:
    """List the texts that a visible widget and all in it paint.

    Parameters
    ----------
    widget : QWidget
        Any widget that is shown.

    Returns
    -------
    list of SeenText
        Blanks are left out.
    """
    heard = _listener().listen_to(widget)
    told = dict(_telling(widget, "painted_texts"))
    found = [seen for seen in heard if _teller_of(seen.widget, told) is None]
    for teller, texts in (*told.items(), *_telling(widget, "pictured_texts")):
        corner, whole = _place_in(widget, teller)
        for text, box in texts:
            moved = box.translated(QPointF(corner))
            found.append(SeenText(text, moved, moved.intersected(whole), teller))
    return [seen for seen in found if seen.text.strip()]


def _telling(widget: QWidget, method: str) -> Iterator[tuple[QWidget, list[tuple[str, QRectF]]]]:
    """Give the widgets that tell texts themselves, and what they tell; the one that was asked is only listened to."""
    for each in (widget, *widget.findChildren(QWidget)):
        tell: Callable[[], list[tuple[str, QRectF]]] | None = getattr(each, method, None)
        asks_back = method == "painted_texts" and hasattr(each, "offer_frame")
        if tell is not None and not asks_back and each.isVisible():
            yield each, tell()


def _place_in(widget: QWidget, inner: QWidget) -> tuple[QPoint, QRectF]:
    """Give where a widget lies in another, and what of it is inside of all that it is in."""
    corner, seen, now = QPoint(0, 0), QRectF(inner.rect()), inner
    while now is not widget:
        corner += now.pos()
        seen.translate(now.x(), now.y())
        now = cast(QWidget, now.parentWidget())
        seen = seen.intersected(QRectF(now.rect()))
    return corner, seen


def _teller_of(widget: QWidget, told: dict[QWidget, list[tuple[str, QRectF]]]) -> QWidget | None:
    """Give the widget that tells the texts of another: itself, or the one whose viewport it is."""
    if widget in told:
        return widget
    parent = widget.parentWidget()
    return parent if parent is not None and parent in told else None


class _Engine(QPaintEngine):
    """Hears texts and draws nothing."""

    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.heard: list[SeenText] = []

    def begin(self, _device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def updateState(self, _state: object) -> None:
        pass

    def drawTextItem(self, place: QPointF | QPoint | QPainterPath.Element, item: QTextItem) -> None:
        at = cast(QPointF, place)
        painter = self.painter()
        on, widget = painter.deviceTransform(), painter.device()
        ink = QFontMetricsF(item.font()).tightBoundingRect(item.text())
        box = on.mapRect(QRectF(at.x(), at.y() + ink.top(), item.width(), ink.height()))
        clip = QRectF(self.systemClip().boundingRect())
        if painter.hasClipping():
            clip = clip.intersected(on.mapRect(painter.clipBoundingRect()))
        if isinstance(widget, QWidget):
            self.heard.append(SeenText(item.text(), box, box.intersected(clip), widget))

    def drawPixmap(self, *_: object) -> None:
        pass

    def drawImage(self, *_: object) -> None:
        pass

    def drawTiledPixmap(self, *_: object) -> None:
        pass

    def drawPath(self, *_: object) -> None:
        pass

    def drawPolygon(self, *_: object) -> None:
        pass

    def drawRects(self, *_: object) -> None:
        pass

    def drawLines(self, *_: object) -> None:
        pass

    def drawEllipse(self, *_: object) -> None:
        pass

    def drawPoints(self, *_: object) -> None:
        pass


class _Listener(QPaintDevice):
    """A device as large as a widget, on which nothing appears."""

    def __init__(self) -> None:
        super().__init__()
        self.engine = _Engine()
        self._widget: QWidget | None = None

    def listen_to(self, widget: QWidget) -> list[SeenText]:
        """Let a widget and all in it paint, and give the texts."""
        self._widget, self.engine.heard = widget, []
        widget.render(self, QPoint(0, 0))
        self._widget = None
        return self.engine.heard

    def paintEngine(self) -> QPaintEngine:
        return self.engine

    def metric(self, kind: QPaintDevice.PaintDeviceMetric) -> int:
        return 1 if self._widget is None else self._widget.metric(kind)


@lru_cache(maxsize=1)
def _listener() -> _Listener:
    """Give the one listener: PySide now and then forgets the methods of an engine that is made after another one."""
    return _Listener()
