"""The factor that multiplies the raw scores: the scale rules, joined with the temperature."""

import math
from collections.abc import Callable
from numbers import Real

from attnviz.engine.registry import Registry

ScaleRule = Callable[[int], float]

SCALE_RULES: Registry[ScaleRule] = Registry("scale")


@SCALE_RULES.register("none", "None", "The raw dot products are used as they are.")
def unscaled(d_k: int) -> float:  # noqa: ARG001  every rule takes d_k
    """Give 1 for every width.

    Parameters
    ----------
    d_k : int
        Width of one query or key, at least 1.

    Returns
    -------
    float
        Always 1.
    """
    return 1.0


@SCALE_RULES.register("sqrt_d_k", "1/√d_k", "The paper's rule: keeps the spread of the scores near 1 at every width.")
def inverse_root(d_k: int) -> float:
    """Give 1/sqrt(d_k), with the width of one head.

    Parameters
    ----------
    d_k : int
        Width of one query or key, at least 1.

    Returns
    -------
    float
        The factor, in (0, 1].
    """
    return 1.0 / math.sqrt(d_k)


@SCALE_RULES.register("d_k", "1/d_k", "Divides by the whole width: at large widths differences wash out.")
def inverse_width(d_k: int) -> float:
    """Give 1/d_k, the rule of width-independent parametrisations.

    Parameters
    ----------
    d_k : int
        Width of one query or key, at least 1.

    Returns
    -------
    float
        The factor, in (0, 1].
    """
    return 1.0 / d_k


def scale_factor(scale: str | float, d_k: int) -> float:
    """Find the factor of a scale rule, or check a factor given as a number.

    Parameters
    ----------
    scale : str or float
        A name in `SCALE_RULES`, or any finite number.
    d_k : int
        Width of one query or key, at least 1.

    Returns
    -------
    float
        The factor, without the temperature.

    Raises
    ------
    ValueError
        If the name is unknown or the number is not finite.

    Examples
    --------
    >>> scale_factor("sqrt_d_k", 64), scale_factor("d_k", 64), scale_factor(0.5, 64)
    (0.125, 0.015625, 0.5)
    """
    if isinstance(scale, str):
        return SCALE_RULES[scale].function(d_k)
    if not isinstance(scale, Real) or isinstance(scale, bool) or not math.isfinite(scale):
        raise ValueError(f"scale must be a finite number or one of {', '.join(map(repr, SCALE_RULES))}, got {scale!r}")
    return float(scale)


def checked_temperature(temperature: float) -> float:
    """Give the temperature back when it is a finite number above 0.

    Parameters
    ----------
    temperature : float
        Divides the scaled scores; above 0.

    Returns
    -------
    float
        The same number.

    Raises
    ------
    ValueError
        If it is 0 (with the reason), negative, infinite or not a number.
    """
    if not isinstance(temperature, Real) or isinstance(temperature, bool) or not 0 < temperature < math.inf:
        if temperature == 0:
            raise ValueError(
                "temperature must be above 0, got 0: the scores are divided by it; "
                "a tiny temperature such as 1e-6 gives the hard choice"
            )
        raise ValueError(f"temperature must be a finite number above 0, got {temperature!r}")
    return float(temperature)


def full_multiplier(scale: str | float, temperature: float, d_k: int) -> float:
    """Give scale factor / temperature, the one number that multiplies the scores.

    Parameters
    ----------
    scale : str or float
        A name in `SCALE_RULES`, or any finite number.
    temperature : float
        Above 0, finite.
    d_k : int
        Width of one query or key, at least 1.

    Returns
    -------
    float
        The multiplier; infinite if the quotient leaves the range of float64.

    Raises
    ------
    ValueError
        If the scale or the temperature is refused.

    Examples
    --------
    >>> full_multiplier("sqrt_d_k", 0.5, 16)
    0.5
    """
    return scale_factor(scale, d_k) / checked_temperature(temperature)
