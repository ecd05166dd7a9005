"""Groups kept and thrown away, against every group there can be, and against the sampler."""

from itertools import product
from math import exp, inf, prod

import numpy as np
import pytest

from specdec_core import all_right, all_wrong, fill_batch, pass_rates, prompts_per_group, useful_share
from specdec_core.examples import DIFFICULTIES


@pytest.mark.parametrize("s", [0, .05, .5, .9, 1])
@pytest.mark.parametrize("group", [1, 2, 5])
def test_every_group(s, group):
    useful = right = wrong = 0.0
    for rewards in product([0, 1], repeat=group):
        chance = prod(s if reward else 1 - s for reward in rewards)
        useful += chance * (len(set(rewards)) > 1)
        right += chance * all(rewards)
        wrong += chance * (not any(rewards))
    assert (useful_share(s, group), all_right(s, group), all_wrong(s, group)) == pytest.approx((useful, right, wrong), abs=1e-12)


def test_published_and_reported():
    assert useful_share(.05, 16) == pytest.approx(.559873331348234) and prompts_per_group(.5) == 2 and prompts_per_group(0.0) == inf
    assert 64 * useful_share(.9, 8) == pytest.approx(36.45009792)
    assert useful_share(np.array([.5, .9]), 16).shape == (2,)


def test_skill_and_difficulty():
    assert pass_rates(0, DIFFICULTIES) == pytest.approx([1 / (1 + exp(d)) for d in DIFFICULTIES])
    assert pass_rates(2.0, [2.0]) == .5 and pass_rates(np.zeros(3), DIFFICULTIES).shape == (3, 7)
    shares = [useful_share(pass_rates(skill, DIFFICULTIES), 16).mean() for skill in range(9)]
    assert np.argmax(shares) == 4 and shares == pytest.approx(shares[::-1])


def test_a_batch_is_filled_and_everything_drawn_is_in_the_record():
    groups = fill_batch([.9, .1], 4, 20, 500, 3)
    assert len(groups.accepted) == 20 and groups.useful[-1] and len(groups.accepted) + len(groups.rejected) == len(groups.prompt)
    assert (groups.useful == ((groups.right != 0) & (groups.right != 4))).all()
    assert groups.prompt.tolist() == [i % 2 for i in range(len(groups.prompt))]
    more = fill_batch([.9, .1], 4, 30, 500, 3)
    assert more.right[:len(groups.right)].tolist() == groups.right.tolist()
    assert len(fill_batch(1, 4, 1, 50, 3).prompt) == 50 and not fill_batch(0, 4, 1, 50, 3).useful.any()


def test_how_many_prompts_a_batch_takes():
    """The mean over 400 seeds within 5.2 standard errors (a false alarm in five million), and not that of a group one larger."""
    drawn = np.array([len(fill_batch(.9, 8, 64, 1000, seed).prompt) for seed in range(400)])
    error = drawn.std() / 20
    assert abs(drawn.mean() - 64 * prompts_per_group(useful_share(.9, 8))) < 5.2 * error
    assert abs(drawn.mean() - 64 * prompts_per_group(useful_share(.9, 9))) > 5.2 * error


def test_out_of_range():
    for rate in -.1, 1.1, float("nan"):
        with pytest.raises(ValueError, match="pass rate"):
            useful_share(rate, 4)
    with pytest.raises(ValueError, match="group"):
        useful_share(.5, 0)
    with pytest.raises(ValueError, match="wanted"):
        fill_batch(.5, 4, 0, 9, 1)
