"""The lesson at `/`: the Try-it widget, what it shows in words, the sections, a closing card; and where each stands alone."""

from __future__ import annotations

import panel as pn
from markupsafe import Markup

from specdec_core import expected_tokens, speedup
from specdec_core.examples import EDITOR_AND_JUNIOR

from .check import Check
from .check_text import TITLE as check_title
from .filtering import filtering as filtering_parts
from .filtering_text import TITLE as filtering_title
from .page import Later, Page
from .pieces import percent
from .rejection import TITLE as rejection_title
from .rejection import rejection as rejection_parts
from .speed import TITLE as speed_title
from .speed import speed as speed_parts
from .state import State, read
from .text import text as text_parts
from .text_says import TITLE as text_title
from .try_it import TryIt
from .where import where


def lesson() -> Page:
    """The whole lesson, in the state that the address asks for."""
    state, notices = read(pn.state.session_args)
    widget = _try_it(state)
    sections = [("rejection", rejection_title, lambda: rejection_parts(state, follow=widget)),
                ("check", check_title, lambda: Check(state, follow=widget).parts),
                ("speed", speed_title, lambda: speed_parts(state, follow=widget)),
                ("text", text_title, lambda: text_parts(state, follow=widget)),
                ("filtering", filtering_title, lambda: filtering_parts(state, follow=widget))]
    parts = [widget, explanation(), *(Later(build, _way_to(path, title)) for path, title, build in sections), *where()]
    return Page("Speculative decoding: a bad draft costs speed, never truth", parts, theme=state.theme, notices=notices)


def try_it() -> Page:
    """The Try-it widget alone, in the state that the address asks for."""
    state, notices = read(pn.state.session_args)
    return Page("Try it: a bad draft costs speed, never truth", [_try_it(state)], theme=state.theme, notices=notices)


def rejection() -> Page:
    """The section on rejection sampling alone, in the state that the address asks for."""
    state, notices = read(pn.state.session_args)
    return Page("Rejection sampling: every no has a price", rejection_parts(state, heading=1), theme=state.theme, notices=notices)


def check() -> Page:
    """The check alone, in the state that the address asks for."""
    state, notices = read(pn.state.session_args)
    return Page("Run it to check", Check(state, heading=1).parts, theme=state.theme, notices=notices)


def speed() -> Page:
    """The section on speed alone, in the state that the address asks for."""
    state, notices = read(pn.state.session_args)
    return Page("Speculative decoding: how fast, and when it pays", speed_parts(state, heading=1), theme=state.theme,
                notices=notices)


def text() -> Page:
    """The section on a language model alone, in the state that the address asks for."""
    state, notices = read(pn.state.session_args)
    return Page("Speculative decoding in a language model", text_parts(state, heading=1), theme=state.theme, notices=notices)


def filtering() -> Page:
    """The section on filtering training data alone, in the state that the address asks for."""
    state, notices = read(pn.state.session_args)
    return Page("Rejection sampling for training data", filtering_parts(state, heading=1), theme=state.theme, notices=notices)


def explanation() -> Markup:
    """What speculative decoding is and why it is exact, told as office work; every figure is the core's."""
    desk = EDITOR_AND_JUNIOR
    return Markup("""
<h2>An editor and a junior</h2>
<div class="columns">
<p>A language model writes one word per run, and each run of a big model is slow. But it reads faster than it writes: one run can
judge several words that are already there. So a small <em>draft</em> model guesses the next few words, and the big <em>target</em>
model checks them all in one call.</p>
<p>Think of an editor and a junior. A word costs the junior {cost} of the time it costs the editor. The junior drafts {gamma} words.
At a glance the editor lets each stand with a chance of {alpha}, and corrects the first that does not; if all stand, the editor adds
one. A glance yields {tokens} words on average, and the text is done {speedup} times as fast.</p>
<p>And it is the editor’s text. What the junior says too often is turned down just often enough, what the junior says too seldom is
put in, so each word comes out exactly as often as if the editor had written alone. A bad junior costs time and changes nothing.</p>
</div>
""").format(cost=percent(desk.cost), gamma=desk.gamma, alpha=percent(desk.alpha),
            tokens=f"{expected_tokens(desk.alpha, desk.gamma):.2f}",
            speedup=f"{speedup(desk.alpha, desk.gamma, desk.cost):.2f}")


def _way_to(path: str, title: str) -> Markup:
    """A link to a section alone, for as long as it is not here."""
    return Markup('<p><a href="{}">{}</a></p>').format(path, title)


def _try_it(state: State) -> TryIt:
    return TryIt(closeness=state.closeness, gamma=state.gamma, seed=state.seed, calls=state.calls, heading=1, address=True)
