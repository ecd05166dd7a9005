"""A section of a page as somebody who reads it, without a browser."""

import re

from app.controls import Text


def words(html):
    """The text of some HTML, its spaces made one and plain."""
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html)).replace("\N{NO-BREAK SPACE}", " ")


class Reader:
    """What can be seen of these parts, and what can be used."""

    def __init__(self, parts):
        self.parts = list(parts)

    def all(self, kind):
        """The parts of this class, in order."""
        return [part for part in self.parts if isinstance(part, kind)]

    @property
    def html(self):
        """The texts that can be seen, fixed ones too."""
        return " ".join(part.html if isinstance(part, Text) else part for part in self.parts
                        if isinstance(part, str) or isinstance(part, Text) and part.visible)

    @property
    def text(self):
        return words(self.html)
