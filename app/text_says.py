"""What `/text` says: every sentence of it, as `Markup`; every number is the core's. All that was typed is escaped."""

from __future__ import annotations

import urllib.parse
from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from specdec_core import Decoding
from specdec_core.words import Vocabulary, tokenise

from .pieces import percent, plural, times
from .state import MAX_PROMPT
from .text_controls import address
from .text_drafts import LONGEST_PROMPT, Settings
from .text_player import shown

TITLE = "In a language model"
"""The section's heading."""

_NAMED = 3  # unknown words that are named
_LONGEST = 20  # characters of one
_CHANCE = 2  # standard errors that chance may well make


NO_REPLAY = Markup("<p>No link replays this text, since the models learned from a text of yours, which is in no address.</p>")
"""In the place of a link."""


def intro(heading: int) -> Markup:
    """The section's heading and what it is about."""
    return Markup("""<h{0}>{1}</h{0}>
<p>Here the rule writes. The target has read two novels, or a text of yours, and sees four words back; the draft sees less. Of what
is drafted, words are <b class="kept">kept</b> from the left; the first that is not is struck and <b class="refill">fixed</b>, what followed it is dropped,
and where all stand the target adds a bonus. Choose any word to see both laws where it stood.</p>""").format(heading, TITLE)


def summary(settings: Settings, decoding: Decoding) -> Markup:
    """What the text took, and the formula of one α beside it."""
    c = settings.draft_cost
    took = Markup("<p>{} in {}: <strong>{}</strong> a call. With c = {} that is <strong>{}</strong> plain decoding.</p>").format(
        plural(len(decoding.words), "word"), plural(len(decoding.calls), "target call"), f"{decoding.tokens_per_call:.2f}",
        f"{c:.2f}", times(decoding.speedup(c)))
    return took + _cost(settings) + _formula(decoding)


def _cost(settings: Settings) -> Markup:
    why = {"target": "A step of this draft costs a step of the target, so c is 1 whatever the slider says.",
           "look-up": "Looking up costs next to nothing, so c is 0 whatever the slider says."}.get(settings.draft)
    return Markup("<p>{}</p>").format(why) if why else Markup()


def _formula(decoding: Decoding) -> Markup:
    alphas = np.concatenate([np.empty(0), *decoding.alphas])
    if not len(alphas):
        return Markup("<p>Nothing was drafted: no word of this text was there before, so there was nothing to copy.</p>")
    measured, formula = decoding.tokens_per_call, decoding.constant_alpha_tokens
    both = Markup("<p>With one α for all contexts, the mean {} here, the formula gives <strong>{}</strong> words a call; this text "
                  "had <strong>{}</strong>.").format(percent(decoding.alpha, 1), f"{formula:.2f}", f"{measured:.2f}")
    return both + Markup(" {}</p>").format(_why(decoding, alphas, measured - formula))


def _why(decoding: Decoding, alphas: np.ndarray, gap: float) -> str:
    """Why measured and formula differ, or that they do not."""
    low, high = percent(float(alphas.min())), percent(float(alphas.max()))
    if low == high and abs(gap) < .005:
        return f"They agree, since α is {low} everywhere."
    varies = (f"α is not the same everywhere: it went from {low} to {high} with the context, and a word is tested only where all "
              "before it were kept.")
    if short := int((decoding.drafted < decoding.gamma).sum()):
        return f"{varies} And {short} of the calls had fewer than γ = {decoding.gamma} words drafted."
    error = decoding.standard_error
    if np.isnan(error):
        return varies
    chance = "more than chance makes" if abs(gap) > _CHANCE * error else "no more than chance makes"
    return f"{varies} The difference is {chance} in {plural(len(decoding.calls), 'call')} (± {error:.2f})."


def prompt_notes(settings: Settings, vocabulary: Vocabulary) -> Markup:
    """What of the prompt the models cannot use."""
    tokens, used = tokenise(settings.prompt), settings.tokens
    notes = []
    if len(tokens) > len(used):
        notes.append(f"Of the {len(tokens):,} words of your beginning the last {LONGEST_PROMPT} are used.")
    unknown = list(dict.fromkeys(token for token, number in zip(used, vocabulary.ids(used)) if number == len(vocabulary)))
    if unknown:
        notes.append(f"The models do not know {_listed(unknown)}: they see only what follows the last such word.")
    return Markup("").join(Markup("<p>{}</p>").format(note) for note in notes)


def _listed(words: Sequence[str]) -> str:
    short = [word if len(word) <= _LONGEST else f"{word[:_LONGEST - 1]}…" for word in map(shown, words[:_NAMED])]
    more = len(words) - len(short)
    return ", ".join(f"“{word}”" for word in short) + (f" and {plural(more, 'other word')}" if more else "")


def replay(settings: Settings, theme: str) -> Markup:
    """A link to this text, under the page's theme."""
    if len(settings.prompt) > MAX_PROMPT:
        return Markup("<p>No link replays this text, since its beginning is too long for an address.</p>")
    query = {"draft": settings.draft, "gamma": settings.gamma, "seed": settings.seed,
             "cost": np.format_float_positional(settings.cost, trim="-")}
    query |= {name: value for name, value in address(settings).items() if value is not None}
    query |= {"theme": theme} if theme != "auto" else {}
    return Markup('<p><a href="?{}">A link that replays this text</a></p>').format(urllib.parse.urlencode(query))
