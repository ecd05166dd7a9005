"""A section's parts as somebody who reads them: the tests of several pages use it."""

import re

from app.controls import Text
from app.page import Split


class Reading:
    """`parts`, the columns of a split one after the other."""

    def __init__(self, parts):
        self.parts = []
        self._gather(parts)

    def _gather(self, parts):
        for part in parts:
            self._gather([*part.words, *part.figure]) if isinstance(part, Split) else self.parts.append(part)

    def all(self, kind):
        return [part for part in self.parts if isinstance(part, kind)]

    @property
    def text(self):
        html = " ".join(part.html if isinstance(part, Text) else str(part) for part in self.parts if isinstance(part, (str, Text)))
        plain = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html)).replace("\N{NO-BREAK SPACE}", " ")
        return plain.replace("&gt;", ">")

    @property
    def boxes(self):
        return [number for part in self.all(Text) for number in re.findall("<dd>(.*?)</dd>", part.html)]

    def table(self, caption):
        """The cells of the table whose caption begins so, its heads first."""
        [html] = [part.html for part in self.all(Text) if f"<caption>{caption}" in part.html]
        rows = re.findall("<tr>(.*?)</tr>", html.replace("\N{NO-BREAK SPACE}", " "))
        return [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
