"""Acceptance counts out of what engines print: Prometheus text, log lines, JSON answers, a plain table.

Formats, from the engines' own sources: vLLM `vllm/v1/spec_decode/metrics.py` (counters and log line); SGLang
`srt/managers/scheduler_metrics_mixin.py` (log line; pull requests 23530 and 33518 for `meta_info`); llama.cpp
`examples/speculative`, `common/speculative.cpp` and the server's `timings` (pull request 24536 for rates by position); TensorRT-LLM
`bench/dataclasses/reporting.py`. A pattern begins with fixed text and walks a line once, so that time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .engine_answers import LIMIT, json_counters, line_of, llama, number, requests, whole
from .metrics import Counters, MetricsError, check
from .prometheus import prometheus, split_counters

_VLLM_LOG = re.compile(r"SpecDecoding metrics: ")
_VLLM_LINE = re.compile(r"SpecDecoding metrics: (?:Mean acceptance length: ([^\s,]+), )?"
                        r"(?:Accepted throughput: \S+ tokens/s, Drafted throughput: \S+ tokens/s, |[^\n]{0,200}?)"
                        r"Accepted: (\S+) tokens, Drafted: (\S+) tokens(?:, Per-position acceptance rate: ([^\nA-Z]*))?")
_DECIMAL = re.compile(r"\d+(\.\d*)?")
_SGLANG_LOG = re.compile(r"accept len: ([^\s,]+)")
_LLAMA_RUN = re.compile(r"\bn_(predict|drafted|accept)[ \t]*=[ \t]*(\S+)")
_LLAMA_SERVER = re.compile(r"draft acceptance(?: rate)? = \S{1,40} \([ \t]*(\d+) accepted /[ \t]*(\d+) generated\)([^\n]*)")
_LLAMA_TOTALS = re.compile(r"statistics[ \t]{1,40}(\S{1,80}): #calls([^\n]*)")
_TENSORRT = re.compile(r"\[(A?DT)\][ \t]+AVERAGE[ \t]*:[ \t]*(\S+)")
_V0_LOG = "Speculative metrics: Draft acceptance rate"
_V0_METRIC = re.compile(r"vllm:spec_decode_(?:draft_acceptance_rate|efficiency|num_emitted)")
_V1_METRIC = "vllm:spec_decode_num_drafts"
_ROUNDED = "counts by position are rebuilt from rates of three decimals"


def read_counters(text: str) -> tuple[Counters, ...]:
    """The counts in a paste, one record for each model and engine that its labels tell apart.

    Raises `MetricsError`, naming the line where there is one: nothing pasted, no counts in it, two formats or two snapshots in one
    paste, a count that is no whole number, a position missing, more accepted than drafted, or figures of vLLM v0.
    """
    if not text or text.isspace():
        raise MetricsError("nothing was pasted")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    old = text.find(_V0_LOG)
    if "vllm:spec_decode_" in text and _V1_METRIC not in text and (found := _V0_METRIC.search(text)) is not None:
        old = found.start()
    if old >= 0:
        raise MetricsError(f"line {line_of(text, old)} is from vLLM v0, whose draft acceptance rate also counts words that "
                           "match after the first rejection: another thing than accepted / drafted, and α does not follow from it")
    parts = split_counters(text)
    other = "".join(parts[::4])
    readers = [(reader, found.start()) for mark, start, reader in _READERS
               if mark in other and (found := start.search(text, 0, _HEAD if reader is _table else len(text))) is not None]
    if len(parts) > 1:
        readers.append((lambda text: prometheus(text, parts), len(parts[0])))
    if not readers and text.lstrip()[0] in "{[":
        return json_counters(text)
    if not readers:
        raise MetricsError(f"there are no acceptance counts in these {text.count(chr(10)) + 1} lines: looked for output of vLLM, "
                           "SGLang, llama.cpp and TensorRT-LLM and for a table with the columns position, accepted, drafted")
    if len({reader for reader, _ in readers}) > 1:
        lines = sorted(line_of(text, at) for _, at in readers)[:2]
        raise MetricsError(f"lines {lines[0]} and {lines[1]} are of two formats that count the same words: paste one of them")
    return readers[0][0](text)


def _field(line: str, name: str) -> str | None:
    """What stands after a name in a log line, up to the next blank or comma."""
    rest = line.partition(name)[2].split(maxsplit=1)
    return rest[0].rstrip(",%") if rest else None


def _rates(listed: str, where: Callable[[], str]) -> list[float]:
    """Rates between commas; what is no number ends the list."""
    return [number(word.strip(), where) for word in listed.split(",") if word.strip()]


def _rebuilt(accepted: int, drafted: int, tokens: float | None, rates: list[float]) -> tuple[int | None, tuple[int, ...] | None]:
    """Calls and counts by position from printed means: calls of len(rates) words each if that fits, else from tokens per call."""
    drafts = None
    if rates and drafted % len(rates) == 0 and drafted:
        drafts = drafted // len(rates)
    if tokens is not None and (drafts is None or abs(1 + accepted / drafts - tokens) > 0.0051):
        drafts = round(accepted / (tokens - 1)) if tokens > 1 else None
    return drafts, tuple(round(rate * drafts) for rate in rates) if rates and drafts else None


def _added(source: str, spans: list[tuple[int, int, int | None, tuple | None]], text: str, ends: list[int]) -> tuple[Counters, ...]:
    """Spans of a log (accepted, drafted, drafts, by position) as one record, each checked with its line."""
    total = None
    for (accepted, drafted, drafts, by_position), at in zip(spans, ends):
        note = _ROUNDED if by_position else ""
        try:
            span = check(Counters(source, (), drafts, drafted, accepted, by_position, note=note))
        except MetricsError as error:
            raise MetricsError(f"line {line_of(text, at)}: {error}") from None
        total = span if total is None else total.plus(span)
    return (total,)


def _vllm_log(text: str) -> tuple[Counters, ...]:
    """A column of figures at a time, since a log has thousands of lines; a line is looked for only when one is wrong."""
    lines = _VLLM_LINE.findall(text)
    some = np.arange(len(lines))

    def refuse(wrong: NDArray[np.bool_], why: str) -> None:
        if wrong.any():
            starts = [match.start() for match in _VLLM_LINE.finditer(text)]
            raise MetricsError(f"line {line_of(text, starts[some[int(np.argmax(wrong))]])}: {why}")

    if len(lines) != text.count(_VLLM_LOG.pattern):
        cut = next(match.start() for match in _VLLM_LOG.finditer(text) if _VLLM_LINE.match(text, match.start()) is None)
        raise MetricsError(f"line {line_of(text, cut)}: the line is cut off: the counts Accepted and Drafted are missing")
    means, *counts, listed = zip(*lines)
    accepted, drafted = (_floats(column, refuse) for column in counts)
    refuse((accepted % 1 != 0) | (drafted % 1 != 0), "the counts Accepted and Drafted must be whole")
    refuse(accepted > drafted, "more words are accepted than were drafted")
    total = Counters("vLLM log", drafted=int(drafted.sum()), accepted=int(accepted.sum()))
    some = np.flatnonzero(drafted)  # a line without a draft prints NaN for its rates
    printed = [listed[i].rstrip(", ") for i in some]
    if not all(means) or not all(printed) or len({rates.count(", ") for rates in printed}) != 1:
        return (replace(total, note="the lines give no means and rates, or for different numbers of positions"),)
    tokens = _floats([means[i] for i in some], refuse)
    cells = ", ".join(printed).split(", ")
    depth = len(cells) // len(some)
    rates = _floats(cells, lambda wrong, why: refuse(wrong.reshape(-1, depth).any(axis=1), why)).reshape(-1, depth)
    refuse((rates > 1).any(axis=1) | (np.diff(rates) > 0).any(axis=1), "the rates by position must fall from at most 1")
    accepted, drafted = accepted[some], drafted[some]
    same = (drafted % depth == 0) & (np.abs(1 + accepted * depth / drafted - tokens) <= 0.0051)  # each call drafted to the end
    refuse(~same & (tokens <= 1), "the mean acceptance length and the counts contradict each other")
    drafts = np.where(same, drafted / depth, np.round(accepted / np.where(same, 1, tokens - 1)))
    by_position = np.round(rates * drafts[:, None]).sum(axis=0).astype(int)
    return (check(replace(total, drafts=int(drafts.sum()), per_position=tuple(by_position.tolist()), note=_ROUNDED)),)


def _floats(column: Sequence[str], refuse: Callable[[NDArray[np.bool_], str], None]) -> NDArray[np.float64]:
    """A column as finite numbers of at least 0; `refuse` names the line of one that is none."""
    try:
        numbers = np.fromiter(map(float, column), dtype=np.float64, count=len(column))
    except ValueError:
        numbers = np.array([float(cell) if _DECIMAL.fullmatch(cell) else np.nan for cell in column])
    wrong = ~((numbers >= 0) & (numbers < LIMIT))
    refuse(wrong, f"{column[int(np.argmax(wrong))][:40]} is not a number of at least 0 and below 10^15")
    return numbers


def _sglang_log(text: str) -> tuple[Counters, ...]:
    lengths = [number(match.group(1), lambda match=match: f"line {line_of(text, match.start())}")
               for match in _SGLANG_LOG.finditer(text)]
    note = (f"the mean of {len(lengths)} printed means, each rounded and over a number of calls that the log does not tell: a mean "
            "of rates is not the rate. SGLang's meta_info has the counts")
    return (Counters("SGLang log", printed_tokens=sum(lengths) / len(lengths), note=note),)


def _llama_run(text: str) -> tuple[Counters, ...]:
    found: dict[str, list[int]] = {"predict": [], "drafted": [], "accept": []}
    for match in _LLAMA_RUN.finditer(text):
        found[match.group(1)].append(whole(match.group(2), lambda match=match: f"line {line_of(text, match.start())}"))
    if len(found["drafted"]) != len(found["accept"]):
        raise MetricsError(f"{len(found['drafted'])} lines n_drafted but {len(found['accept'])} n_accept: the paste is cut off")
    drafted, accepted = sum(found["drafted"]), sum(found["accept"])
    told = len(found["predict"]) == len(found["drafted"])
    return (llama("llama.cpp run", drafted, accepted, sum(found["predict"]) if told else None, "n_drafted and n_accept: "),)


def _llama_server(text: str) -> tuple[Counters, ...]:
    """A line a request; the totals, a line each kind of draft, tell the calls where a request's line is of an older build."""
    spans, ends, totals = [], [], {}

    def place(at: int) -> Callable[[], str]:
        return lambda: f"line {line_of(text, at)}"

    for match in _LLAMA_TOTALS.finditer(text):
        figures = [_field(match.group(2), name) for name in ("#gen drafts =", "#gen tokens =", "#acc tokens =")]
        totals[match.group(1)] = [whole(figure or "none", place(match.start())) for figure in figures]
    for match in _LLAMA_SERVER.finditer(text):
        where = place(match.start())
        accepted, drafted, rest = whole(match.group(1), where), whole(match.group(2), where), match.group(3)
        tokens = _field(rest, "mean acceptance length =")
        rates = _rates(rest.partition("per position = (")[2].partition(")")[0], where)
        spans.append((accepted, drafted, *_rebuilt(accepted, drafted, number(tokens, where) if tokens else None, rates)))
        ends.append(match.start())
    drafts, *sums = (sum(column) for column in zip(*totals.values())) if totals else (None, 0, 0)
    if not spans:
        return (check(Counters("llama.cpp server", drafts=drafts, drafted=sums[0], accepted=sums[1])),)
    if drafts and len(spans) == 1 and sums == [spans[0][1], spans[0][0]]:
        spans = [(*spans[0][:2], drafts, spans[0][3])]
    return _added("llama.cpp server", spans, text, ends)


def _tensorrt(text: str) -> tuple[Counters, ...]:
    """Means over requests times their number; the printed mean of acceptance lengths is no ratio of totals, and is not used."""
    found = {match.group(1): number(match.group(2), lambda match=match: f"line {line_of(text, match.start())}")
             for match in _TENSORRT.finditer(text)}
    n, output = _field(text, "Number of requests:"), _field(text, "Average Output Length (tokens):")
    if n is None or len(found) < 2:
        raise MetricsError("TensorRT-LLM's report is cut off: Number of requests and the averages [DT] and [ADT] are needed")
    return (requests(whole(n, lambda: "Number of requests"), found["DT"], found["ADT"],
                      None if output is None else number(output, lambda: "Average Output Length")),)


_COLUMNS = re.compile(r"^[ \t|#]*position[,;\t| ][^\n]*accepted", re.M | re.I)
_HEAD = 10_000  # characters in which a table begins
_SPLIT = re.compile(r"[,;|\s]+")


def _table(text: str) -> tuple[Counters, ...]:
    lines = text[_COLUMNS.search(text, 0, _HEAD).start():].split("\n")
    skipped = text.count("\n") + 1 - len(lines)
    names = [name for name in _SPLIT.split(lines[0].lower()) if name.strip("#")]
    if not {"position", "accepted", "drafted"} <= set(names):
        raise MetricsError(f"line {skipped + 1}: the table needs the columns position, accepted and drafted")
    rows = []
    for at, line in enumerate(lines[1:], skipped + 2):
        cells = [cell for cell in _SPLIT.split(line) if cell]
        if not cells or not cells[0].strip("-:"):
            continue
        if len(cells) != len(names):
            raise MetricsError(f"line {at} has {len(cells)} entries, not {len(names)}")
        row = dict(zip(names, (whole(cell, lambda at=at: f"line {at}") for cell in cells)))
        if rows and row["position"] != rows[-1]["position"] + 1 or not rows and row["position"] > 1:
            wanted = rows[-1]["position"] + 1 if rows else 1
            raise MetricsError(f"position {wanted} is missing: line {at} has position {row['position']}")
        if row["accepted"] > row["drafted"]:
            raise MetricsError(f"line {at}: {row['accepted']} accepted of {row['drafted']} drafted, more than can be")
        rows.append(row)
    if not rows:
        raise MetricsError(f"line {skipped + 1}: the table has a heading and no rows")
    accepted, drafted = (tuple(row[name] for row in rows) for name in ("accepted", "drafted"))
    return (check(Counters("table", (), drafted[0], sum(drafted), sum(accepted), accepted, drafted), "the table: "),)


_READERS = (  # what must stand in the text, counters apart, for a pattern to be tried, the pattern, the reader
    ("SpecDecoding metrics: ", _VLLM_LOG, _vllm_log),
    ("accept len: ", _SGLANG_LOG, _sglang_log), ("n_drafted", re.compile(r"\bn_drafted[ \t]*="), _llama_run),
    ("draft acceptance", _LLAMA_SERVER, _llama_server), ("#gen tokens", _LLAMA_TOTALS, _llama_server),
    ("DT] AVERAGE", _TENSORRT, _tensorrt), ("osition", _COLUMNS, _table))
