"""What the section on speed turns, shared by all its parts: α, γ, the draft's cost and the judging's, and published points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from specdec_core import acceptance_rate, best_gamma, blend
from specdec_core.examples import TRY_IT

from .controls import Range, Switch
from .redraw import Redraw
from .speed_judging import MOST, Judging
from .state import BOUNDS, State
from .try_it import TryIt


class Dials(Redraw):
    """The dials. With a Try-it widget to `follow`, α is its draft's whenever its closeness moves, and γ is shared."""

    def __init__(self, state: State, follow: TryIt | None = None):
        def dial(name: str, label: str, value: float, ends: list[str], **options) -> Range:
            return Range(label=label, value=value, start=BOUNDS[name][0], end=BOUNDS[name][1], ends=ends, address=name, **options)

        super().__init__()
        alpha = _alpha(state.closeness) if state.alpha is None else state.alpha
        self.alpha = dial("alpha", "Acceptance rate α, in %", alpha, ["never right", "always right"], scale=100, digits=1,
                          follows=True)
        self.gamma = dial("gamma", "Words drafted per call, γ", state.gamma, [str(end) for end in BOUNDS["gamma"]], step=1,
                          digits=0)
        self.cost = dial("cost", "Cost of a draft step, c", state.cost, ["free", "a target step"])
        self.judging = Judging(state)
        self.operations = dial("operations", "Arithmetic of a draft step, ĉ", state.operations, ["none", "a target step’s"])
        self.published = [Switch(label="Published points", value=state.published, address="published") for _ in range(2)]
        """The same switch, once for each of two figures."""
        self.published[0].link(self.published[1], value="value", bidirectional=True)
        if follow is not None:
            follow.param.watch(lambda event: self.alpha.param.update(value=_alpha(event.new)), "closeness")
            follow.param.watch(lambda event: self.gamma.param.update(value=event.new), "gamma")
            self.gamma.param.watch(lambda _: follow.param.update(gamma=self.drafted), "value")

    @property
    def drafted(self) -> int:
        """γ, a whole number whatever a browser sends."""
        return round(self.gamma.value)

    @property
    def verification(self) -> NDArray[np.float64]:
        """v at γ = 0 … as far as it is known, in target steps."""
        return self.judging.value

    @property
    def most(self) -> int:
        """The largest γ whose judging is known."""
        return len(self.verification) - 1

    @property
    def known(self) -> int:
        """γ, or `most` where a table of judging ends before it."""
        return min(self.drafted, self.most)

    @property
    def cut(self) -> str:
        """A sentence where the two differ, with a space before it."""
        if self.known == self.drafted:
            return ""
        return f" Your table ends at γ = {self.known}, which stands here for your γ = {self.drafted}."

    @property
    def best(self) -> int | None:
        """The best γ; 0 if none gains, `None` if a word more always pays (or costs nothing), as far as no table ends."""
        best = int(best_gamma(self.alpha.value, self.cost.value, self.most, self.verification))
        free = not self.cost.value and not self.judging.slope.value
        return None if not self.judging.tabled and (best == MOST or best and free) else best


def _alpha(closeness: float) -> float:
    return float(acceptance_rate(TRY_IT.target, blend(TRY_IT.target, TRY_IT.draft, closeness)))
