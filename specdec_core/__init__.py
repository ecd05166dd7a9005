"""The mathematics of speculative decoding, on NumPy alone: arrays and a seed in, frozen records out.

Words on the page, symbols here: `p` the target's law, `q` the draft's, `gamma` the words drafted per target call, `alpha` the acceptance
rate. Laws have the vocabulary on the last axis; leading axes broadcast.
"""

from . import examples
from .check import (Tally, Verdict, calls_to_catch, chi_square, expected_distance, noncentrality, observed_distance, power,
                    share_band, tallies)
from .darts import Darts, ball_darts, ball_share
from .distributions import DistributionError, as_pmf, blend, softmax, top_k, top_p
from .divergence import acceptance_rate, total_variation
from .outcome import gathered, outcome, shown_words
from .rejection import (BELL_PROPOSAL, FLAT_PROPOSAL, Normal, Proposal, Proposals, Uniform, Way, effective_share, envelope_constant,
                        kept_distribution, kept_parts, kept_share, propose, rejection_sample, three_ways, two_bumps)
from .rule import Rule
from .rules import RULES, simulate_rule
from .speculative import Call, Calls, acceptance_probability, output_distribution, residual, simulate_calls, verify
from .sweep import Sweep, sweep
from .throughput import best_gamma, expected_tokens, speedup, tokens_distribution

__all__ = [
    "BELL_PROPOSAL", "Call", "Calls", "Darts", "DistributionError", "FLAT_PROPOSAL", "Normal", "Proposal", "Proposals", "RULES",
    "Rule", "Sweep", "Tally", "Uniform", "Verdict", "Way", "acceptance_probability", "acceptance_rate", "as_pmf", "ball_darts",
    "ball_share", "best_gamma", "blend", "calls_to_catch", "chi_square", "effective_share", "envelope_constant", "examples",
    "expected_distance", "expected_tokens", "gathered", "kept_distribution", "kept_parts", "kept_share", "noncentrality",
    "observed_distance", "outcome", "output_distribution", "power", "propose", "rejection_sample", "residual", "share_band",
    "shown_words", "simulate_calls", "simulate_rule", "softmax", "speedup", "sweep", "tallies", "three_ways",
    "tokens_distribution", "top_k", "top_p", "total_variation", "two_bumps", "verify",
]
