"""What is inside the panel of the mask and the softmax: settings, padding, tools of the mask, and what follows."""

from __future__ import annotations

from itertools import pairwise
from operator import itemgetter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from attnviz.appearance import Theme
from attnviz.document.budgets import remarks_on
from attnviz.document.frame import Frame
from attnviz.document.masking import diagonal_of
from attnviz.views.hints import plain_tooltip
from attnviz.views.mask.dropout_readout import DropoutReadout
from attnviz.views.mask.padding_strip import PaddingStrip
from attnviz.views.mask.scrolled_strip import ScrolledStrip
from attnviz.views.mask.sink_boxes import SinkBoxes
from attnviz.views.mask.warning_lines import WarningLines
from attnviz.views.selection import Chosen
from attnviz.views.settings_panel import SettingsBody
from attnviz.views.tokens.wrapping_row import WrappingRow

FIELDS = (
    "mask",
    "align",
    "window",
    "prefix",
    "block",
    "masking",
    "softmax",
    "soft_cap",
    "has_sink",
    "dropout",
    "dropout_seed",
)
PAINT_TIP = (
    "Paint the mask on Scores and Weights: press or drag bans cells, or allows them if the first was banned. "
    "X switches the cell under the cursor, Shift with arrow keys paints along, Esc ends."
)
_MARGIN_IN_VIEW = 4
_BY_TAB = Qt.FocusPolicy.TabFocus


class MaskBody(SettingsBody):
    """The settings of the mask and the softmax, a switch for each key, and what the rows of weights add up to.

    Signals
    -------
    padding_switched : int, bool
        The key of this index is to be padding, or a real token again.
    invert_requested, clear_requested, import_requested, reroll_requested : (nothing)
        The mask is to be inverted, taken away, read from a file; dropout is to take the next seed.
    painting_switched : bool
        Painting on the heatmaps is to begin, or to end.
    sink_entered : int, float, int
        The head of this index is to have this sink logit; the last number names the gesture.
    """

    padding_switched = Signal(int, bool)
    invert_requested = Signal()
    clear_requested = Signal()
    import_requested = Signal()
    painting_switched = Signal(bool)
    sink_entered = Signal(int, float, int)
    reroll_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(FIELDS, parent)
        self._frame: Frame | None = None
        self._query = 0
        self.offset = _note()
        self.strip = PaddingStrip()
        self.chips = ScrolledStrip(self.strip)
        self.strip.switched.connect(self.padding_switched)
        self.sinks, self.dropout = SinkBoxes(), DropoutReadout()
        self.sinks.sink_entered.connect(self.sink_entered)
        self.sinks.refused.connect(self.refused)
        self.dropout.reroll_requested.connect(self.reroll_requested)
        title = QLabel("&Padding")
        title.setBuddy(self.strip)
        title.setToolTip(plain_tooltip("Click a key to ban its column for every query, as padding is; its row stays."))
        self.tools = self._tools()
        places = {
            "masking": (self.offset, self.tools, title, self.chips),
            "dropout": (self.sinks,),
            "": (self.dropout,),
        }
        for before, widgets in places.items():
            self._insert(before, widgets)
        self.remarks = WarningLines()
        self.outer.addWidget(self.remarks)
        self._shown_first: dict[str, QWidget] = {"dropout": self.dropout, "has_sink": self.sinks}
        self._scroller = QTimer(self, singleShot=True, interval=0)
        self._scroller.timeout.connect(self.keep_in_view)
        self._order_tabs()

    def show_frame(self, frame: Frame) -> None:
        """Set what differs from what is shown."""
        super().show_frame(frame)
        self._frame = frame
        self.strip.show_frame(frame)
        _say(self.offset, _offset_sentence(frame))
        _show(self.sinks, is_wanted=frame.state.has_sink)
        if frame.state.has_sink:
            n_boxes = len(self.sinks.boxes)
            self.sinks.show_frame(frame)
            if len(self.sinks.boxes) > n_boxes:
                self._order_tabs()
        for widget in (self.rows.rows["dropout_seed"], self.dropout):
            _show(widget, is_wanted=bool(frame.state.dropout))
        self._show_sums()
        self.remarks.show_sentences(tuple([remark.sentence for remark in remarks_on(frame)]))
        self._scroller.start()  # when the rows that came or went have taken their places

    def keep_in_view(self) -> None:
        """Scroll to the row that has the keyboard, and to what it brought into the panel."""
        focused = self.focusWidget()
        if focused is None or not focused.hasFocus():
            return
        column = self.rows.column
        blocks = [item.widget() for place in range(column.count()) if (item := column.itemAt(place)) is not None]
        block = next((each for each in blocks if each is not None and _is_in(focused, each)), None)
        if block is None:
            return
        brought = next((shown for name, shown in self._shown_first.items() if block is self.rows.rows[name]), None)
        for widget in (brought, block):
            if widget is not None and not widget.isHidden():
                self.scrolled.ensureWidgetVisible(widget, 0, _MARGIN_IN_VIEW)

    def show_selection(self, chosen: Chosen) -> None:
        """Tell of the row that is shown in the other panels."""
        self._query = chosen.shown_query
        self._show_sums()

    def show_painting(self, is_on: bool) -> None:
        """Press or lift the button of painting; emits nothing."""
        self.paint_button.setChecked(is_on)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        self.strip.apply_theme(theme)

    def _insert(self, before: str, widgets: tuple[QWidget, ...]) -> None:
        """Put widgets among the rows, where their subject is: before the row of a field, or at the end."""
        column = self.rows.column
        place = column.indexOf(self.rows.rows[before]) if before else column.count()
        for offset, widget in enumerate(widgets):
            column.insertWidget(place + offset, widget)

    def _order_tabs(self) -> None:
        """Let Tab go through the rows and what stands among them from top to bottom."""
        column = self.rows.column
        items = [column.itemAt(place) for place in range(column.count())]
        blocks = [item.widget() for item in items if item is not None]
        chain: list[tuple[int, QWidget]] = []
        each: QWidget | None = self.rows.nextInFocusChain()
        while each is not None and each is not self.rows:
            place = next((at for at, block in enumerate(blocks) if block is not None and _is_in(each, block)), None)
            if place is not None and each.focusPolicy() & _BY_TAB:
                chain.append((place, each))
            each = each.nextInFocusChain()
        chain.sort(key=itemgetter(0))  # within a block they stay as they were
        for (_, before), (_, after) in pairwise(chain):
            self.setTabOrder(before, after)

    def _show_sums(self) -> None:
        if self._frame is not None and self._frame.state.dropout:
            self.dropout.show_row(self._frame, self._query)

    def _tools(self) -> WrappingRow:
        self.paint_button = _button("P&aint", PAINT_TIP)
        self.paint_button.setCheckable(True)
        self.invert_button = _button(
            "&Invert", "Allow what the mask bans, and ban what it allows; padding stays banned"
        )
        self.clear_button = _button("&Clear", "Take the mask away, and padding with it")
        self.import_button = _button("I&mport Mask…", "Read a mask from a file: .npy, .npz, CSV or TSV")
        row = WrappingRow()
        for button in (self.paint_button, self.invert_button, self.clear_button):
            row.add(button)
        row.add(self.import_button, "I&mport…")
        row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.paint_button.clicked.connect(self.painting_switched)
        self.invert_button.clicked.connect(self.invert_requested)
        self.clear_button.clicked.connect(self.clear_requested)
        self.import_button.clicked.connect(self.import_requested)
        return row


def _offset_sentence(frame: Frame) -> str:
    """Say where the causal diagonal ends when there are not as many queries as keys."""
    offset, n_query, n_key = diagonal_of(frame.state), frame.n_query, frame.n_key
    if offset is None or n_query == n_key:
        return ""
    where = f"i {'+' if offset > 0 else '−'} {abs(offset)}" if offset else "i"
    reason = f"offset {n_key} keys − {n_query} queries = {offset}".replace("= -", "= −")
    return (
        f"Query i sees the keys up to place {where} ({reason if frame.state.align == 'bottom_right' else 'offset 0'})."
    )


def _is_in(widget: QWidget, block: QWidget) -> bool:
    return widget is block or (block.isAncestorOf(widget) and widget.window() is block.window())


def _note() -> QLabel:
    label = QLabel()
    label.setObjectName("muted")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.hide()
    return label


def _say(label: QLabel, text: str) -> None:
    """Show a text; hide the label where there is none."""
    if text != label.text():
        label.setText(text)
        label.setVisible(bool(text))


def _show(widget: QWidget, *, is_wanted: bool) -> None:
    if widget.isHidden() == is_wanted:
        widget.setVisible(is_wanted)


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName("narrow_button")
    button.setToolTip(plain_tooltip(tip))
    button.setAccessibleDescription(tip)
    button.setAutoDefault(False)
    return button
