"""What a rule for judging drafted words is, and the two exact ones; the broken ones are in `rules`.

A rule says which law drafted words are drawn from, which of them are kept, and what replaces the first that is not; the bonus is
always drawn from p. From that follow, by enumeration, the law of a word that comes out, how many come out per call, and the law of
all of them; and a judge for `speculative.judged_blocks`, on the same uniforms for every rule: call k is the same luck, judged
differently.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .distributions import choose, cumulative
from .examples import TRY_IT, Laws
from .speculative import MAX_GAMMA, Judge, acceptance_probability, accepted_prefix, judge, recovery


@dataclass(frozen=True)
class Rule:
    """What all rules share. A rule is its answers to `drawn`, `test` and `recovery`, here those of the exact rule.

    Throughout, `p` is the target and `q` the draft as the engine believes it, laws (V,) over the same words, and positions are
    independent. A rule is `exact` if its words have law p whatever the laws are; if not, it is wrong at least on `laws`.
    """

    name: ClassVar[str]
    does: ClassVar[str]
    """What it does, in a sentence of plain words."""
    seen: ClassVar[str]
    """Where it has been seen in public, in a sentence."""
    exact: ClassVar[bool] = False
    laws: ClassVar[Laws] = TRY_IT

    def drawn(self, q: NDArray) -> NDArray[np.float64]:
        """(V,): the law that drafted words are really drawn from."""
        return q

    def test(self, p: NDArray, q: NDArray) -> tuple[NDArray, NDArray]:
        """(V,) and (V,), scale and bound: a drafted word x is kept iff u·scale(x) < bound(x)."""
        return q, p

    def recovery(self, p: NDArray, q: NDArray) -> NDArray[np.float64]:
        """(V,): the law of the word that replaces the first rejected one."""
        return recovery(p, q)

    def judge(self, p: NDArray, q: NDArray, gamma: int) -> Judge:
        """The rule at work on blocks of uniforms."""
        return judge(self.drawn(q), *self.test(p, q), self.recovery(p, q), p, gamma)

    def kept(self, p: ArrayLike, q: ArrayLike) -> NDArray[np.float64]:
        """(V,): the chance that each word, once drafted, is kept."""
        scale, bound = self.test(np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64))
        return acceptance_probability(bound, scale)

    def output_distribution(self, p: ArrayLike, q: ArrayLike) -> NDArray[np.float64]:
        """(V,): the law of the word that comes out where one was drafted: kept, or rejected and then replaced."""
        p, q = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
        drawn, kept = self.drawn(q), self.kept(p, q)
        return drawn * kept + (drawn * (1 - kept)).sum() * self.recovery(p, q)

    def acceptance_rate(self, p: ArrayLike, q: ArrayLike) -> float:
        """The share of first drafted words that are kept."""
        return float(self.survival(p, q, 1)[1])

    def survival(self, p: ArrayLike, q: ArrayLike, gamma: int) -> NDArray[np.float64]:
        """(γ + 1,): entry i is the chance that the first i drafted words are all kept, i = 0 … γ."""
        alpha = (self.drawn(np.asarray(q, dtype=np.float64)) * self.kept(p, q)).sum()
        return np.minimum(alpha, 1.0) ** np.arange(gamma + 1)

    def tokens_per_call(self, p: ArrayLike, q: ArrayLike, gamma: int) -> float:
        """Mean words per call: one for every i that the first i drafted words survive."""
        return float(self.survival(p, q, gamma).sum())

    def tokens_distribution(self, p: ArrayLike, q: ArrayLike, gamma: int) -> NDArray[np.float64]:
        """(γ + 1,): entry k − 1 is the chance of k words in a call, k = 1 … γ + 1."""
        survival = self.survival(p, q, gamma)
        return survival - np.append(survival[1:], 0.0)

    def words_distribution(self, p: ArrayLike, q: ArrayLike, gamma: int) -> NDArray[np.float64]:
        """(V,): the law of all the words of many calls: `output_distribution`, diluted by bonuses, which have law p."""
        survival = self.survival(p, q, gamma)
        heads = survival[:-1].sum() * self.output_distribution(p, q)
        return (heads + survival[-1] * np.asarray(p)) / survival.sum()


@dataclass(frozen=True)
class Speculative(Rule):
    """Keep x iff u·q(x) < p(x), else draw from the residual. Source: as for `speculative`."""

    name = "Speculative rule"
    does = ("Keep a drafted word with chance p/q, at most 1; replace the first that is not kept by a draw from the residual, "
            "what p has over q.")
    seen = "The two papers that found it; vLLM, TensorRT-LLM and transformers when they have the draft's probabilities."
    exact = True


@dataclass(frozen=True)
class MatchTest(Rule):
    """Draw the target's own word and keep the drafted one iff it is the same; the target's word comes out either way.

    Exact, but it keeps only Σ p·q. A position's acceptance uniform draws the target's word, the last uniform the bonus.
    """

    name = "Match test"
    does = ("Draw the target’s own word at each place and keep the drafted word only if it is the same; otherwise the "
            "target’s word comes out.")
    seen = ("llama.cpp's server and vLLM's strict mode; reported as biased in mlx-swift-lm#459 and mlxcel#902 (withdrawn in "
            "mlxcel#992), but it is only slower.")
    exact = True

    def test(self, p: NDArray, q: NDArray) -> tuple[NDArray, NDArray]:
        return np.ones_like(p), p

    def recovery(self, p: NDArray, q: NDArray) -> NDArray[np.float64]:
        missed = p * (1 - q)  # the target's word is y, and the drafted one is another
        return missed / missed.sum() if missed.any() else p

    def judge(self, p: NDArray, q: NDArray, gamma: int) -> Judge:
        draft, target = cumulative(q), cumulative(p)

        def judged(uniforms: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
            drafted = choose(draft, uniforms[:, :gamma])
            wanted = choose(target, np.column_stack([uniforms[:, MAX_GAMMA:MAX_GAMMA + gamma], uniforms[:, -1]]))
            accepted = accepted_prefix(drafted != wanted[:, :-1])
            return drafted, accepted, wanted[np.arange(len(wanted)), accepted]

        return judged
