"""The lesson for `panel serve app/main.py`."""

import sys
from pathlib import Path

# `panel serve` puts this file's own folder on the path, but neither the checkout nor the working directory.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.lesson import lesson  # noqa: E402
from app.page import guarded  # noqa: E402

guarded(lesson)().servable()
