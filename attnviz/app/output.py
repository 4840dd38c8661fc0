"""What leaves the window as a file or through the clipboard: figures, numbers, pictures, tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.app.documents import Prompts
from attnviz.app.raster import RasterError, svg_to_pdf, svg_to_png
from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.document.atomic import write_atomically
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame, Stage
from attnviz.figures.attention_figure import ScoreStage, figure_svg
from attnviz.figures.numbers import frame_as_csv, frame_as_json, frame_as_npz
from attnviz.figures.tables import table_as_html, table_as_latex, table_as_markdown, table_as_numpy, table_as_tsv
from attnviz.session import Session

FIGURE_FILTERS = "SVG (*.svg);;PNG (*.png);;PDF (*.pdf)"
NUMBER_FILTERS = "JSON (*.json);;CSV (*.csv);;NumPy (*.npz)"
_SCORE_STAGES: dict[Stage, ScoreStage] = {"scores": "raw", "scaled": "scaled", "masked": "masked"}

TableWriter: TypeAlias = Callable[[FloatArray, Sequence[str], Sequence[str]], str]
_WRITERS: dict[str, TableWriter] = {
    "Markdown": table_as_markdown,
    "LaTeX": table_as_latex,
    "NumPy": table_as_numpy,
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

    def copy_table(self) -> None:
        """Copy the weights with their tokens as tab-separated text and as an HTML table."""
        frame = self._session.frame
        weights, rows, columns = frame.trace.weights, frame.query_tokens, frame.key_tokens
        mime = QMimeData()
        mime.setText(table_as_tsv(weights, rows, columns))
        mime.setHtml(table_as_html(weights, rows, columns))
        QApplication.clipboard().setMimeData(mime)
        self._teller.announce("Weights copied to the clipboard as a table.")

    def copy_table_as(self, language: str) -> None:
        """Copy the weights with their tokens as a table in "Markdown" or "LaTeX", or as code for "NumPy"."""
        frame = self._session.frame
        write: TableWriter = _WRITERS[language]
        QApplication.clipboard().setText(write(frame.trace.weights, frame.query_tokens, frame.key_tokens))
        self._teller.announce(f"Weights copied to the clipboard for {language}.")

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
