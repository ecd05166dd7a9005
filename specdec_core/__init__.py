"""The mathematics of speculative decoding, on NumPy alone: arrays and a seed in, frozen records out.

Words on the page, symbols here: `p` the target's law, `q` the draft's, `gamma` the words drafted per target call, `alpha` the
acceptance rate. Laws have the vocabulary on the last axis; leading axes broadcast.
"""

from . import examples
from .check import (Tally, Verdict, calls_to_catch, chi_square, expected_distance, noncentrality, observed_distance, power,
                    share_band, tallies)
from .darts import Darts, ball_darts, ball_share
from .decoded import DecodedCall, Decoding, Position
from .decoding import PromptLookup, continuations, decode, likeliest, sampled
from .distributions import DistributionError, as_pmf, blend, softmax, top_k, top_p
from .divergence import acceptance_rate, closeness_at, entropy, kl_divergence, total_variation
from .dynamic_sampling import Groups, all_right, all_wrong, fill_batch, pass_rates, prompts_per_group, useful_share
from .engine_logs import read_counters
from .entries import KINDS, MAX_ENTRIES, Entries, looks_like, read_entries
from .filtering import Checker, Draws, Filtered, conditional, draw_batches, filtered, pooled_questions
from .in_use import ENGINES, VARIANTS, Engine, Variant
from .keep_rules import BestOf, Capped, Distinct, KeepPassed, KeepRule, best_of_n, best_of_n_kl_bound
from .likelihood_ratio import DAPO_CLIP, PPO_CLIP, Clip, ThreeUses, three_uses
from .metrics import Counters, Flatness, MetricsError, alpha_from_tokens, describe, flatness, pooled, share_interval
from .ngram import NGram, perplexity, train
from .outcome import gathered, outcome, shown_words
from .own_laws import REST, Mistake, OwnLaws, largest_words, own_laws
from .published import PUBLISHED, Published, rounded_speedup
from .rejection import (BELL_PROPOSAL, FLAT_PROPOSAL, Normal, Proposal, Proposals, Uniform, Way, effective_share,
                        envelope_constant, kept_distribution, kept_parts, kept_share, propose, rejection_sample, three_ways,
                        two_bumps)
from .rosetta import Quantity, rosetta
from .rule import Rule
from .rules import RULES, simulate_rule
from .sampling import Sampling
from .speculative import Call, Calls, acceptance_probability, output_distribution, residual, simulate_calls, verify
from .star import Course, Loop, Round
from .sweep import Sweep, sweep
from .throughput import (best_gamma, break_even_cost, draft_cost, expected_tokens, guaranteed_gain, operations_factor,
                         oracle_speedup, speedup, survival_speedup, survival_tokens, tokens_ceiling, tokens_distribution)
from .timeline import Lane, Timeline, timeline
from .tuning import Estimate, Tuning, tune
from .verification import MOST_JUDGED, CallTimes, CallTimesError, read_call_times, verification_cost
from .words import Vocabulary, detokenise, normalise, pieces, tokenise

__all__ = [
    "BELL_PROPOSAL", "BestOf", "Call", "CallTimes", "CallTimesError", "Calls", "Capped", "Checker", "Clip", "Counters",
    "Course", "DAPO_CLIP", "Darts", "DecodedCall", "Decoding", "Distinct", "DistributionError", "Draws", "ENGINES", "Engine",
    "Entries", "Estimate", "FLAT_PROPOSAL", "Filtered", "Flatness", "Groups", "KINDS", "KeepPassed", "KeepRule", "Lane", "Loop",
    "MAX_ENTRIES", "MOST_JUDGED", "MetricsError", "Mistake", "NGram", "Normal", "OwnLaws", "PPO_CLIP", "PUBLISHED", "Position",
    "PromptLookup", "Proposal", "Proposals", "Published", "Quantity", "REST", "RULES", "Round", "Rule", "Sampling", "Sweep",
    "Tally", "ThreeUses", "Timeline", "Tuning", "Uniform", "VARIANTS", "Variant", "Verdict", "Vocabulary", "Way",
    "acceptance_probability", "acceptance_rate", "all_right", "all_wrong", "alpha_from_tokens", "as_pmf", "ball_darts",
    "ball_share", "best_gamma", "best_of_n", "best_of_n_kl_bound", "blend", "break_even_cost", "calls_to_catch", "chi_square",
    "closeness_at", "conditional", "continuations", "decode", "describe", "detokenise", "draft_cost", "draw_batches",
    "effective_share", "entropy", "envelope_constant", "examples", "expected_distance", "expected_tokens", "fill_batch",
    "filtered", "flatness", "gathered", "guaranteed_gain", "kept_distribution", "kept_parts", "kept_share", "kl_divergence",
    "largest_words", "likeliest", "looks_like", "noncentrality", "normalise", "observed_distance", "operations_factor",
    "oracle_speedup", "outcome", "output_distribution", "own_laws", "pass_rates", "perplexity", "pieces", "pooled",
    "pooled_questions", "power", "prompts_per_group", "propose", "read_call_times", "read_counters", "read_entries",
    "rejection_sample", "residual", "rosetta", "rounded_speedup", "sampled", "share_band", "share_interval", "shown_words",
    "simulate_calls", "simulate_rule", "softmax", "speedup", "survival_speedup", "survival_tokens", "sweep", "tallies",
    "three_uses", "three_ways", "timeline", "tokenise", "tokens_ceiling", "tokens_distribution", "top_k", "top_p",
    "total_variation", "train", "tune", "two_bumps", "useful_share", "verification_cost", "verify",
]
