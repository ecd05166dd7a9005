"""Where speculative decoding is in use: engines with their names for γ, and variants with what a paper measured and what it counts.

Checked in 2026 against the papers and the engines' documentation and sources: vLLM, docs/features/speculative_decoding; SGLang,
server_args.py; TensorRT-LLM, features/speculative-decoding and Eagle3DecodingConfig; llama.cpp, docs/speculative.md; transformers,
assisted_decoding.md and GenerationConfig.
"""

from __future__ import annotations

from dataclasses import dataclass

from .published import PUBLISHED


@dataclass(frozen=True, slots=True)
class Engine:
    """An inference engine and its knobs."""

    name: str
    gamma: tuple[str, ...]
    """What it calls γ, the newest name first."""
    about_gamma: str
    """A sentence on what that counts; may be empty."""
    more: tuple[tuple[str, str], ...]
    """Other knobs: name, and what it sets."""


@dataclass(frozen=True, slots=True)
class Variant:
    """Another way to draft."""

    name: str
    how: str
    """How it drafts, in a sentence or two."""
    number: str
    """What was measured, and what that counts."""
    references: tuple[str, ...]
    """arXiv numbers."""


ENGINES = (
    Engine("vLLM", ("num_speculative_tokens",), "In speculative_config.",
           (("method", "which draft: a model, eagle3, ngram, …"), ("prompt_lookup_max", "the longest match that look-up tries"))),
    Engine("SGLang", ("--speculative-num-steps",), "As long as one branch is drafted; the words judged per call are then one more.",
           (("--speculative-eagle-topk", "branches per step of the tree"),
            ("--speculative-num-draft-tokens", "words judged per call"))),
    Engine("TensorRT-LLM", ("max_draft_len",), "In the decoding config of each kind of draft.",
           (("max_total_draft_tokens", "words in the tree"), ("dynamic_tree_max_topK", "branches per step of the tree"))),
    Engine("llama.cpp", ("--spec-draft-n-max", "--draft-max"),
           "At most: it stops earlier where the draft is unsure. The second name is older.",
           (("--spec-draft-p-min", "how sure the draft must be to go on"),
            ("--spec-type", "which draft, ngram-simple for look-up"))),
    Engine("transformers", ("num_assistant_tokens",), "Of generate, beside assistant_model.",
           (("num_assistant_tokens_schedule", "whether γ stays or follows what is kept"),
            ("prompt_lookup_num_tokens", "γ where the prompt is the draft"))),
)
"""Five engines."""


def _measured(method: str) -> str:
    """The first published row of the method, in words."""
    row = next(row for row in PUBLISHED if row.method == method)
    return (f"{method[0].upper()}{method[1:]}: {row.speedup:.2f} times as fast, {row.tokens:.2f} words per call with the added one "
            f"({row.task}).")


VARIANTS = (
    Variant("Medusa", "Heads on top of the target’s last layer guess the next few words all at once. No second model runs.",
            _measured("Medusa-2"), ("2401.10774",)),
    Variant("EAGLE", "A draft of one layer goes on from what the target has already worked out about the text: its own "
                     "features. EAGLE-3 reads them from several depths.", _measured("EAGLE-3"), ("2401.15077", "2503.01840")),
    Variant("Prompt look-up", "Where the last words stood before in the text, copy what followed them. The draft costs next to "
                              "nothing and does well "
            "where an answer repeats its prompt.", _measured("prompt look-up") + " On summaries 2.42 times, on instructions 1.16.",
            ("2503.01840",)),
    Variant("Trees of drafts", "Draft several continuations as one tree and judge all of it in one call, in which each word "
                               "sees its own branch only. EAGLE-2 grows the tree where the draft is sure.",
            _measured("EAGLE-2") + " SpecInfer: 1.5 to 2.8 times as fast as other serving systems on several machines.",
            ("2305.09781", "2406.16858", "2503.01840")),
)
"""Four variants. The numbers of EAGLE, EAGLE-2 and look-up are all from EAGLE-3's table 1, where they were measured alike."""
