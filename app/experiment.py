"""One experiment of `/check`: its settings, and what the core says about it beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from specdec_core import (RULES, DistributionError, Rule, as_pmf, blend, calls_to_catch, expected_distance, outcome, shown_words,
                          total_variation)
from specdec_core.examples import Laws
from specdec_core.outcome import Outcome

MOST_WORDS = 50_000
"""The longest vocabulary that is run."""

_QUICK = 1_000  # words: up to here the forecast takes milliseconds


@dataclass(frozen=True, eq=False)
class Forecast:
    """What is known before a run and takes a moment to work out."""

    catch: int | None
    """`calls_to_catch`: how many calls catch the rule in 99 runs of 100; `None` if no number does."""
    n_words: NDArray[np.float64]
    """Numbers of words, evenly spaced on a logarithmic axis, from 1 to a little more than the run is expected to give."""
    distance: NDArray[np.float64]
    """The distance to p that chance alone leaves on average after so many words."""


@dataclass(frozen=True)
class Experiment:
    """The settings of a run; they never change, so a run keeps those it began with.

    Raises `DistributionError`, with one sentence, for laws that are none, and `ValueError` for a number out of range.
    """

    rule_name: str
    """A key of `RULES`."""
    laws: Laws
    closeness: float
    gamma: int
    seed: int
    calls: int

    def __post_init__(self) -> None:
        self.p, self.q  # the laws are checked when the experiment is made, not when it runs

    @property
    def rule(self) -> Rule:
        """The rule itself."""
        return RULES[self.rule_name]

    @cached_property
    def p(self) -> NDArray[np.float64]:
        """(V,): the target."""
        return checked(self.laws)[0]

    @cached_property
    def q(self) -> NDArray[np.float64]:
        """(V,): the draft at this closeness."""
        return blend(*checked(self.laws), self.closeness)

    @cached_property
    def law(self) -> NDArray[np.float64]:
        """(V,): the law of all the words that come out."""
        return self.rule.words_distribution(self.p, self.q, self.gamma)

    @cached_property
    def true_distance(self) -> float:
        """TV from that law to the target: where the distance of a broken rule stops falling."""
        return float(total_variation(self.law, self.p))

    @cached_property
    def outcome(self) -> Outcome:
        """What the rule does to the draft's favourites."""
        return outcome(self.rule, self.p, self.q, self.gamma)

    @cached_property
    def tokens(self) -> float:
        """Words per call, by the formula."""
        return self.rule.tokens_per_call(self.p, self.q, self.gamma)

    @cached_property
    def tokens_law(self) -> NDArray[np.float64]:
        """(γ + 1,): the chance of 1 … γ + 1 words in a call."""
        return self.rule.tokens_distribution(self.p, self.q, self.gamma)

    @cached_property
    def shown(self) -> NDArray[np.intp]:
        """The words that a chart names."""
        return shown_words(self.p)

    @property
    def quick(self) -> bool:
        """Whether the forecast takes milliseconds; if not, it belongs into a thread."""
        return len(self.p) <= _QUICK

    @cached_property
    def forecast(self) -> Forecast:
        """What takes a moment: up to a second where `quick` is false."""
        n_words = np.geomspace(1, 1.2 * self.calls * self.tokens, 40 if self.quick else 12).round()
        # One by one, so that other threads get their turn in between.
        distance = np.array([expected_distance(self.p, n) for n in n_words])
        return Forecast(calls_to_catch(self.rule, self.p, self.q, self.gamma), n_words, distance)


def checked(laws: Laws) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Target and draft (V,) of `laws`, or a `DistributionError` that says in one sentence what is wrong with them."""
    if not len(laws.words) == len(laws.target) == len(laws.draft):
        raise DistributionError(f"there are {len(laws.words)} words, {len(laws.target)} target and {len(laws.draft)} draft "
                                "numbers; there must be as many of each")
    if not 2 <= len(laws.words) <= MOST_WORDS:
        raise DistributionError(f"there must be 2 to {MOST_WORDS:,} words, not {len(laws.words):,}")
    if not all(isinstance(word, str) and word for word in laws.words) or len(set(laws.words)) < len(laws.words):
        raise DistributionError("every word must be a text of its own, and none may come twice")
    pmfs = []
    for name, values in ("target", laws.target), ("draft", laws.draft):
        try:
            pmfs.append(as_pmf(values))
        except DistributionError as error:
            raise DistributionError(f"the {name}: {error}") from None
    return pmfs[0], pmfs[1]
