"""The section on rejection sampling for training data: filters, a model teaching itself, groups that teach nothing, one ratio."""

from __future__ import annotations

from .controls import Seed
from .filtering_draws import Filter
from .filtering_groups import groups
from .filtering_ratio import three_ways
from .filtering_star import star
from .page import Part
from .state import State
from .try_it import TryIt


def filtering(state: State, heading: int = 2, follow: TryIt | None = None) -> list[Part]:
    """The section's parts, under a heading of this level. With a Try-it widget to `follow` the two share closeness and seed."""
    seeds = [Seed(value=state.seed, address="seed") for _ in range(3)]
    for seed in seeds[1:]:
        seeds[0].link(seed, value="value", bidirectional=True)
    if follow is not None:
        follow.link(seeds[0], seed="value", bidirectional=True)
    return [*Filter(state, heading, seeds[0]).parts, *star(state, seeds[1], heading + 1), *groups(state, seeds[2], heading + 1),
            *three_ways(state, heading + 1, follow)]
