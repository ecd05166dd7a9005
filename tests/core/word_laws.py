"""What the tests of rules and of the check share: the widget's words, the rules by whether they are exact, a run."""

import numpy as np
import pytest

from specdec_core import RULES, tallies

P, HALF, FAR = (.42, .22, .12, .10, .07, .07), (.30, .31, .09, .075, .17, .055), (.18, .40, .06, .05, .27, .04)
"""The target; the draft at closeness .5 and 0."""

EXACT = [name for name, rule in RULES.items() if rule.exact]
BROKEN = [name for name, rule in RULES.items() if not rule.exact]
every_rule = pytest.mark.parametrize("name", RULES)


def run(name, n_calls, seed, laws=(P, HALF), gamma=4):
    """The tally of so many calls under a rule."""
    *_, last = tallies(RULES[name], *laws, gamma, n_calls, seed)
    return last


def floats(*fractions):
    """Laws of fractions as arrays."""
    return [np.array([float(x) for x in law]) for law in fractions]
