"""What the browser loads, read from `assets/`: a self-contained module or style sheet at a time. No build step, nothing written."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path

ASSETS = Path(__file__).resolve().parent.parent / "assets"
"""The folder of ES modules, style sheets and pictures."""

_IMPORT = re.compile(r'^import\s+\{([^}]*)\}\s+from\s+"(\.[^"]+)";?[ \t]*\n', re.MULTILINE)
_EXPORT_LIST = re.compile(r"^export\s+\{[^}]*\};?[ \t]*\n?", re.MULTILINE)
_EXPORT_WORD = re.compile(r"^export\s+(?=async |function|class|const|let)", re.MULTILINE)
_UNRESOLVED = re.compile(r"^(?:import\b.*|export\s+(?:default|\*).*)", re.MULTILINE)


def module(name: str, *, exports: bool = True) -> str:
    """The ES module `name` (a path below `assets/`) with its relative imports inlined before it, each file once.

    The files come to share one scope, so their top-level names must differ; the browser says so if they do not. Only the module
    itself keeps its exports, and with `exports=False` not even that: then the text may stand in any script element.
    Raises `FileNotFoundError` if a file is missing, `ValueError` for an import or export of another form than
    `import { a, b } from "./c.js"` and `export function …`.
    """
    files = _in_order(ASSETS / name, {})
    if not exports:
        files[ASSETS / name] = _without_exports(files[ASSETS / name])
    return "\n".join(files.values())


def style(*names: str) -> str:
    """The style sheets `names` (paths below `assets/`), one after the other. Raises `FileNotFoundError` if one is missing."""
    return "\n".join((ASSETS / name).read_text("utf-8") for name in names)


def icon() -> str:
    """The site's icon as a data: URI."""
    return "data:image/svg+xml;base64," + b64encode((ASSETS / "favicon.svg").read_bytes()).decode()


def _in_order(path: Path, done: dict[Path, str]) -> dict[Path, str]:
    """The sources of `path` and all it imports, each after what it needs; the last one with its exports."""
    source = path.read_text("utf-8")
    for names, relative in _IMPORT.findall(source):
        needed = (path.parent / relative).resolve()
        if re.search(r"\bas\b", names):
            raise ValueError(f"{path.name} renames what it imports from {relative}")
        if needed not in done:
            _in_order(needed, done)
            done[needed] = _without_exports(done[needed])
    source = _IMPORT.sub("", source)
    if odd := _UNRESOLVED.search(source):
        raise ValueError(f"{path.name}: cannot inline {odd[0]!r}")
    done[path] = source
    return done


def _without_exports(source: str) -> str:
    return _EXPORT_WORD.sub("", _EXPORT_LIST.sub("", source))
