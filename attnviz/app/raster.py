"""Turning a figure's SVG text into PNG and PDF by Qt, without a screen."""

from __future__ import annotations

import sys

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QMarginsF,
    QMessageLogContext,
    QSizeF,
    Qt,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import (
    QFontDatabase,
    QGuiApplication,
    QImage,
    QImageWriter,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgRenderer

MAX_SIDE = 16_384  # pixels of a PNG

_DOTS_PER_METRE = 96 / 0.0254  # one pixel of an SVG is 1/96 inch
_NOISE = "does not support propagateSizeHints()"
_POINTS_PER_PIXEL = 72 / 96


class RasterError(ValueError):
    """A picture that cannot be drawn; the message is one sentence for the user."""


def svg_to_png(svg: str, scale: float = 2.0) -> bytes:
    """Draw an SVG as PNG.

    Parameters
    ----------
    svg : str
        The text of the file, its background included.
    scale : float
        Pixels of the PNG for one pixel of the SVG, above 0.

    Returns
    -------
    bytes
        The file; its resolution says the size on paper that the SVG has.

    Raises
    ------
    RasterError
        If the SVG cannot be read, or the picture would be larger than 16,384 pixels a side.
    """
    application = _application()
    renderer = _renderer(svg)
    size = (QSizeF(renderer.defaultSize()) * scale).toSize()
    if not (1 <= size.width() <= MAX_SIDE and 1 <= size.height() <= MAX_SIDE):
        got = f"{size.width():,} x {size.height():,}"
        raise RasterError(f"a picture must have 1 to {MAX_SIDE:,} pixels a side, got {got}")
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    image.setDotsPerMeterX(round(_DOTS_PER_METRE * scale))
    image.setDotsPerMeterY(round(_DOTS_PER_METRE * scale))
    image.setText("Software", "attnviz")
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    renderer.render(painter)
    painter.end()
    buffer = _buffer()
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    del application
    return bytes(buffer.data().data())


def svg_to_pdf(svg: str, title: str = "") -> bytes:
    """Draw an SVG as a PDF of one page of its size; text stays text.

    Parameters
    ----------
    svg : str
        The text of the file, its background included.
    title : str
        The title in the file's properties.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    RasterError
        If the SVG cannot be read.
    """
    application = _application()
    renderer = _renderer(svg)
    page = QSizeF(renderer.defaultSize()) * _POINTS_PER_PIXEL
    buffer = _buffer()
    writer = QPdfWriter(buffer)
    writer.setPageSize(QPageSize(page, QPageSize.Unit.Point, "figure", QPageSize.SizeMatchPolicy.ExactMatch))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Point)
    writer.setResolution(96)
    writer.setTitle(title)
    writer.setCreator("attnviz")
    painter = QPainter(writer)
    renderer.render(painter)
    painter.end()
    del writer, application
    return bytes(buffer.data().data())


def font_families() -> list[str]:
    """Name the fonts that Qt finds; without any, text is drawn as boxes."""
    application = _application()
    families = QFontDatabase.families()
    del application
    return families


def leave_out_platform_noise() -> None:
    """Keep Qt's note about size hints, which a window without a screen draws by the dozen, off standard error."""
    qInstallMessageHandler(_pass_on)


def _pass_on(_: QtMsgType, __: QMessageLogContext, message: str | None) -> None:
    if message and _NOISE not in message and sys.stderr is not None:
        sys.stderr.write(f"Qt: {message}\n")


def _application() -> QGuiApplication:
    """Give the application there is, or one for the caller to keep while it draws: fonts need one."""
    existing = QGuiApplication.instance()
    return existing if isinstance(existing, QGuiApplication) else QGuiApplication(["attnviz"])


def _renderer(svg: str) -> QSvgRenderer:
    renderer = QSvgRenderer(QByteArray(svg.encode("utf-8")))
    if not renderer.isValid():
        raise RasterError("a figure must be valid SVG, got something else")
    return renderer


def _buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer
