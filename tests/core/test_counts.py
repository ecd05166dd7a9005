"""Counts against plain loops over every sequence of draws."""

from itertools import product
from math import prod

import numpy as np
import pytest

from specdec_core.counts import binomial, multinomial, outcomes


@pytest.mark.parametrize("share", [0, .2, .5, 1])
@pytest.mark.parametrize("n", [0, 1, 5])
def test_binomial(n, share):
    law = [0.0] * (n + 1)
    for hits in product([0, 1], repeat=n):
        law[sum(hits)] += prod(share if hit else 1 - share for hit in hits)
    np.testing.assert_allclose(binomial(n, share), law, atol=1e-15)


def test_outcomes_are_all_and_none_twice():
    rows = {tuple(row) for row in outcomes(4, 3).tolist()}
    assert rows == {row for row in product(range(5), repeat=3) if sum(row) <= 4} and len(outcomes(4, 3)) == len(rows)
    assert not outcomes(4, 3)[0].any() and outcomes(3, 0).shape == (1, 0)


@pytest.mark.parametrize("shares", [(.2, .3), (.5, .5), (0., .1), (1., 0.)])
def test_multinomial(shares):
    """Every sequence of four draws, each of them one of the two kinds or neither."""
    counts, law = outcomes(4, 2), {}
    for draws in product([0, 1, None], repeat=4):
        row = draws.count(0), draws.count(1)
        law[row] = law.get(row, 0) + prod(1 - sum(shares) if kind is None else shares[kind] for kind in draws)
    np.testing.assert_allclose(multinomial(4, shares, counts), [law[tuple(row)] for row in counts.tolist()], atol=1e-15)
    np.testing.assert_allclose(multinomial(4, [shares, (.1, .1)], counts).sum(axis=-1), 1, atol=1e-12)
