"""The running share of points, and what the parts of an envelope add up to: against sums done by hand or by another route."""

import numpy as np
import pytest

from specdec_core import (BELL_PROPOSAL, FLAT_PROPOSAL, DistributionError, ball_darts, blend, effective_share, envelope_constant,
                          kept_distribution, kept_parts, kept_share, two_bumps)
from specdec_core.examples import TRY_IT, UNLIKE

EDGES = np.linspace(-2.5, 2.5, 11)


def test_the_running_share_is_each_prefix_counted():
    darts = ball_darts(2, 500, 7)
    counts = [1, 2, 77, 500]
    assert list(darts.shares(counts)) == [sum(darts.inside[:n].tolist()) / n for n in counts]
    assert darts.kept == darts.inside.sum() and ball_darts(2, 0, 7).kept == 0


def test_the_parts_of_the_envelope():
    assert kept_parts(*UNLIKE[1:], 2) == pytest.approx([.2, .15, .1]) and kept_share(*UNLIKE[1:], 2) == pytest.approx(.45)
    assert kept_distribution(*UNLIKE[1:], 2) == pytest.approx([4 / 9, 3 / 9, 2 / 9])
    assert kept_share(*UNLIKE[1:], 2.5) == pytest.approx(.4) and kept_distribution(*UNLIKE[1:], 2.5) == pytest.approx(UNLIKE.target)


@pytest.mark.parametrize("proposal", [BELL_PROPOSAL, FLAT_PROPOSAL])
def test_a_densitys_envelope_by_another_quadrature(proposal):
    """Against Simpson's rule on a grid of its own."""
    x = np.linspace(-2.5, 2.5, 20_001)
    weights = np.full(20_001, 2.)
    weights[1::2], weights[[0, -1]] = 4, 1
    weights *= (x[1] - x[0]) / 3
    M = envelope_constant(two_bumps, proposal, (-2.5, 2.5))
    for multiple in 1, 1.5, .7:
        kept = np.minimum(two_bumps(x), multiple * M * proposal.density(x))
        total = kept @ weights
        assert kept_share(two_bumps, proposal, multiple * M, (-2.5, 2.5)) == pytest.approx(total / (multiple * M), rel=1e-5)
        assert (total == pytest.approx(1, abs=1e-5)) == (multiple >= 1)
        first = kept[:2001] @ [*weights[:2000], weights[0]]
        law = kept_distribution(two_bumps, proposal, multiple * M, EDGES)
        assert law.sum() == pytest.approx(1) and law[0] == pytest.approx(first / total, rel=1e-4)


def test_what_a_weighted_proposal_is_worth():
    q = blend(TRY_IT.target, TRY_IT.draft, .5)
    weights = np.repeat(np.array(TRY_IT.target) / q, np.round(q * 200_000).astype(int))
    assert effective_share(TRY_IT.target, q) == pytest.approx(weights.sum()**2 / (weights**2).sum() / len(weights), rel=1e-9)
    assert effective_share(TRY_IT.target, TRY_IT.target) == pytest.approx(1) and effective_share((1, 0), (0, 1)) == 0
    with pytest.raises(DistributionError):
        effective_share((.5, .6), (.5, .5))
