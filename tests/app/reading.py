"""A section's parts as somebody who reads and uses them, without a browser: for the tests of what pages say."""

import re
from html import unescape

from app.controls import Buttons, Text
from app.page import Split


def plain(html):
    """The text of some HTML, each space in it one plain space."""
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html)).replace("\N{NO-BREAK SPACE}", " "))


class Reader:
    """Of the parts that a section is made of."""

    def __init__(self, parts):
        self.parts = []
        self._gather(parts)

    def _gather(self, parts):
        for part in parts:
            self._gather([*part.words, *part.figure]) if isinstance(part, Split) else self.parts.append(part)

    def all(self, kind):
        return [part for part in self.parts if isinstance(part, kind)]

    @property
    def html(self):
        """All that can be read now, as it is sent."""
        return " ".join(part.html if isinstance(part, Text) else str(part) for part in self.parts
                        if isinstance(part, str) or isinstance(part, Text) and part.visible)

    @property
    def text(self):
        """All that can be read now."""
        return plain(self.html)

    @property
    def boxes(self):
        """The numbers in boxes."""
        return [number for part in self.all(Text) if part.visible for number in boxes(part)]

    def table(self, caption):
        """The cells of the table whose caption begins so, its heads first."""
        htmls = [(part.html if isinstance(part, Text) else part).replace("\N{NO-BREAK SPACE}", " ")
                 for part in self.parts if isinstance(part, (str, Text))]
        [html] = [html for html in htmls if f"<caption>{caption}" in html]
        one = html[html.index(f"<caption>{caption}"):].partition("</table>")[0]
        return [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", one)]

    def press(self, label):
        for row in self.all(Buttons):
            if label in row.labels:
                row._handle_msg(row.labels.index(label))


def boxes(part):
    """The numbers in the box that this text is."""
    return re.findall("<dd>(.*?)</dd>", part.html)
