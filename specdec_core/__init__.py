"""The mathematics of speculative decoding, on NumPy alone: arrays and a seed in, frozen records out.

Words on the page, symbols here: `p` the target's law, `q` the draft's, `gamma` the words drafted per target call, `alpha` the acceptance
rate. Laws have the vocabulary on the last axis; leading axes broadcast.
"""

from . import examples
from .distributions import DistributionError, as_pmf, blend, softmax, top_k, top_p
from .divergence import acceptance_rate, total_variation
from .speculative import Call, Calls, acceptance_probability, output_distribution, residual, simulate_calls, verify
from .sweep import Sweep, sweep
from .throughput import best_gamma, expected_tokens, speedup, tokens_distribution

__all__ = [
    "Call", "Calls", "DistributionError", "Sweep", "acceptance_probability", "acceptance_rate", "as_pmf", "best_gamma", "blend",
    "examples", "expected_tokens", "output_distribution", "residual", "simulate_calls", "softmax", "speedup", "sweep",
    "tokens_distribution", "top_k", "top_p", "total_variation", "verify",
]
