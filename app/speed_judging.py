"""What judging costs, v(γ): a line that a reader turns, or a table that a reader brings along."""

from __future__ import annotations

import panel as pn
import param
from markupsafe import Markup

from specdec_core import MOST_JUDGED, CallTimes, CallTimesError, read_call_times, verification_cost

from .controls import Choice, Range, Text
from .pasting import Paste
from .state import BOUNDS, LONGEST_TIMES, State

MOST = MOST_JUDGED - 1
"""The largest γ that is looked at for the best one, and that a table may reach."""

_LINE, _TABLE = "Flat, or a line", "A table of mine"
_EXAMPLE = CallTimes((1, 2, 4, 8, 16, 32), (30, 30.2, 30.9, 33, 41, 68))  # made up


class Judging(param.Parameterized):
    """The controls for v, and v itself, which changes whenever one of them does. The last table that could be read stays."""

    value = param.Parameter(doc="v at γ = 0 … as far as it is known, `MOST` at most, in target steps: an array.")

    def __init__(self, state: State, prefix: str = "", label: str = "Cost of judging one word more"):
        """With a `prefix`, the state's slope and table are those whose names begin with it; `label` is the slope's."""
        super().__init__()
        slope, times = (getattr(state, prefix + name) for name in ("slope", "verification"))
        self.slope = Range(label=label, value=slope, start=BOUNDS["slope"][0], end=BOUNDS["slope"][1],
                           ends=["free", "half a target step"], address=f"{prefix}slope")
        self.times = times or _EXAMPLE
        self.which = Choice("Judging γ + 1 words costs, v", [_LINE, _TABLE], _TABLE if times else _LINE)
        text = "words judged,ms\n" + "".join(f"{n},{time:g}\n" for n, time in zip(self.times.words, self.times.times))
        self.paste = Paste(self._read, label="A target call’s time, by the words it judges", text=text, rows=7, button="Use it",
                           address=f"{prefix}verification")
        self._says = Text(role="status")
        self.slope.param.watch(lambda _: self._take(), "value")
        self.which.param.watch(lambda _: self._take(), "value")
        self._take()

    @property
    def parts(self) -> list:
        """The controls, of which those are seen that count."""
        return [self.which, self.slope, self.paste, self._says]

    @property
    def tabled(self) -> bool:
        """Whether a table says what judging costs."""
        return self.which.value == _TABLE

    @property
    def phrase(self) -> str:
        """What judging costs, as a sentence goes on with it."""
        if self.tabled:
            return "judging costs what your table says"
        return f"judging costs {self.slope.value:.2f} a word" if self.slope.value else "judging is free"

    def _read(self, text: str) -> None:
        try:
            self.times = read_call_times(text)
        except CallTimesError as error:
            self.paste.fault = f"Not used: {error}."
            return
        self._take()

    @pn.io.hold()
    def _take(self) -> None:
        tabled, written = self.tabled, str(self.times)
        self.slope.visible, self.paste.visible, self._says.visible = not tabled, tabled, tabled
        carried = written if tabled and len(written) <= LONGEST_TIMES else ""
        self.paste.carried = carried
        table = self.times.table if tabled else None
        self.value = verification_cost(range(MOST + 1 if table is None else len(table)), self.slope.value, table)
        if not tabled:
            return
        between = "" if self.times.complete else " Between them lie straight lines."
        kept = "" if carried else " It is too long for the page’s address, so a link does not carry it."
        made_up = " They are made up: put yours in their place." if self.times == _EXAMPLE else ""
        most = len(self.value) - 1
        self._says.html = Markup("<p>In use: {} times, of calls that judge 1 to {} words, so γ goes up to {}. Each is held "
                                 "against the first, a plain step: v({}) = {}.{}{}{}</p>").format(
            len(self.times.words), self.times.words[-1], most, most, f"{self.value[-1]:.2f}", between, made_up, kept)
