"""Registries of named choices."""

import pytest

from attnviz.engine import SCALE_RULES, Registry, UnknownChoiceError, full_multiplier


def test_choices_come_in_the_order_of_registration():
    assert list(SCALE_RULES) == ["none", "sqrt_d_k", "d_k"]
    assert len(SCALE_RULES) == 3


def test_choice_carries_name_label_help_and_function():
    choice = SCALE_RULES["sqrt_d_k"]
    assert (choice.name, choice.label) == ("sqrt_d_k", "1/√d_k")
    assert choice.help
    assert choice.function(16) == 0.25


def test_unknown_name_is_a_value_error_and_a_key_error_that_lists_the_names():
    with pytest.raises(ValueError, match=r"^scale must be one of 'none', 'sqrt_d_k', 'd_k', got 'cube'$"):
        SCALE_RULES["cube"]
    with pytest.raises(KeyError):
        SCALE_RULES["cube"]
    assert "cube" not in SCALE_RULES
    assert SCALE_RULES.get("cube") is None
    assert str(UnknownChoiceError("as it is")) == "as it is"


def test_name_can_be_registered_once():
    registry = Registry("colour")
    registry.register("red", "Red", "A colour.")(print)
    with pytest.raises(ValueError, match="colour 'red' is already registered"):
        registry.register("red", "Red", "Again.")


def test_multiplier_is_the_factor_over_the_temperature():
    assert full_multiplier("sqrt_d_k", 0.5, 64) == 0.25
    assert full_multiplier(3, 2, 64) == 1.5
