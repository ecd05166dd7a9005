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


class Question(NamedTuple):
    """A question, and the solutions that a model gives it."""

    text: str
    answers: tuple[str, ...]
    """A name for each solution: its result, and a letter where several have the same."""
    solutions: tuple[str, ...]
    law: tuple[float, ...]
    """How often the model gives each."""
    right: tuple[bool, ...]
    rewards: tuple[float, ...]
    """What a reward model thinks of each."""


class Lesson(NamedTuple):
    """Questions for a model to teach itself on: a law over the same number of solutions for each."""

    names: tuple[str, ...]
    base: tuple[tuple[float, ...], ...]
    right: tuple[tuple[bool, ...], ...]
    hinted: tuple[tuple[float, ...], ...]
    """The laws once the right result has been shown."""
    strength: float
    """How many kept solutions the base model outweighs."""


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

EGGS = Question("A box holds 4 rows of 6 eggs, and 5 of the eggs are broken. How many are whole?",
                ("19a", "19b", "19c", "24", "29", "5"),
                ("4 × 6 − 5 = 19", "6 + 6 + 6 + 6 − 5 = 19", "3 × 6 + 1 = 19", "4 × 6 = 24", "4 × 6 + 5 = 29", "4 + 6 − 5 = 5"),
                (.10, .06, .04, .44, .30, .06), (True, True, True, False, False, False), (.8, .8, .5, .5, .2, 1.0))
"""One draw in five is right, in three ways. The reward model thinks best of a wrong solution, and cannot tell a right one from the
commonest slip: the best of a few draws is right more often than one draw, the best of many is wrong."""

EASY_AND_HARD = {"easy": .8, "hard": .2}
"""Two questions and their pass rates."""

FOUR_QUESTIONS = Lesson(("easy", "fair", "hard", "never"),
                        ((.50, .30, .15, .05), (.25, .15, .40, .20), (.08, .02, .60, .30), (.00, .00, .70, .30)),
                        ((True, True, False, False),) * 4, ((.40, .20, .30, .10),) * 4, 2.0)
"""Solved 8 times in 10, 4, 1, and never. A hint helps 6 times in 10."""

DIFFICULTIES = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
"""Seven prompts, from one that a policy of skill 4 passes 95 times in 100 to one that it passes 5 times."""
