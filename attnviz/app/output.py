"""What leaves the window as a file or through the clipboard: figures, numbers, pictures, tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.app.documents import Prompts
from attnviz.app.raster import RasterError, svg_to_pdf, svg_to_png
from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.document.atomic import write_atomically
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame, Stage
from attnviz.document.labelled import LabelledMatrix, labelled
from attnviz.document.matrices import MATRICES_BY_NAME
from attnviz.figures.attention_figure import ScoreStage, figure_svg
from attnviz.figures.numbers import frame_as_csv, frame_as_json, frame_as_npz
from attnviz.figures.tables import (
    table_as_csv,
    table_as_html,
    table_as_latex,
    table_as_markdown,
    table_as_numpy,
    table_as_tsv,
)
from attnviz.session import Session

FIGURE_FILTERS = "SVG (*.svg);;PNG (*.png);;PDF (*.pdf)"
NUMBER_FILTERS = "JSON (*.json);;CSV (*.csv);;NumPy (*.npz)"
_SCORE_STAGES: dict[Stage, ScoreStage] = {"scores": "raw", "scaled": "scaled", "masked": "masked"}

MAX_HTML_CELLS = 256 * 256  # a word processor or mail program takes minutes over more
_PURPOSES = {"TSV": "as a table"}


class TableWriter(Protocol):
    """Whatever writes numbers with their names."""

    def __call__(
        self, matrix: FloatArray, row_labels: Sequence[str], column_labels: Sequence[str], *, corner: str
    ) -> str:
        """Write them; ``corner`` is what the numbers are."""


_WRITERS: dict[str, TableWriter] = {
    "TSV": table_as_tsv,
    "CSV": table_as_csv,
    "Markdown": table_as_markdown,
    "LaTeX": table_as_latex,
}


class Teller(Protocol):
    """Whatever can show one sentence to the user."""

    def tell(self, message: str) -> None:
        """Show why something was refused."""

    def announce(self, message: str) -> None:
        """Show what was done."""


class Output(QObject):
    """Writes figures and numbers of the session's frame.

    Parameters
    ----------
    session : Session
        The open document.
    prompts : Prompts
        Asks for file names.
    teller : Teller
        Shows one sentence to the user: what was done, or why it was refused.
    """

    def __init__(self, session: Session, prompts: Prompts, teller: Teller, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._prompts, self._teller = session, prompts, teller

    def export_figure(self, stage: Stage, theme: Theme) -> None:
        """Ask for a name and write the heatmaps as SVG, PNG or PDF, by the name's ending."""
        path = self._ask(".svg", FIGURE_FILTERS)
        if path is not None:
            self._write(path, figure_bytes(self._session.frame, path.suffix, _SCORE_STAGES[stage], theme))

    def export_numbers(self) -> None:
        """Ask for a name and write every number as JSON, CSV or NPZ, by the name's ending."""
        path = self._ask(".json", NUMBER_FILTERS)
        if path is not None:
            self._write(path, number_bytes(self._session.frame, path.suffix))

    def copy_image(self, widget: QWidget) -> None:
        """Copy a panel as a picture at the screen's resolution."""
        QApplication.clipboard().setImage(widget.grab().toImage())
        self._teller.announce("Picture copied to the clipboard.")

    def copy_weights(self, language: str) -> None:
        """Copy the weights with their tokens, written for a language as in :meth:`copy_block`."""
        try:
            self.copy_block(language, labelled(self._session.frame, MATRICES_BY_NAME["weight"]))
        except DocumentError as error:
            self._teller.tell(str(error))

    def copy_block(self, language: str, block: LabelledMatrix) -> None:
        """Copy a part of a matrix with its names.

        Parameters
        ----------
        language : str
            "TSV", "CSV" and "NumPy" have every digit; "Markdown" and "LaTeX" have three decimals. TSV comes with
            an HTML table beside it.
        block : LabelledMatrix
            What to copy.
        """
        mime = QMimeData()
        mime.setText(_written(language, block))
        if language == "TSV" and block.numbers.size <= MAX_HTML_CELLS:
            mime.setHtml(_with_names(table_as_html, block))
        QApplication.clipboard().setMimeData(mime)
        purpose = _PURPOSES.get(language, f"for {language}")
        self._teller.announce(f"{_said(block)} copied to the clipboard {purpose}.")

    def _ask(self, suffix: str, filters: str) -> Path | None:
        name = self._session.path.stem if self._session.path else self._session.state.title or "attention"
        path = self._prompts.ask_save_path(Path(name.replace("/", "-") + suffix), filters)
        return path.with_suffix(suffix) if path is not None and not path.suffix else path

    def _write(self, path: Path, data: bytes | None) -> None:
        if data is None:
            self._teller.tell(f"{path.name} must end in one of the offered kinds, got {path.suffix}")
            return
        try:
            write_atomically(path, data)
        except DocumentError as error:
            self._teller.tell(str(error))
            return
        self._teller.announce(f"Saved {path.name}.")


def _written(language: str, block: LabelledMatrix) -> str:
    if language == "NumPy":
        name = block.name.replace(" ", "_")
        return table_as_numpy(block.numbers, block.row_labels, block.column_labels, name)
    return _with_names(_WRITERS[language], block)


def _with_names(write: TableWriter, block: LabelledMatrix) -> str:
    return write(block.numbers, block.row_labels, block.column_labels, corner=block.corner)


def _said(block: LabelledMatrix) -> str:
    rows, columns = block.numbers.shape
    return f"{block.name[0].upper()}{block.name[1:]} ({rows} × {columns})"


def figure_bytes(frame: Frame, suffix: str, stage: ScoreStage, theme: Theme) -> bytes | None:
    """Draw the heatmaps in the format of a file name's ending; None for an unknown one."""
    svg = figure_svg(frame, stage=stage, theme=theme)
    try:
        match suffix.lower():
            case ".svg":
                return svg.encode()
            case ".png":
                return svg_to_png(svg)
            case ".pdf":
                return svg_to_pdf(svg, frame.state.title)
    except RasterError:
        return None
    return None


def number_bytes(frame: Frame, suffix: str) -> bytes | None:
    """Write every number in the format of a file name's ending; None for an unknown one."""
    match suffix.lower():
        case ".json":
            return frame_as_json(frame).encode()
        case ".csv":
            return frame_as_csv(frame).encode()
        case ".npz":
            return frame_as_npz(frame)
    return None
