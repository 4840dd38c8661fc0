"""Random walks over every edit with undo, redo, save and load: what comes back is the same to the last bit."""

from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from attnviz.document import edits, head_edits, layer_edits, matrix_edits, position_edits, snapshot_edits
from attnviz.document.attn_file import decode, encode
from attnviz.document.cross_attention import replace_list, set_cross
from attnviz.document.errors import DocumentError
from attnviz.document.frame import compute
from attnviz.document.history import History
from attnviz.document.matrix_shapes import MATRIX_OPERATIONS
from attnviz.document.number_ref import NumberRef
from attnviz.document.parameters import CAUSAL_SWITCH
from attnviz.document.state import SCALARS
from attnviz.engine import POSITIONAL_ENCODINGS
from tests.document import states

SIDES = st.sampled_from(["sequence", "context"])
NUMBERS = st.floats(-4.0, 4.0) | st.sampled_from([-0.0, 5e-324, 1e-300, np.nan, 1e300])
PLACES = st.integers(-1, 7)
TOKENS = st.sampled_from([*states.ODD_TOKENS, "the", "the", "cat", ""]) | st.text(max_size=3)
ROWS = st.tuples(TOKENS, st.none() | st.lists(NUMBERS, max_size=5))
SENTENCES = st.lists(st.sampled_from(["the", "the", "cat", "sat", "<s>", "שלום", "a\u00a0b"]), max_size=6).map(" ".join)
MATRICES = st.sampled_from([*matrix_edits.EDITABLE_MATRICES, "w_x"])
OPERATIONS = st.sampled_from([*MATRIX_OPERATIONS, "cube"])
ENTRIES = st.lists(st.lists(NUMBERS, min_size=1, max_size=3), min_size=1, max_size=3)
GESTURES = st.none() | st.sampled_from([1, 2])


def scalar_settings():
    """A key with a value that may or may not be one of it."""
    values = {
        "number": lambda _: NUMBERS,
        "count": lambda _: st.integers(-1, 20) | st.just(10**400),
        "switch": lambda _: st.booleans(),
        "choice": lambda scalar: st.sampled_from([*(name for name, _, _ in scalar.choices), "other"]),
    }
    scalars = [*SCALARS.values(), CAUSAL_SWITCH]
    return st.sampled_from(scalars).flatmap(lambda s: st.tuples(st.just(s.key), values[s.kind](s)))


def padding_at(state, key, is_padding):
    return layer_edits.set_padding(state, key, is_padding=is_padding)


def named(edit, **keywords):
    """Give an edit its keywords; it keeps its name."""
    whole = partial(edit, **keywords)
    whole.__name__ = edit.__name__
    return whole


class EditMachine(RuleBasedStateMachine):
    """Compares the history with two plain lists of encoded states."""

    @initialize(kind=st.sampled_from(["flat", "cross", "deep", "line", "heads"]))
    def start(self, kind):
        start = {
            "flat": states.cat_dog_phone,
            "cross": lambda: states.cross_state(2, 3, 2),
            "deep": lambda: states.random_state(3, 5),
            "line": lambda: states.random_state(2, 1),
            "heads": lambda: states.random_state(3, 4, n_heads=2),
        }
        state = start[kind]()
        self.history = History(state)
        self.past, self.future = [], []
        self.present = self.saved = encode(state)

    def apply(self, edit, *args, gesture=None):
        """Apply an edit; where it is refused nothing may have changed."""
        try:
            state = edit(self.history.state, *args)
            compute(state)
        except DocumentError as error:
            states.assert_one_sentence(error)
            return
        after = encode(state)
        assert self.history.push(state, getattr(edit, "__name__", "partial"), gesture) == (after != self.present)
        if after != self.present:
            self.note(after, gesture)

    def note(self, after, gesture):
        is_continued = gesture is not None and not self.future and self.past and self.past[-1][1] == gesture
        if not is_continued:
            self.past.append((self.present, gesture, self.future))
            self.future = []
        elif after == self.past[-1][0]:
            self.future = self.past.pop()[2]
        self.present = after

    @rule(setting=scalar_settings(), gesture=GESTURES)
    def set_scalar(self, setting, gesture):
        self.apply(edits.set_scalar, *setting, gesture=gesture)

    @rule()
    def redraw(self):
        self.apply(edits.redraw)

    @rule(side=SIDES, index=PLACES, x=NUMBERS, y=NUMBERS, gesture=GESTURES)
    def move_point(self, side, index, x, y, gesture):
        self.apply(edits.move_point, side, index, x, y, gesture=gesture)

    @rule(side=SIDES, index=PLACES, row=st.lists(NUMBERS, min_size=1, max_size=5))
    def set_embedding(self, side, index, row):
        self.apply(edits.set_embedding, side, index, row)

    @rule(side=SIDES, index=PLACES, coordinate=PLACES, value=NUMBERS)
    def set_coordinate(self, side, index, coordinate, value):
        self.apply(edits.set_coordinate, side, index, coordinate, value)

    @rule(side=SIDES, index=PLACES, token=TOKENS)
    def rename_token(self, side, index, token):
        self.apply(edits.rename_token, side, index, token)

    @rule(side=SIDES, index=PLACES, token=TOKENS)
    def insert_token(self, side, index, token):
        self.apply(edits.insert_token, side, index, token)

    @rule(side=SIDES, token=TOKENS, x=NUMBERS, y=NUMBERS)
    def add_point(self, side, token, x, y):
        self.apply(edits.add_point, side, token, x, y)

    @rule(side=SIDES, indices=st.lists(PLACES, max_size=3))
    def delete_tokens(self, side, indices):
        self.apply(edits.delete_tokens, side, indices)

    @rule(side=SIDES, index=PLACES, to=PLACES)
    def move_token(self, side, index, to):
        self.apply(edits.move_token, side, index, to)

    @rule(side=SIDES, order=st.lists(PLACES, max_size=4) | st.permutations(range(3)))
    def reorder_tokens(self, side, order):
        self.apply(edits.reorder_tokens, side, order)

    @rule(is_cross=st.booleans())
    def set_cross(self, is_cross):
        self.apply(named(set_cross, is_cross=is_cross))

    @rule(side=SIDES, width=st.integers(1, 4))
    def replace_list(self, side, width):
        self.apply(replace_list, side, ["x", "y"], np.arange(2.0 * width).reshape(2, width))

    @rule(side=SIDES, sentence=SENTENCES)
    def set_sentence(self, side, sentence):
        self.apply(edits.set_sentence, side, sentence)

    @rule(side=SIDES, sentences=st.lists(SENTENCES, min_size=1, max_size=3))
    def type_sentence(self, side, sentences):
        base = self.history.state
        for sentence in sentences:
            self.apply(partial(edits.set_sentence, base=base), side, sentence, gesture=3)

    @rule(side=SIDES, at=PLACES, rows=st.lists(ROWS, max_size=2))
    def paste_rows(self, side, at, rows):
        self.apply(edits.paste_rows, side, at, rows)

    @rule(kind=st.sampled_from(["q", "k", "v", "score", "weight", "entropy"]), row=PLACES, column=PLACES, value=NUMBERS)
    def pin_number(self, kind, row, column, value):
        self.apply(edits.pin_number, NumberRef(kind, (row, column)), value)

    @rule(number=st.randoms(use_true_random=False))
    def release_number(self, number):
        pins = [one.ref for one in self.history.state.interventions]
        self.apply(edits.release_number, number.choice([*pins, NumberRef("score", (0, 0))]))

    @rule()
    def release_all(self):
        self.apply(edits.release_all)

    @rule(key=PLACES, is_padding=st.booleans(), gesture=GESTURES)
    def set_padding(self, key, is_padding, gesture):
        self.apply(partial(layer_edits.set_padding, is_padding=is_padding), key, gesture=gesture)

    @rule(cells=st.lists(st.tuples(PLACES, PLACES), max_size=4), is_visible=st.booleans(), gesture=GESTURES)
    def set_visible(self, cells, is_visible, gesture):
        self.apply(partial(layer_edits.set_visible, is_visible=is_visible), cells, gesture=gesture)

    @rule()
    def invert_mask(self):
        self.apply(layer_edits.invert_mask)

    @rule()
    def clear_mask(self):
        self.apply(layer_edits.clear_mask)

    @rule(rows=st.integers(1, 4), columns=st.integers(1, 4))
    def set_mask_array(self, rows, columns):
        self.apply(layer_edits.set_mask_array, np.eye(rows, columns, dtype=bool))

    @rule(head=PLACES, logit=NUMBERS, gesture=GESTURES)
    def set_sink(self, head, logit, gesture):
        self.apply(layer_edits.set_sink, head, logit, gesture=gesture)

    @rule(name=st.sampled_from(["A", "B", "", "x" * 99]))
    def take_snapshot(self, name):
        self.apply(snapshot_edits.take_snapshot, name)

    @rule(index=PLACES, name=st.sampled_from(["A", "two", "\n"]))
    def rename_snapshot(self, index, name):
        self.apply(snapshot_edits.rename_snapshot, index, name)

    @rule(index=PLACES)
    def restore_snapshot(self, index):
        self.apply(snapshot_edits.restore_snapshot, index)

    @rule(index=PLACES)
    def delete_snapshot(self, index):
        self.apply(snapshot_edits.delete_snapshot, index)

    @rule(name=MATRICES, row=PLACES, column=PLACES, value=NUMBERS, gesture=GESTURES)
    def set_matrix_entry(self, name, row, column, value, gesture):
        self.apply(matrix_edits.set_matrix_entry, name, row, column, value, gesture=gesture)

    @rule(name=MATRICES, entries=ENTRIES)
    def set_matrix(self, name, entries):
        self.apply(matrix_edits.set_matrix, name, entries)

    @rule(name=MATRICES, operation=OPERATIONS, value=st.none() | NUMBERS | st.integers(-1, 4), gesture=GESTURES)
    def shape_matrix(self, name, operation, value, gesture):
        self.apply(matrix_edits.shape_matrix, name, operation, value, gesture=gesture)

    @rule(name=MATRICES, width=st.integers(1, 3), degrees=NUMBERS | st.integers(-180, 180), gesture=GESTURES)
    def turn_matrix(self, name, width, degrees, gesture):
        self.apply(matrix_edits.turn_matrix, name, np.eye(width), degrees, gesture=gesture)

    @rule()
    def refit_plane(self):
        self.apply(edits.refit_plane)

    @rule(width=st.integers(1, 4))
    def replace_embeddings(self, width):
        self.apply(edits.replace_embeddings, ["x", "y"], np.arange(2.0 * width).reshape(2, width), "new")

    @rule(side=SIDES, ids=st.lists(NUMBERS, min_size=2, max_size=4))
    def set_position_ids(self, side, ids):
        self.apply(position_edits.set_position_ids, side, ids)

    @rule(side=SIDES, index=PLACES, position=NUMBERS)
    def set_position(self, side, index, position):
        self.apply(layer_edits.set_position, side, index, position)

    @rule()
    def reset_positions(self):
        self.apply(layer_edits.reset_positions)

    @rule(key=PLACES, is_padding=st.booleans())
    def count_real_tokens(self, key, is_padding):
        self.apply(padding_at, key, is_padding)
        self.apply(position_edits.count_real_tokens)

    @rule(encoding=st.sampled_from([choice.name for choice in POSITIONAL_ENCODINGS.values()]))
    def set_positions(self, encoding):
        self.apply(edits.set_scalar, "positions", encoding)

    @rule(position=PLACES, channel=PLACES, value=NUMBERS)
    def set_table_entry(self, position, channel, value):
        self.apply(position_edits.set_table_entry, position, channel, value)

    @rule(head=st.integers(-1, 1), bucket=PLACES, value=NUMBERS)
    def set_bucket_bias(self, head, bucket, value):
        self.apply(position_edits.set_bucket_bias, head, bucket, value)

    @rule()
    def forget_tables(self):
        self.apply(position_edits.forget_tables)

    @rule(name=st.sampled_from([*matrix_edits.OPTIONAL_MATRICES, "w_q"]))
    def add_matrix(self, name):
        self.apply(matrix_edits.add_matrix, name)

    @rule(name=st.sampled_from([*matrix_edits.OPTIONAL_MATRICES, "w_q"]))
    def remove_matrix(self, name):
        self.apply(matrix_edits.remove_matrix, name)

    @rule(kind=st.sampled_from(["none", "identity", "random", "other"]), seed=st.integers(-1, 3))
    def use_w_o(self, kind, seed):
        self.apply(head_edits.use_w_o, kind, seed)

    @rule()
    def undo_to_the_beginning_and_redo_to_the_end(self):
        past, present = [before for before, _, _ in self.past], self.present
        for before in reversed(past):
            assert self.history.undo()
            assert encode(self.history.state) == before
        for after in [*past, present][1:]:
            assert self.history.redo()
            assert encode(self.history.state) == after

    @rule()
    def undo(self):
        assert self.history.undo() == bool(self.past)
        if self.past:
            before, gesture, cut = self.past.pop()
            self.future = [(self.present, gesture, cut), *self.future]
            self.present = before

    @rule()
    def redo(self):
        assert self.history.redo() == bool(self.future)
        if self.future:
            (after, gesture, cut), *self.future = self.future
            self.past.append((self.present, gesture, cut))
            self.present = after

    @rule()
    def save(self):
        self.history.mark_saved()
        self.saved = self.present

    @invariant()
    def present_state_is_the_expected_one_to_the_last_bit(self):
        assert encode(self.history.state) == self.present

    @invariant()
    def saved_file_reads_back_to_the_last_bit(self):
        assert decode(self.present, "f").is_same(self.history.state)

    @invariant()
    def clean_mark_says_whether_the_state_is_the_saved_one(self):
        assert self.history.is_clean == (self.present == self.saved)

    @invariant()
    def labels_say_what_can_be_undone_and_redone(self):
        assert (self.history.undo_label is not None) == bool(self.past)
        assert (self.history.redo_label is not None) == bool(self.future)


def run(examples, steps):
    profile = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(EditMachine, settings=profile)


def test_random_edits_undo_and_redo_to_the_last_bit():
    run(examples=15, steps=25)


@pytest.mark.long
def test_thousands_of_random_edits_undo_and_redo_to_the_last_bit():
    run(examples=400, steps=60)
