"""What is inside the film panel: the stage, the timeline and the transport bar, and the step that they show."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.film import Script, Step, picture, script_of
from attnviz.views.film.film_stage import FilmStage
from attnviz.views.film.linked_cells import Links
from attnviz.views.film.player import SPEEDS, Player
from attnviz.views.film.timeline import Timeline
from attnviz.views.film.transport import Transport
from attnviz.views.panel import Panel
from attnviz.views.selection import Chosen, Selection

_DESCRIBE_AFTER_MS = 250


class FilmBody(Panel):
    """The film of the current document.

    Space plays and pauses, Left and Right step, Page Up and Page Down go to the stage before and after, Home and End
    to the ends; Up and Down choose the query, F follows the selection again, ``-`` and ``+`` the speed, L loops, and
    Enter chooses the number that the step makes. The step is kept when the document
    is edited: the same step is shown with the new numbers.
    """

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent)
        self.stage = FilmStage(self)
        self.timeline = Timeline(self)
        self.transport = Transport(self)
        self.player = Player(self)
        self.is_looping = False
        self._query: int | None = None  # the query that was chosen here; until then the selection's
        self._is_single = True
        self._script = Script(1, 1, 1, 0)
        self._step: Step = self._script.step(0)
        self._drawn: Frame | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.stage, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(16, 0, 16, 4)
        foot.addWidget(self.timeline)
        foot.addWidget(self.transport)
        layout.addLayout(foot)
        self.setFocusProxy(self.stage)
        self._describing = QTimer(self)
        self._describing.setSingleShot(True)
        self._describing.setInterval(_DESCRIBE_AFTER_MS)
        self._describing.timeout.connect(self._describe)
        self.transport.show_speed(1.0)
        self._connect()

    # -- what is shown

    @property
    def script(self) -> Script:
        """The steps of the film as it is now."""
        return self._script

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self._step

    def show_frame(self, frame: Frame) -> None:
        """Show the same step with the numbers of a frame."""
        self._follow(frame)
        self._show(self._step.index)

    def show_selection(self, chosen: Chosen) -> None:
        """Follow the chosen query until another one is chosen here, and light what is pointed at."""
        if self.frame is None:
            return
        if self._query is None and self._is_single and chosen.query != self._script.query:
            self.show_frame(self.frame)
        self.stage.show_links(Links(self.frame, chosen))

    @property
    def is_following(self) -> bool:
        """Whether the film goes along with the selection: no query was chosen here."""
        return self._query is None

    def focused_number(self) -> NumberRef | None:
        """Give the number that the step makes."""
        return self.stage.made_number

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for part in (self.stage, self.timeline, self.transport):
            part.apply_theme(theme)

    def go_to(self, index: int) -> None:
        """Show a step, the nearest one there is."""
        if self.frame is not None:
            self._show(max(0, min(index, len(self._script) - 1)))

    # -- what the user does

    def toggle_playing(self) -> None:
        """Play or pause; at the end, play from the beginning."""
        if self.player.is_playing:
            self.player.stop()
        elif self.frame is not None and self.isVisible():
            if self._step.index == len(self._script) - 1:
                self._show(0)
            self.player.start()

    def step_by(self, count: int) -> None:
        """Go some steps on or back, and pause."""
        self.player.stop()
        self.go_to(self._step.index + count)

    def go_to_stage(self, by: int) -> None:
        """Go on to the next beginning of a stage, or back to the last one; after the last stage to the end."""
        now, chapters = self._step.index, self._script.chapters
        starts = [chapter.start for chapter in chapters] + [chapters[-1].stop - 1]
        self.player.stop()
        if by > 0:
            self.go_to(min(start for start in starts if start > now or start == starts[-1]))
        else:
            self.go_to(max(start for start in starts if start < now or start == 0))

    def choose_query(self, query: int) -> None:
        """Follow a query, and make it the selected one: its row is lit in the other panels."""
        frame = self.frame
        if frame is None:
            return
        self._query = max(0, min(query, frame.n_query - 1))
        key = self.selection.chosen.key
        self.selection.choose(Chosen(query=self._query, key=key, token=self._query, pointed_query=self._query))
        self.show_frame(frame)

    def begin(self) -> None:
        """Go along with the selection in a document that was just opened."""
        self._query = None

    def follow_selection(self) -> None:
        """Go along with the selection again, after a query was chosen here."""
        self._query = None
        if self.frame is not None:
            self.show_frame(self.frame)

    def step_query(self, by: int) -> None:
        """Follow the next query (1), or the one before (-1)."""
        self.choose_query(self._shown_query() + by)

    def choose_extent(self, extent: str) -> None:
        """Follow "one" row, or "all" of them."""
        self._is_single = extent == "one"
        if self.frame is not None:
            self.show_frame(self.frame)

    def choose_speed(self, speed: float) -> None:
        """Play at a speed from 0.25 to 8."""
        self.player.set_pace(self._script.pace_ms(self._step.index), speed)
        self.transport.show_speed(speed)

    def step_speed(self, by: int) -> None:
        """Play at the next speed of the list (1), or the one before (-1)."""
        self.choose_speed(SPEEDS[max(0, min(SPEEDS.index(self.player.speed) + by, len(SPEEDS) - 1))])

    def choose_loop(self, is_looping: bool) -> None:
        """Begin again at the end, or stop there."""
        self.is_looping = is_looping
        self.transport.loop.setChecked(is_looping)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the film's keys, without modifiers."""
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if not plain or not self._take_key(event.key()):
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the selection, which goes on while the panel is hidden."""
        super().showEvent(event)
        if self.frame is not None:
            self.show_frame(self.frame)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop: nothing runs while nobody sees it."""
        self.player.stop()
        self._describing.stop()
        super().hideEvent(event)

    # -- inside

    def _connect(self) -> None:
        transport = self.transport
        transport.play_clicked.connect(self.toggle_playing)
        transport.first_clicked.connect(self._go_first)
        transport.last_clicked.connect(self._go_last)
        transport.back_clicked.connect(self._step_back)
        transport.forward_clicked.connect(self._step_forward)
        transport.loop_clicked.connect(self.choose_loop)
        transport.speed_chosen.connect(self.choose_speed)
        transport.query_chosen.connect(self.choose_query)
        transport.follow_clicked.connect(self.follow_selection)
        transport.extent_chosen.connect(self.choose_extent)
        self.stage.number_pointed.connect(self.point_at_number)
        self.stage.number_clicked.connect(self._choose)
        self.stage.number_double_clicked.connect(self._open)
        self.timeline.step_wanted.connect(self._scrub)
        self.player.due.connect(self._play_on)
        self.player.playing_changed.connect(transport.show_playing)

    def _follow(self, frame: Frame) -> None:
        """Take the size and the query of a frame; the film stays at the same place."""
        if self._query is not None and self._query >= frame.n_query:
            self._query = None  # it was deleted
        chosen = self._shown_query()
        query = min(chosen, frame.n_query - 1) if self._is_single else None
        script = script_of(frame, query)
        if script.size != self._script.size:
            self._script = script
            self._step = self._script.step(self._script.same_place(self._step))
        row = min(chosen, frame.n_query - 1)
        self.transport.show_rows(frame.query_tokens, row, is_single=self._is_single, is_following=self.is_following)

    def _show(self, index: int) -> None:
        frame = self.frame
        if frame is None:
            return
        self._step = self._script.step(index)
        self.stage.show_picture(picture(frame, self._step), is_new_frame=frame is not self._drawn)
        self._drawn = frame
        self.stage.show_links(Links(frame, self.selection.chosen))
        self.timeline.show_film(self._script.chapters, index)
        self.player.set_pace(self._script.pace_ms(index), self.player.speed)
        self.set_subtitle(f"step {index + 1:,} of {len(self._script):,}")
        self._describing.start()

    def _play_on(self) -> None:
        """Show the next step; at the end begin again or stop."""
        if self._step.index + 1 < len(self._script):
            self._show(self._step.index + 1)
        elif self.is_looping:
            self._show(0)
        else:
            self.player.stop()

    def _take_key(self, key: int) -> bool:
        deeds = {
            Qt.Key.Key_Space: self.toggle_playing,
            Qt.Key.Key_Left: self._step_back,
            Qt.Key.Key_Right: self._step_forward,
            Qt.Key.Key_Home: self._go_first,
            Qt.Key.Key_End: self._go_last,
            Qt.Key.Key_PageUp: self._stage_before,
            Qt.Key.Key_PageDown: self._stage_after,
            Qt.Key.Key_Up: self._query_before,
            Qt.Key.Key_Down: self._query_after,
            Qt.Key.Key_Minus: self._slower,
            Qt.Key.Key_Plus: self._faster,
            Qt.Key.Key_Equal: self._faster,
            Qt.Key.Key_L: self.transport.loop.click,
            Qt.Key.Key_F: self.follow_selection,
            Qt.Key.Key_Return: self._choose_made,
            Qt.Key.Key_Enter: self._choose_made,
        }
        deed = deeds.get(Qt.Key(key))
        if deed is not None:
            deed()
        return deed is not None

    def _choose(self, ref: NumberRef) -> None:
        self.pin_number(ref)

    def _open(self, ref: NumberRef) -> None:
        self.pin_number(ref, opening="must")

    def _choose_made(self) -> None:
        """Choose the number that the step makes; if it is chosen already, have it explained."""
        ref, chosen = self.focused_number(), self.selection.chosen
        if ref is not None:
            self.pin_number(ref, opening="must" if chosen.is_pinned and chosen.number == ref else "may")

    def _scrub(self, index: int) -> None:
        self.player.stop()
        self.go_to(index)

    def _go_first(self) -> None:
        self.step_by(-len(self._script))

    def _go_last(self) -> None:
        self.step_by(len(self._script))

    def _step_back(self) -> None:
        self.step_by(-1)

    def _step_forward(self) -> None:
        self.step_by(1)

    def _stage_before(self) -> None:
        self.go_to_stage(-1)

    def _stage_after(self) -> None:
        self.go_to_stage(1)

    def _query_before(self) -> None:
        self.step_query(-1)

    def _query_after(self) -> None:
        self.step_query(1)

    def _shown_query(self) -> int:
        return self.selection.chosen.query if self._query is None else self._query

    def _slower(self) -> None:
        self.step_speed(-1)

    def _faster(self) -> None:
        self.step_speed(1)

    def _describe(self) -> None:
        """Tell screen readers what happens, once the film rests."""
        shown = self.stage.picture
        if shown is not None:
            head = shown.title.partition(", ")[2]
            head = head.capitalize()
            is_told = not head or shown.caption.startswith(head)
            self.stage.setAccessibleDescription(shown.caption if is_told else f"{head}. {shown.caption}")
