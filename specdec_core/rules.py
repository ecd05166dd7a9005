"""Every rule by name: the two exact ones and, here, the broken ones that people really ship."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .distributions import softmax
from .examples import CUT_LISTS
from .rule import MatchTest, Rule, Speculative
from .speculative import MAX_GAMMA, Calls, Judge, acceptance_probability, checked_run, recorded, residual


@dataclass(frozen=True)
class RedrawFromTarget(Rule):
    """After a rejection, draw from p instead of the residual: what p and q share is counted twice."""

    name = "Redraw from the target"
    does = "Keep as the speculative rule does, but replace a rejected word by a fresh draw from p, where the residual is due."
    seen = "Spec-RL#14 (kept as a design choice for training); romsto/Speculative-Decoding has a switch for it."

    def recovery(self, p: NDArray, q: NDArray) -> NDArray[np.float64]:
        return p


@dataclass(frozen=True)
class Retry(Rule):
    """After a rejection, draft from q again until a word is kept: what comes out has law min(p, q) over its sum.

    The loop is summed out: the call's last uniform draws from the law that the loop settles on. Disjoint laws keep no word ever;
    there the last try stands, with law q.
    """

    name = "Try the draft again"
    does = "Keep as the speculative rule does, but after a rejection let the draft try again until a word is kept."
    seen = ("The habit of classic rejection sampling, where starting again is right; Leviathan et al. 2023, appendix A.2, sets the "
            "two apart.")

    def recovery(self, p: NDArray, q: NDArray) -> NDArray[np.float64]:
        settled = np.minimum(p, q)
        return settled / settled.sum() if settled.any() else q


@dataclass(frozen=True)
class AcceptAlways(Rule):
    """Keep every drafted word: the draft's text at the target's price."""

    name = "Accept always"
    does = "Keep every drafted word, whatever the target thinks of it."
    seen = "vllm-ascend#13730, where the uniform was fixed at 0; transformers#28508, where the test could not fire."

    def test(self, p: NDArray, q: NDArray) -> tuple[NDArray, NDArray]:
        return np.zeros_like(p), np.ones_like(p)


@dataclass(frozen=True)
class SharedUniform(Rule):
    """One uniform, the call's first, decides at every position: a draft that is kept once is likelier to be kept again.

    The first word is right and so is every call of one drafted word; later words are not, since a call gets that far with small
    uniforms.
    """

    name = "One uniform for all positions"
    does = "Decide all the words of a call by one random number, where each word needs its own."
    seen = ("feifeibear/LLMSpeculativeSampling, at 76117cf, reseeds before every acceptance draw; a cousin is vllm-ascend#16370, "
            "where that draw also chose the recovered word.")

    def judge(self, p: NDArray, q: NDArray, gamma: int) -> Judge:
        judged = Rule.judge(self, p, q, gamma)

        def shared(uniforms: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
            uniforms = uniforms.copy()
            uniforms[:, MAX_GAMMA:2 * MAX_GAMMA] = uniforms[:, MAX_GAMMA, None]
            return judged(uniforms)

        return shared

    def _pieces(self, p: NDArray, q: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """The words by their chance to be kept, the V + 1 pieces these cut [0, 1) into, and the mass of q kept in each."""
        kept = self.kept(p, q)
        order = np.argsort(kept)
        mass = np.append(np.cumsum(q[order][::-1])[::-1], 0.0)
        return order, np.diff(kept[order], prepend=0.0, append=1.0), np.minimum(mass, 1.0)

    def survival(self, p: ArrayLike, q: ArrayLike, gamma: int) -> NDArray[np.float64]:
        _, width, mass = self._pieces(np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64))
        return np.array([width @ mass**i for i in range(gamma + 1)])

    def words_distribution(self, p: ArrayLike, q: ArrayLike, gamma: int) -> NDArray[np.float64]:
        p, q = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
        order, width, mass = self._pieces(p, q)
        reached = width * sum((mass**i for i in range(gamma)), np.zeros_like(mass))  # positions that are judged in each piece
        words = np.empty_like(p)
        words[order] = q[order] * np.cumsum(reached)[:-1]
        words += reached @ (1 - mass) * self.recovery(p, q) + width @ mass**gamma * p
        return words / self.tokens_per_call(p, q, gamma)

    def joint_distribution(self, p: ArrayLike, q: ArrayLike) -> NDArray[np.float64]:
        """(V, V): the law of the first two words that come out, for γ of 2 or more; p ⊗ p would be right.

        Both kept, or the second recovered, or the first recovered and the second the next call's first.
        """
        p, q = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
        kept, recovered = self.kept(p, q), self.recovery(p, q)
        both = np.outer(q, q) * np.minimum.outer(kept, kept)
        one = q * kept
        return both + np.outer(one - both.sum(axis=1), recovered) + np.outer((1 - one.sum()) * recovered, p)


@dataclass(frozen=True)
class InclusiveTest(Rule):
    """Keep x iff u·q(x) <= p(x), u cut to `bits` binary digits: at u = 0 even a word that the target never says is kept.

    That happens once in 2^bits drafts of it: 11 bits are half precision's (bfloat16 has 8, single precision 24, double 53). Where
    p/q is no multiple of 2^−bits the coarse grid rounds the chance up as well.
    """

    bits: int = 11

    name = "≤ where < is due"
    does = ("Keep a word if u·q ≤ p, where u·q < p is due, with a u of half precision: once in 2,048 times u is 0, and then "
            "even a word that the target never says is kept.")
    seen = "sglang#35771 (fixed in #35798), where a word cut by top-k could be kept when the random number was exactly 0."
    laws = CUT_LISTS

    def __post_init__(self) -> None:
        if self.bits not in range(1, 54):
            raise ValueError(f"a uniform has 1 to 53 bits, not {self.bits}")

    def test(self, p: NDArray, q: NDArray) -> tuple[NDArray, NDArray]:
        grid = 2.0**self.bits
        return np.ones_like(p), np.minimum((np.floor(grid * acceptance_probability(p, q)) + 1) / grid, 1.0)


@dataclass(frozen=True)
class MisalignedResidual(Rule):
    """Subtract q from p by position in two lists that hold only the words each model has left: different words are paired.

    The lists are the words with p > 0 and those with q > 0, both in the order of the vocabulary; where they hold the same words the
    rule is right. Where nothing is left to draw from (an engine would divide 0 by 0), p is drawn from.
    """

    name = "Residual of misaligned lists"
    does = ("Cut both models to the words they have left, and take the residual of the two lists entry by entry: different "
            "words are subtracted from each other.")
    seen = "llama.cpp's examples/speculative, which sorts both cut lists by word and subtracts entry by entry."
    laws = CUT_LISTS

    def recovery(self, p: NDArray, q: NDArray) -> NDArray[np.float64]:
        mine, theirs = np.flatnonzero(p), np.flatnonzero(q)
        paired = np.zeros_like(p)
        shared = min(len(mine), len(theirs))
        paired[mine[:shared]] = q[theirs[:shared]]
        law = residual(p, paired)
        return p if law is None else law


@dataclass(frozen=True)
class OtherTemperature(Rule):
    """Draw drafted words at `temperature`, but test them and take the residual with q as it is at temperature 1."""

    temperature: float = 0.5

    name = "Drawn and scored at different temperatures"
    does = "Draw the draft’s words at temperature 0.5, but score them as if they had been drawn at temperature 1."
    seen = ("transformers#47932 (drawn with the sampling settings, scored without), ohdearquant/lattice#388 (scored at temperature "
            "1), and by rounding DeepSpec#31.")

    def drawn(self, q: NDArray) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            return softmax(np.log(q), self.temperature)


@dataclass(frozen=True)
class GreedyDraft(Rule):
    """Draft the likeliest word every time, but test it and take the residual as if it had been drawn from q."""

    name = "Likeliest word, scored as if drawn"
    does = "Draft the likeliest word every time, but score it as if it had been drawn from q."
    seen = "transformers#32867 (fixed in #33534), jaymody/speculative-sampling#3, and with beams apple/ml-recurrent-drafter#6."

    def drawn(self, q: NDArray) -> NDArray[np.float64]:
        return softmax(q, 0.0)


@dataclass(frozen=True)
class Lenience(Rule):
    """Multiply q by `factor` in the test, to keep more, but not in the residual. No word can come out more often than p/factor."""

    factor: float = 0.5

    name = "Lenience in the test alone"
    does = "Halve q in the test, so that more is kept, but not in the residual."
    seen = "lucidrains/speculative-decoding; the idea, with its bound p/factor, is from Leviathan et al. 2023, appendix A.5."

    def __post_init__(self) -> None:
        if not 0 < self.factor <= 1:
            raise ValueError(f"the factor must be above 0 and at most 1, not {self.factor}")

    def test(self, p: NDArray, q: NDArray) -> tuple[NDArray, NDArray]:
        return self.factor * q, p


RULES: dict[str, Rule] = {
    "speculative": Speculative(), "match": MatchTest(), "redraw": RedrawFromTarget(), "retry": Retry(), "always": AcceptAlways(),
    "shared": SharedUniform(), "inclusive": InclusiveTest(), "misaligned": MisalignedResidual(), "temperature": OtherTemperature(),
    "greedy": GreedyDraft(), "lenience": Lenience(),
}
"""Every rule, with the numbers it has here, by a short name fit for a URL; the two exact ones first."""


def simulate_rule(rule: Rule, p: ArrayLike, q: ArrayLike, gamma: int, n_calls: int, seed: int) -> Calls:
    """`n_calls` calls judged by a rule, on the uniforms of `simulate_calls`, which is the exact rule's. Raises as it does."""
    p, q, gamma, n_calls, seed = checked_run(p, q, gamma, n_calls, seed)
    return recorded(rule.judge(p, q, gamma), gamma, len(p), n_calls, seed)
