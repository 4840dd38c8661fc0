"""The comparison of two orders: computed at once where that is quick, else on another thread, the newest only."""

from __future__ import annotations

from PySide6.QtCore import QObject, QThreadPool, Signal

from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame
from attnviz.document.permutation import Equivariance, Order, equivariance, in_order, reasons_of
from attnviz.document.state import Side

# Scores of all heads together that are computed at once: 200 tokens in 8 heads take 7 ms.
MOST_AT_ONCE = 8 * 200 * 200


class Trial(QObject):
    """Compares the outputs of tokens in a trial order with those of the document.

    Signals
    -------
    compared : object
        Carries the :class:`Equivariance` that was asked for last.
    failed : str
        One sentence why it could not be computed.
    """

    compared = Signal(object)
    failed = Signal(str)
    _ended = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked = 0  # how many comparisons were asked for: an answer to an earlier one is late
        self._is_running = False
        self._waiting: tuple[Frame, Side, Order] | None = None
        self._ended.connect(self._end)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._is_running or self._waiting is not None

    def compare(self, frame: Frame, side: Side, order: Order) -> None:
        """Ask for a comparison; what was asked for before is not answered any more."""
        self._asked += 1
        self._waiting = None
        if order == in_order(len(order)):  # f(PX) is f(X), which is there
            rows = order if side == "sequence" else in_order(frame.n_query)
            outputs = frame.layer_output
            self._tell(Equivariance(side, order, outputs, outputs, rows, reasons_of(frame.state)))
        elif frame.n_heads * frame.n_query * frame.n_key <= MOST_AT_ONCE:
            self._tell(_answer(frame, side, order))
        else:
            self._waiting = (frame, side, order)
            self._start()

    def _start(self) -> None:
        """Begin what waits, unless the one before still runs."""
        if self._is_running or self._waiting is None:
            return
        (frame, side, order), self._waiting = self._waiting, None
        asked, ended = self._asked, self._ended
        self._is_running = True

        def run() -> None:
            answer = _answer(frame, side, order)
            try:
                ended.emit(asked, answer)
            except RuntimeError:
                return  # the panel is gone, and nobody wants it any more

        QThreadPool.globalInstance().start(run)

    def _end(self, asked: int, answer: Equivariance | str) -> None:
        self._is_running = False
        if asked == self._asked:
            self._tell(answer)
        self._start()

    def _tell(self, answer: Equivariance | str) -> None:
        if isinstance(answer, str):
            self.failed.emit(answer)
        else:
            self.compared.emit(answer)


def _answer(frame: Frame, side: Side, order: Order) -> Equivariance | str:
    try:
        return equivariance(frame, side, order)
    except DocumentError as error:
        return str(error)
