"""Named laws and numbers: what the page opens with, and the examples its text tells."""

from __future__ import annotations

from typing import NamedTuple


class Laws(NamedTuple):
    """A target and a draft over a few words."""

    words: tuple[str, ...]
    target: tuple[float, ...]
    draft: tuple[float, ...]


class Desk(NamedTuple):
    """Speculative decoding as office work: α, γ and the draft's cost c."""

    alpha: float
    gamma: int
    cost: float


TRY_IT = Laws(("the", "a", "this", "her", "my", "its"), (.42, .22, .12, .10, .07, .07), (.18, .40, .06, .05, .27, .04))
"""The Try-it widget: the next word of a sentence; the draft is the far one, at closeness 0."""

THE_AND_A = Laws(("the", "a", "another"), (.6, .1, .3), (.5, .4, .1))
"""Two words to do by hand: the target likes 'the' more than the draft does (always kept), and 'a' less (kept 1 time in 4)."""

UNLIKE = Laws(("the", "a", "my"), (.5, .3, .2), (.2, .3, .5))
"""An envelope by hand: M = 2.5 keeps 40 %; M = 2 is too small, keeps 45 %, and of what is kept only 4/9 is 'the'."""

CUT_LISTS = Laws(("the", "my", "a", "this"), (.5, 0, .3, .2), (.4, .2, 0, .4))
"""Both models cut to their three likeliest words, and not to the same three: the target never says 'my', the draft never 'a'."""

EDITOR_AND_JUNIOR = Desk(alpha=.8, gamma=4, cost=.1)
"""A junior writes ten words while the editor would write one; the editor reads four at a glance and lets four of five stand."""
