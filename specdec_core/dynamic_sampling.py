"""Dynamic sampling: groups of answers that all got the same reward teach nothing and are thrown away.

A group holds G answers to one prompt, each right with the prompt's pass rate s. Group-relative policy gradients compare answers
within a group, so a group that is all right or all wrong has no gradient; more prompts are drawn until a batch is full of groups
that have one. Source: DAPO, Yu et al. 2025, arXiv:2503.14476, section 3.2; groups of 16 in its section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .speculative import MAX_SEED, whole


def _rates(pass_rate: ArrayLike) -> NDArray[np.float64]:
    rates = np.asarray(pass_rate, dtype=np.float64)
    if not ((rates >= 0) & (rates <= 1)).all():
        raise ValueError("a pass rate must lie between 0 and 1")
    return rates


def all_right(pass_rate: ArrayLike, group: int) -> NDArray[np.float64] | np.float64:
    """s^G: the share of groups whose answers are all right. `pass_rate` (...) in [0, 1]; raises `ValueError` out of range."""
    return _rates(pass_rate) ** whole("group", group, 1, inf)


def all_wrong(pass_rate: ArrayLike, group: int) -> NDArray[np.float64] | np.float64:
    """(1 − s)^G: the share of groups whose answers are all wrong."""
    return all_right(1 - _rates(pass_rate), group)


def useful_share(pass_rate: ArrayLike, group: int) -> NDArray[np.float64] | np.float64:
    """1 − s^G − (1 − s)^G: the share of groups (...) with answers of both kinds, which are kept."""
    return np.maximum(1 - all_right(pass_rate, group) - all_wrong(pass_rate, group), 0.0)


def prompts_per_group(share: ArrayLike) -> NDArray[np.float64] | np.float64:
    """1/share: prompts to draw for each useful group, on average; infinite where none is useful."""
    with np.errstate(divide="ignore"):
        return np.divide(1.0, share)


def pass_rates(skill: ArrayLike, difficulties: ArrayLike) -> NDArray[np.float64]:
    """1/(1 + e^(difficulty − skill)): the pass rates (..., P) of prompts of difficulties (P,) for a policy of a skill (...).

    Both on one scale, in log-odds: skill equal to difficulty passes half of the time. Source: the Rasch model, Rasch 1960.
    """
    return 1 / (1 + np.exp(np.asarray(difficulties) - np.asarray(skill, dtype=np.float64)[..., None]))


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups drawn to fill a batch, the useless ones included, in order."""

    prompt: NDArray[np.intp]
    """(N,): the prompt of each group."""
    right: NDArray[np.intp]
    """(N,): how many of its answers were right."""
    useful: NDArray[np.bool_]
    """(N,): whether it is kept."""

    @property
    def accepted(self) -> NDArray[np.intp]:
        """The prompts whose groups were kept, in order."""
        return self.prompt[self.useful]

    @property
    def rejected(self) -> NDArray[np.intp]:
        """The prompts whose groups were thrown away, in order."""
        return self.prompt[~self.useful]


def fill_batch(pass_rate: ArrayLike, group: int, wanted: int, most: int, seed: int) -> Groups:
    """Draw groups until `wanted` are useful, or `most` are drawn; prompts (P,) with these pass rates take turns.

    `pass_rate` may be one number. Group k has the same luck however many are wanted. Raises `ValueError` out of range.
    """
    rates, group = np.atleast_1d(_rates(pass_rate)), whole("group", group, 1, inf)
    wanted, most = whole("wanted", wanted, 1, inf), whole("most", most, 1, inf)
    u = np.random.RandomState(whole("seed", seed, 0, MAX_SEED)).random_sample((most, group))
    prompt = np.arange(most) % len(rates)
    right = (u < rates[prompt, None]).sum(axis=1)
    useful = (right > 0) & (right < group)
    end = min(most, int(np.searchsorted(np.cumsum(useful), wanted)) + 1)
    return Groups(prompt[:end], right[:end], useful[:end])
