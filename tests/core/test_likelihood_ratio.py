"""The three uses of p/q, by hand and by what they are for."""

import numpy as np
import pytest
from hypothesis import given
from oracles import pairs

from specdec_core import DAPO_CLIP, PPO_CLIP, Clip, DistributionError, three_uses

P, Q = (.6, .1, .3), (.5, .4, .1)


def test_by_hand():
    uses = three_uses(P, Q, DAPO_CLIP)
    assert uses.ratio == pytest.approx([1.2, .25, 3]) and uses.envelope_constant == pytest.approx(3)
    assert uses.envelope == pytest.approx([.4, 1 / 12, 1]) and uses.speculative == pytest.approx([1, .25, 1])
    assert uses.clipped == pytest.approx([1.2, .8, 1.28]) and three_uses(P, Q, PPO_CLIP).clipped == pytest.approx([1.2, .8, 1.2])
    assert uses.effective_share == pytest.approx(1 / (.36 / .5 + .01 / .4 + .09 / .1))


@given(pairs())
def test_what_each_is_for(laws):
    """Weighted, q averages to p; under the envelope one draw in M stays; the effective share is 1 over the mean squared weight."""
    p, q = laws
    if ((p > 0) & (q == 0)).any():
        with pytest.raises(DistributionError, match="never gives"):
            three_uses(p, q, PPO_CLIP)
        return
    if (np.divide(p, q, out=np.zeros_like(p), where=q > 0) > 1e100).any():
        return
    uses = three_uses(p, q, PPO_CLIP)
    np.testing.assert_allclose(q * uses.ratio, p, atol=1e-12)
    assert (q * uses.envelope).sum() == pytest.approx(1 / uses.envelope_constant)
    assert (q * uses.speculative).sum() == pytest.approx(np.minimum(p, q).sum())
    assert uses.effective_share == pytest.approx(1 / (q * uses.ratio**2).sum())
    assert ((uses.clipped >= .8) & (uses.clipped <= 1.2)).all()


@pytest.mark.parametrize("clip", [PPO_CLIP, DAPO_CLIP, Clip(0, 0)])
@pytest.mark.parametrize("advantage", [-2, -.5, 0, .5, 2])
@pytest.mark.parametrize("ratio", [.1, .79, .9, 1.05, 1.25, 1.4, 3])
def test_a_word_learns_where_the_objective_has_a_slope(clip, ratio, advantage):
    step = 1e-6
    slope = (clip.objective(ratio + step, advantage) - clip.objective(ratio - step, advantage)) / (2 * step)
    assert clip.learns(ratio, advantage) == (abs(slope) > 1e-3)
    assert slope == pytest.approx(advantage if clip.learns(ratio, advantage) else 0, abs=1e-6)


def test_clipping_higher_lets_more_words_gain():
    assert DAPO_CLIP.learns(1.25, 1) and not PPO_CLIP.learns(1.25, 1) and DAPO_CLIP.low == PPO_CLIP.low


def test_what_is_no_clip():
    for wrong in (-.1, .2), (1.1, .2), (.2, -.1), (.2, float("inf")):
        with pytest.raises(ValueError, match="clip"):
            Clip(*wrong)
