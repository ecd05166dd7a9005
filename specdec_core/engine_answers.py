"""Acceptance counts out of JSON answers and reports: llama.cpp's `timings`, SGLang's `meta_info`, TensorRT-LLM's `decoding_stats`.

What their parts of text and JSON share is here too. Sources: see `engine_logs`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from .metrics import Counters, MetricsError, check


LIMIT = 1e15
"""Counts below this are exact in a double, and no engine has come this far."""


def line_of(text: str, at: int) -> int:
    """The line that holds the character at this place, counting from 1."""
    return text.count("\n", 0, at) + 1


def whole(word: str, where: Callable[[], str]) -> int:
    """A count, which may be written as 12.0 or 1.2e+06; `where` is asked for the line only if it is none."""
    try:
        value = float(word)
        if 0 <= value < LIMIT and value == int(value):
            return int(value)
    except ValueError:
        pass
    raise MetricsError(f"{where()}: {word[:40]} is not a count, a whole number of at least 0 and below 10^15")


def number(word: str, where: Callable[[], str]) -> float:
    try:
        value = float(word)
        if 0 <= value < LIMIT:
            return value
    except ValueError:
        pass
    raise MetricsError(f"{where()}: {word[:40]} is not a number of at least 0 and below 10^15")


def llama(source: str, drafted: int, accepted: int, predicted: int | None, where: str) -> Counters:
    """Each target call adds one word to those accepted, so that calls = words − accepted, those without a draft among them."""
    if predicted is not None and predicted < accepted:
        raise MetricsError(f"{where}{accepted} words accepted of {predicted} that came out")
    calls = None if predicted is None else predicted - accepted
    return check(Counters(source, drafted=drafted, accepted=accepted, calls=calls), where)


def requests(n: int, drafted: float, accepted: float, output: float | None) -> Counters:
    """Totals from a report's means over `n` requests. It counts γ drafted words in every call: drafted / calls, if that fits."""
    note = f"means over {n} requests, rounded in the report, times {n}"
    calls = None if output is None else round(n * output) - round(n * accepted)
    drafted, drafts = round(n * drafted), None
    if calls and (gamma := round(drafted / calls)) and abs(drafted - gamma * calls) <= 1 + .01 * n * (gamma + 1):  # as rounded
        drafted, drafts, calls = gamma * calls, calls, None
        note += f"; it counts {gamma} drafted words for every call"
    return check(Counters("TensorRT-LLM report", (), drafts, drafted, round(n * accepted), calls=calls, note=note))


def _objects(value: object) -> Iterator[dict]:
    """Every object within a JSON value, without recursion."""
    stack = [value]
    while stack:
        if isinstance(item := stack.pop(), dict):
            yield item
        stack.extend(reversed(item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()))


def json_counters(text: str) -> tuple[Counters, ...]:
    try:
        value = json.loads(text)
    except RecursionError:
        raise MetricsError("the JSON is nested too deeply") from None
    except ValueError as error:  # a syntax error, or a number of too many digits
        try:
            value = [json.loads(line) for line in text.split("\n") if line.strip()]  # one answer a line
        except (ValueError, RecursionError):
            raise MetricsError(f"line {getattr(error, 'lineno', 1)}: this is not JSON ({getattr(error, 'msg', error)})") from None
    total = None
    for i, item in enumerate(_objects(value), 1):
        if (found := _answer(item, f"object {i} of the JSON: ")) is not None:
            if total is not None and total.source != found.source:
                raise MetricsError(f"object {i} of the JSON is of {found.source}, not of {total.source}: paste one of them")
            total = found if total is None else total.plus(found)
    if total is None:
        raise MetricsError("the JSON has no acceptance counts: looked for draft_n (llama.cpp), spec_verify_ct (SGLang) and "
                           "decoding_stats (TensorRT-LLM)")
    return (check(total),)


def _answer(item: dict, where: str) -> Counters | None:
    """The counts of one answer or report, or `None` if the object has none."""
    def count(*names: str) -> int | None:
        name = next((name for name in names if item.get(name) is not None), None)
        return None if name is None else whole(str(item[name]), lambda: f"{where}{name}")

    if "draft_n" in item:
        return llama("llama.cpp timings", count("draft_n"), count("draft_n_accepted") or 0, count("predicted_n"), where)
    if "spec_verify_ct" in item:
        calls, drafted = count("spec_verify_ct"), count("spec_num_proposed_drafts", "spec_draft_token_num")
        accepted = count("spec_num_correct_drafts", "spec_accepted_drafts", "spec_accept_token_num")
        bars = item.get("spec_correct_drafts_histogram") or item.get("spec_accept_histogram")
        if not isinstance(bars, list):
            return check(Counters("SGLang meta_info", (), calls, drafted, accepted), where)
        bars = [whole(str(bar), lambda: f"{where}histogram") for bar in bars]
        if sum(bars) != calls:
            raise MetricsError(f"{where}the histogram holds {sum(bars)} calls, not {calls}")
        reached = tuple(sum(bars[i:]) for i in range(1, len(bars)))
        return check(Counters("SGLang meta_info", (), calls, drafted, sum(reached), reached), where)
    if isinstance(stats := item.get("decoding_stats"), dict):
        info = item.get("request_info") or {}
        means = [(stats.get(f"num_{name}_percentiles") or {}).get("average") for name in ("draft_tokens", "accepted_draft_tokens")]
        if None in means or "num_requests" not in info:
            raise MetricsError(f"{where}decoding_stats needs both averages, and request_info the num_requests")
        output = info.get("avg_output_length")
        drafted, accepted = (number(str(mean), lambda: f"{where}average") for mean in means)
        return requests(whole(str(info["num_requests"]), lambda: f"{where}num_requests"), drafted, accepted,
                         None if output is None else number(str(output), lambda: f"{where}avg_output_length"))
    return None
