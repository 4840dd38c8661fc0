"""The images of the small matrices: made once a layout, filled once a frame, and only where they are in sight."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtGui import QImage

from attnviz.appearance import ENTRIES, Theme
from attnviz.document.matrices import Role
from attnviz.views.matrix.colours import colours_of
from attnviz.views.matrix.image import CellImage
from attnviz.views.matrix.picture import MatrixPicture
from attnviz.views.matrix.pixels import packed
from attnviz.views.stages.placed import PlacedMatrix
from attnviz.views.stages.strip_fonts import StripFonts

_BAR_PIXELS = 64


class StripImages:
    """The images of one layout.

    Parameters
    ----------
    matrices
        The placed matrices.
    fonts, theme
        In which letters and colours.
    """

    def __init__(self, matrices: Sequence[PlacedMatrix], fonts: StripFonts, theme: Theme) -> None:
        self._matrices, self._fonts, self._theme = matrices, fonts, theme
        self._images: dict[int, CellImage] = {}
        self._fresh: dict[int, MatrixPicture] = {}

    def image(self, place: int, picture: MatrixPicture) -> QImage:
        """Give the image of a matrix, filled with a picture unless it shows that already."""
        found = self._images.get(place)
        if found is None:
            layout = self._matrices[place].grid.layout(self._fonts.ratio)
            colours = colours_of(self._theme, picture.role)
            found = CellImage(layout, colours, self._fonts.lettering.atlases, (), (), has_empty_rows=True)
            found.image.setDevicePixelRatio(self._fonts.ratio)
            self._images[place] = found
        if self._fresh.get(place) is not picture:
            self._fresh[place] = picture
            found.draw(picture)
        return found.image


class BarImages:
    """The colours of the ranges as little images, by role."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._images: dict[Role, QImage] = {}

    def image(self, role: Role) -> QImage:
        """Give the colours of a role from its lowest to its highest number, one pixel high."""
        found = self._images.get(role)
        if found is None:
            table = colours_of(self._theme, role).table
            pixels = packed(table[np.linspace(0, ENTRIES - 1, _BAR_PIXELS).astype(np.intp)])
            image = QImage(pixels.data, _BAR_PIXELS, 1, 4 * _BAR_PIXELS, QImage.Format.Format_RGB32)
            found = self._images[role] = image.copy()
        return found
