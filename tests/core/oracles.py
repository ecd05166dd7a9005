"""What the tests compare the core with: exact arithmetic, plain loops and a stream of uniforms that owe NumPy nothing."""

import random
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

UNIFORMS_PER_CALL = 21


def exact(law):
    """The doubles of a law as the fractions they are."""
    return [Fraction(float(x)) for x in law]


def uniforms(seed, count):
    """`count` 53-bit doubles of MT19937 seeded by an integer: the generator's published seeding, then Python's own generator."""
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & 0xFFFFFFFF)
    generator = random.Random()
    generator.setstate((3, (*state, 624), None))
    return [generator.random() for _ in range(count)]


def uniforms_of_calls(seed, n_calls):
    """(n, 21): the uniforms that each call owns."""
    return np.reshape(uniforms(seed, n_calls * UNIFORMS_PER_CALL), (n_calls, UNIFORMS_PER_CALL))


def pick(law, u):
    """The first word whose running total exceeds u, else the last word that has any mass."""
    running, last = 0.0, None
    for i, x in enumerate(law):
        running += x
        last = i if x > 0 else last
        if u < running:
            return i
    return last


@st.composite
def laws(draw, size, support=None):
    """A law over `size` words, zeros and very small entries included; on the words of `support` only, if given."""
    weight = st.one_of(st.just(0.0), st.floats(1e-300, 1e-12), st.floats(0.01, 1.0))
    weights = np.array([draw(weight) if support is None or i in support else 0.0 for i in range(size)])
    if not weights.any():
        weights[draw(st.sampled_from(sorted(support or range(size))))] = 1.0
    return weights / weights.sum()


@st.composite
def pairs(draw):
    """Two laws over the same words: unrelated, identical, disjoint, or apart by the last digits."""
    size = draw(st.integers(2, 8))
    kind = draw(st.sampled_from(["unrelated", "identical", "disjoint", "near"]))
    if kind == "disjoint":
        cut = draw(st.integers(1, size - 1))
        return draw(laws(size, set(range(cut)))), draw(laws(size, set(range(cut, size))))
    p = draw(laws(size))
    if kind == "unrelated":
        return p, draw(laws(size))
    ulps = np.array(draw(st.lists(st.integers(-4, 4), min_size=size, max_size=size)))
    return p, p * (1 + ulps * 2.0**-52) if kind == "near" else p.copy()
