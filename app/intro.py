"""The Try-it widget's heading and its two sentences, which are the legend too: the same in the app and in the exported file."""

from markupsafe import Markup

TITLE = "A bad draft costs speed, never truth"
"""The widget's own heading."""


def intro(title: str = TITLE, heading: int = 2) -> Markup:
    """The intro as HTML, its heading `title` (plain text) of level `heading`; the module builds the rest around it."""
    return Markup("""<div class="intro"><h{level}>{title}</h{level}>
<p>Words on which draft and target agree are <b class="kept">kept</b>. What the draft says too often is
<b class="rejected">rejected</b>, what it says too seldom is <b class="refill">refilled</b>. Out comes the target,
exactly.</p></div>""").format(level=heading, title=title)
