"""The same attention by PyTorch, in float64: its answers as record_torch.py wrote them down."""

import json
from pathlib import Path

import numpy as np
import pytest

from attnviz.engine import attend, attend_heads, backward, causal_mask

VALUES = Path(__file__).with_name("torch_values.json")


@pytest.fixture(scope="module")
def recorded():
    return json.loads(VALUES.read_text("utf-8"))


def inputs(case):
    return case["q"], case["k"], case["v"]


@pytest.mark.parametrize("scale", ["sqrt_d_k", "none", 0.3])
def test_scale_agrees(recorded, scale):
    case = recorded["scales"]
    expected = case["outputs"][str(scale)]
    np.testing.assert_allclose(attend(*inputs(case), scale=scale).output, expected, rtol=0, atol=1e-12)


def test_bool_mask_with_an_empty_row_agrees(recorded):
    case = recorded["mask"]
    trace = attend(*inputs(case), allowed=case["allowed"])
    assert trace.empty_rows.any()
    np.testing.assert_allclose(trace.output, case["output"], rtol=0, atol=1e-12)


def test_bias_agrees_with_a_float_mask(recorded):
    case = recorded["bias"]
    np.testing.assert_allclose(attend(*inputs(case), bias=case["bias"]).output, case["output"], rtol=0, atol=1e-12)


def test_causal_flag_is_the_top_left_alignment(recorded):
    case = recorded["causal"]
    output = attend(*inputs(case), allowed=causal_mask(5, 7, "top_left")).output
    np.testing.assert_allclose(output, case["output"], rtol=0, atol=1e-12)


def test_grouped_queries_agree(recorded):
    case = recorded["grouped"]
    projections = {name: case[name] for name in ("w_q", "w_k", "w_v")}
    heads = attend_heads(case["x"], **projections, n_heads=4, n_kv_heads=2).heads
    np.testing.assert_allclose(heads.output, case["output"], rtol=0, atol=1e-12)


def test_multi_head_module_agrees_weights_and_output(recorded):
    case = recorded["module"]
    trace = attend_heads(case["x"], **case["parameters"], n_heads=3, allowed=causal_mask(5, 5))
    np.testing.assert_allclose(trace.heads.weights, case["weights"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(trace.output, case["output"], rtol=0, atol=1e-12)


def test_backward_agrees_with_automatic_differentiation(recorded):
    case = recorded["backward"]
    gradients = backward(attend(*inputs(case), allowed=case["allowed"]), case["grad"])
    for name, expected in case["gradients"].items():
        np.testing.assert_allclose(getattr(gradients, name), expected, rtol=0, atol=1e-12)
