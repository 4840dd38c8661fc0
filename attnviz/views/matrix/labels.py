"""What stands around the cells of a matrix: labels, titles, legend and notes, drawn once into a pixmap.

Nothing here changes while a token is dragged, so a frame only copies it. Token labels are plain text and are
placed by their own width, never by alignment flags, which would put right-to-left tokens on the wrong side.
"""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPixmap

from attnviz.appearance import ByteArray, Theme
from attnviz.views.matrix.layout import MatrixLayout
from attnviz.views.matrix.lettering import Lettering, PaintedText, limit_text, logical, shown_token
from attnviz.views.matrix.picture import MUTED, MatrixPicture
from attnviz.views.matrix.pixels import packed

_SHORTEST_CUT_IN_ITS_MIDDLE = 5


def label_colour(theme: Theme, colours: tuple[int, ...] | None, place: int) -> str:
    """Give the colour of a label: its token's, or muted where there are no tokens."""
    return theme.muted if colours is None or colours[place] == MUTED else theme.token(colours[place])


class FramePainter:
    """Draws everything around the cells, and keeps a list of the texts.

    Parameters
    ----------
    layout, lettering, theme
        Where, in which fonts, in which colours.
    """

    def __init__(self, layout: MatrixLayout, lettering: Lettering, theme: Theme) -> None:
        self._layout, self._lettering, self._theme = layout, lettering, theme
        self.texts: list[PaintedText] = []
        self._label_places: list[QRectF] = []
        self._muted = QColor(theme.muted)
        self._bar = None if layout.legend is None else logical(layout.legend, layout.ratio)
        self.label, self.line = lettering.labels[layout.label_face], layout.label_line / layout.ratio
        metrics = QFontMetricsF(lettering.small)
        self._small_line, self._ascent = metrics.height(), metrics.ascent()
        self._limit_width = layout.legend_text / layout.ratio
        bar = self._bar or QRectF()
        self._limit_left = bar.right() + 6 * layout.scale
        self._ends = bar.top(), bar.bottom() - self._small_line
        self._baselines = tuple(QPointF(self._limit_left, top + self._ascent) for top in self._ends)

    def pixmap(self, picture: MatrixPicture, table: ByteArray, width: int, height: int) -> QPixmap:
        """Draw the frame of a picture.

        Parameters
        ----------
        picture
            The labels and titles; its numbers are not asked for.
        table
            The colours of the legend, shape (n, 3), lowest first.
        width, height
            The widget, in device pixels.

        Returns
        -------
        QPixmap
            In device pixels.
        """
        self.texts.clear()
        canvas = QPixmap(width, height)
        canvas.setDevicePixelRatio(self._layout.ratio)
        canvas.fill(QColor(self._theme.panel))
        painter = QPainter(canvas)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_outline(painter)
        self._draw_legend(painter, table)
        self._draw_titles(painter, picture)
        self._draw_note(painter)
        self._draw_gutter_titles(painter, picture)
        self._draw_labels(painter, picture)
        painter.end()
        canvas.setDevicePixelRatio(1)
        return canvas

    def write(
        self,
        painter: QPainter,
        text: str,
        font: QFont,
        colour: str,
        box: QRectF,
        align: float,
        is_turned: bool = False,
        elision: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        """Write one line in a box, elided to it; ``align`` is 0 for its start, 0.5 for its middle, 1 for its end."""
        metrics = QFontMetricsF(font)
        length = box.height() if is_turned else box.width()
        width = metrics.horizontalAdvance(text)
        if width > length:
            text = metrics.elidedText(text, elision, length)
            width = metrics.horizontalAdvance(text)
        if not text or width > length + 1:
            return
        painter.setFont(font)
        painter.setPen(QColor(colour))
        along = (length - width) * align
        if is_turned:
            painter.save()
            painter.translate(box.left(), box.bottom())
            painter.rotate(-90)
            painter.drawText(QPointF(along, (box.width() - metrics.height()) / 2 + metrics.ascent()), text)
            painter.restore()
            place = QRectF(box.left(), box.bottom() - along - width, box.width(), width)
        else:
            base = box.top() + (box.height() - metrics.height()) / 2 + metrics.ascent()
            painter.drawText(QPointF(box.left() + along, base), text)
            place = QRectF(box.left() + along, box.top(), width, box.height())
        self.texts.append((text, place))

    def row_label_box(self, row: int) -> QRectF:
        """Give the line of a row's label."""
        layout, line = self._layout, self.line
        band = logical(layout.row_labels, layout.ratio)
        return QRectF(band.left(), layout.rows.centre(row) / layout.ratio - line / 2, band.width(), line)

    def column_label_box(self, column: int) -> QRectF:
        """Give the line of a column's label, upright if labels are turned."""
        layout, line = self._layout, self.line
        band = logical(layout.column_labels, layout.ratio)
        centre = layout.columns.centre(column) / layout.ratio
        if layout.is_turned:
            return QRectF(centre - line / 2, band.top(), line, band.height())
        width = layout.columns.pitch / layout.ratio - 2
        return QRectF(centre - width / 2, band.top(), width, band.height())

    def clear_labels(self, painter: QPainter, box: QRectF) -> None:
        """Wipe the labels that would look out from under something drawn in ``box``."""
        for place in self._label_places:
            if place.intersects(box):
                painter.fillRect(place.adjusted(-1, 0, 1, 0), QColor(self._theme.panel))

    def write_limits(self, painter: QPainter, picture: MatrixPicture) -> None:
        """Write the drawn range beside the legend; room for it was kept by the layout."""
        if self._bar is None:
            return
        painter.setFont(self._lettering.small)
        painter.setPen(self._muted)
        low, high = picture.limits
        painter.drawText(self._baselines[0], limit_text(high))
        painter.drawText(self._baselines[1], limit_text(low))
        zero = self._top_of_zero(low, high)
        if zero is not None:
            painter.drawText(QPointF(self._limit_left, zero + self._ascent), "0")

    def limits(self, picture: MatrixPicture) -> list[PaintedText]:
        """Give the texts beside the legend, with the boxes they may fill."""
        if self._bar is None:
            return []
        low, high = picture.limits
        marks, zero = [(high, self._ends[0]), (low, self._ends[1])], self._top_of_zero(low, high)
        if zero is not None:
            marks.append((0.0, zero))
        left, width, line = self._limit_left, self._limit_width, self._small_line
        return [(limit_text(limit), QRectF(left, top, width, line)) for limit, top in marks]

    def _top_of_zero(self, low: float, high: float) -> float | None:
        if self._bar is None:
            return None
        height, line = self._bar.height(), self._small_line
        if low < 0 < high and height > 4.5 * line:
            return float(self._bar.bottom() - height * -low / (high - low) - line / 2)
        return None

    def _draw_outline(self, painter: QPainter) -> None:
        layout = self._layout
        if not layout.border:
            painter.setPen(QPen(QColor(self._theme.border), 1))
            painter.drawRect(logical(layout.grid, layout.ratio).adjusted(-0.5, -0.5, 0.5, 0.5))

    def _draw_legend(self, painter: QPainter, table: ByteArray) -> None:
        bar = self._bar
        if bar is None:
            return
        pixels = packed(table[::-1])
        image = QImage(pixels.data, 1, len(pixels), 4, QImage.Format.Format_RGB32)
        painter.drawImage(bar, image)
        painter.setPen(QPen(QColor(self._theme.border), 1))
        painter.drawRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5))

    def _draw_titles(self, painter: QPainter, picture: MatrixPicture) -> None:
        layout, small, muted = self._layout, self._lettering.small, self._theme.muted
        column, row = logical(layout.column_title, layout.ratio), logical(layout.row_title, layout.ratio)
        if layout.is_column_title_above:
            self.write(painter, picture.column_title, small, muted, column, 0.5)
        else:
            self.write(painter, f"{picture.column_title} →", small, muted, column, 1)
        if layout.is_row_title_turned:
            self.write(painter, picture.row_title, small, muted, row, 0.5, True)
        else:
            self.write(painter, f"{picture.row_title} ↓", small, muted, row, 1)

    def _draw_note(self, painter: QPainter) -> None:
        """Write the note in its lines; it is listed as one text."""
        note, lines = self._layout.note, self._layout.note_lines
        if note is None:
            return
        place, before = logical(note, self._layout.ratio), len(self.texts)
        step = place.height() / len(lines)
        for index, line in enumerate(lines):
            box = QRectF(place.left(), place.top() + index * step, place.width(), step)
            self.write(painter, line, self._lettering.small, self._theme.muted, box, 0)
        written = self.texts[before:]
        del self.texts[before:]
        whole = QRectF()
        for _, box in written:
            whole = whole.united(box)
        self.texts.append((" ".join(text for text, _ in written), whole))

    def _draw_gutter_titles(self, painter: QPainter, picture: MatrixPicture) -> None:
        """Write the names of gutters above them, word below word where they are narrow, or left of them."""
        layout, small, line = self._layout, self._lettering.small, self._small_line
        bottom = logical(layout.column_labels, layout.ratio).bottom()
        for gutter, box in zip(picture.gutters, layout.gutters, strict=True):
            if box is None or not gutter.title:
                continue
            place = logical(box, layout.ratio)
            is_narrow = self._lettering.small_width(gutter.title) > place.width()
            is_stacked = layout.is_turned or layout.is_column_title_above
            words = gutter.title.split()
            lines = words if is_narrow and is_stacked and len(words) * line <= bottom else [gutter.title]
            for above, text in enumerate(reversed(lines)):
                head = QRectF(place.left(), bottom - (above + 1) * line, place.width(), line)
                self.write(painter, text, small, self._theme.muted, head, 0)

        for gutter, box in zip(picture.feet, layout.foot_titles, strict=True):
            if box.width:
                self.write(painter, gutter.title, small, self._theme.muted, logical(box, layout.ratio), 1)

    def _draw_labels(self, painter: QPainter, picture: MatrixPicture) -> None:
        layout, font, theme = self._layout, self.label, self._theme
        before = len(self.texts)
        rows = range(0, layout.rows.count, layout.row_step)
        elisions = self._elisions([picture.row_labels[row] for row in rows], self.row_label_box(0).width())
        for row, elision in zip(rows, elisions, strict=True):
            text, colour = shown_token(picture.row_labels[row]), label_colour(theme, picture.row_colours, row)
            self.write(painter, text, font, colour, self.row_label_box(row), 1, elision=elision)
        columns, first = range(0, layout.columns.count, layout.column_step), self.column_label_box(0)
        room = first.height() if layout.is_turned else first.width()
        elisions = self._elisions([picture.column_labels[column] for column in columns], room)
        for column, elision in zip(columns, elisions, strict=True):
            text, colour = (
                shown_token(picture.column_labels[column]),
                label_colour(theme, picture.column_colours, column),
            )
            align = 0 if layout.is_turned else 0.5
            self.write(painter, text, font, colour, self.column_label_box(column), align, layout.is_turned, elision)
        self._label_places = [place for _, place in self.texts[before:]]

    def _elisions(self, tokens: list[str], room: float) -> list[Qt.TextElideMode]:
        """Say where each name is cut: in its middle if it would look like another that is cut, else at its end."""
        metrics, face = QFontMetricsF(self.label), self._layout.label_face
        end, middle = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle
        cut = {
            token: metrics.elidedText(shown_token(token), end, room)
            for token in dict.fromkeys(tokens)
            if self._lettering.label_width(token, face) > room
        }
        alike = Counter(cut.values())
        return [
            middle if len(cut.get(token, "")) >= _SHORTEST_CUT_IN_ITS_MIDDLE and alike[cut[token]] > 1 else end
            for token in tokens
        ]
