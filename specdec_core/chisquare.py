"""The χ² law and its non-central cousin: tails and critical values, from the standard library's log-gamma alone."""

from __future__ import annotations

from functools import lru_cache
from math import exp, inf, lgamma, log, sqrt

_PRECISION = 1e-15  # a series or a fraction ends when a step changes it by less than this share
_FAR = 40.0  # standard deviations beyond which a tail is 0 or 1 to the last digit


def chi_square_tail(x: float, degrees: int) -> float:
    """P(χ² ≥ x): how often an exact rule shows a χ² of x or more; 1 for no degrees of freedom and x = 0.

    The regularised incomplete gamma function Q(degrees/2, x/2): its series below the mean, its continued fraction (Lentz's way)
    above, so that small tails keep their digits; both in logarithms, so that 50,000 degrees do not overflow. Source: Numerical
    Recipes, 6.2.
    """
    a, y = degrees / 2, x / 2
    if y <= 0 or a == 0:
        return float(y <= 0)
    if y == inf:
        return 0.0
    front = a * log(y) - y - lgamma(a)
    if y < a + 1:
        term = total = 1 / a
        n = a
        while term > total * _PRECISION:
            n += 1
            term *= y / n
            total += term
        return max(0.0, 1 - exp(front + log(total)))
    b, c, i = y + 1 - a, inf, 0
    d = fraction = 1 / b
    change = 0.0
    while abs(change - 1) > _PRECISION:
        i += 1
        step = i * (a - i)
        b += 2
        d = 1 / (b + step * d)
        c = b + step / c
        change = c * d
        fraction *= change
    return exp(front + log(fraction))


def noncentral_tail(x: float, degrees: int, noncentrality: float) -> float:
    """P(χ'² ≥ x): how often a rule of this non-centrality shows a χ² of x or more.

    A Poisson mixture of central tails with degrees, degrees + 2, … degrees of freedom, summed about its middle. The next tail is
    the last one and a single term more, since Q(a + 1, y) = Q(a, y) + y^a e^−y / Γ(a + 1).
    """
    rate, y = noncentrality / 2, x / 2
    if rate == 0:
        return chi_square_tail(x, degrees)
    mean, deviation = degrees + noncentrality, sqrt(2 * (degrees + 2 * noncentrality))
    if y <= 0 or noncentrality == inf or abs(x - mean) > _FAR * deviation + _FAR**2:
        return float(x <= mean)
    first = max(0, int(rate - 10 * sqrt(rate) - 10))
    tail, total = chi_square_tail(x, degrees + 2 * first), 0.0
    for j in range(first, int(rate + 10 * sqrt(rate) + 20)):
        total += exp(j * log(rate) - rate - lgamma(j + 1)) * tail
        a = degrees / 2 + j
        tail = min(1.0, tail + exp(a * log(y) - y - lgamma(a + 1)))
    return min(1.0, total)


@lru_cache(maxsize=256)
def critical_value(degrees: int, level: float) -> float:
    """The χ² that an exact rule reaches with probability `level`: 35.89 for 5 degrees of freedom at 1e-6."""
    low, high = 0.0, 1.0
    while chi_square_tail(high, degrees) > level:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if chi_square_tail(middle, degrees) > level else (low, middle)
    return high
