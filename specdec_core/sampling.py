"""What an engine does to a model's numbers before it draws a word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .distributions import DistributionError, as_pmf, softmax, top_k, top_p
from .entries import Entries

_ROUGHLY = 1e-3  # how far pasted probabilities may miss 1, for printed digits


@dataclass(frozen=True, slots=True)
class Sampling:
    """What an engine does to a model's numbers before it draws: temperature, then top-k, then top-p.

    The order of vLLM (`v1/sample/sampler.py`: temperature, then top-k, then top-p on what is left) and of Hugging Face; an engine
    that cuts first and applies the temperature last, as llama.cpp may, draws from another law.
    """

    temperature: float = 1.0
    k: int | None = None
    mass: float = 1.0

    def law(self, entries: Entries) -> NDArray[np.float64]:
        """The law (V,) that is drawn from.

        Probabilities and log-probabilities must sum to 1 to three decimals, and are then scaled to do so exactly. Raises
        `DistributionError` for entries that are no law, `ValueError` for a setting out of range.
        """
        values = entries.values
        if entries.kind == "logits":
            return self._cut(softmax(values, self.temperature))
        with np.errstate(over="ignore"):
            pmf = values if entries.kind == "probabilities" else np.exp(values)
        if abs(pmf.sum() - 1) > _ROUGHLY:
            raise DistributionError(f"the {entries.kind} sum to {pmf.sum():.6g}, not to 1: are they of another kind?")
        return self.of(as_pmf(pmf, normalise=True))

    def of(self, pmf: NDArray[np.float64]) -> NDArray[np.float64]:
        """The law (V,) that is drawn from where the model's own is `pmf` (V,): the logits are its logarithms.

        Temperature 0 puts all mass on the likeliest word, of equals on the first. Raises `ValueError` for a setting out of range.
        """
        if self.temperature != 1:
            with np.errstate(divide="ignore"):
                pmf = softmax(np.log(pmf), self.temperature)
        return self._cut(pmf)

    def _cut(self, pmf: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.k is not None:
            pmf = top_k(pmf, self.k)
        if self.mass != 1:
            pmf = pmf.copy()
            possible = np.flatnonzero(pmf)  # sorting these alone is enough, and after top-k they are few
            pmf[possible] = top_p(pmf[possible], self.mass)
        return pmf
