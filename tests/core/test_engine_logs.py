"""Every format's sample gives the right record, and every bad paste one sentence that names the line."""

import contextlib
import json
import random
from pathlib import Path
from time import process_time

import pytest

from specdec_core import Counters, MetricsError, pooled, read_counters, rosetta, tune

SAMPLES = Path(__file__).parents[1] / "data" / "engines"


def sample(name):
    return (SAMPLES / name).read_text(encoding="utf-8")


def only(name):
    (counters,) = read_counters(sample(name))
    return counters


def test_vllm_counters_by_engine_and_their_difference():
    now, before = read_counters(sample("vllm_metrics.txt")), read_counters(sample("vllm_metrics_before.txt"))
    assert [dict(c.labels) for c in now] == [{"engine": e, "model_name": "lab/target-8b"} for e in "01"]
    assert (now[0].drafts, now[0].drafted, now[0].accepted, now[0].per_position) == (1200, 4800, 2710, (950, 760, 600, 400))
    span = now[0].since(before[0])
    assert (span.drafts, span.drafted, span.accepted, span.per_position) == (1000, 4000, 2290, (800, 640, 510, 340))
    both = pooled(now)
    assert (both.drafts, both.accepted, both.per_position) == (2100, 4700, (1652, 1314, 1040, 694)) and both.gamma == 4
    assert both.labels == (("model_name", "lab/target-8b"),)


@pytest.mark.parametrize("name, source, drafts, drafted, accepted, per_position, calls", [
    ("vllm_log.txt", "vLLM log", 1500, 6000, 3275, (1185, 905, 690, 495), None),  # 800 + .77·500, …
    ("sglang_meta_info.json", "SGLang meta_info", 30, 120, 51, (23, 16, 8, 4), None),
    ("llama_run.txt", "llama.cpp run", None, 240, 132, None, 69),
    ("llama_server_log.txt", "llama.cpp server", 100, 300, 186, (80, 61, 45), None),
    ("llama_server_log_older.txt", "llama.cpp server", 60, 200, 110, None, None),
    ("llama_timings.json", "llama.cpp timings", None, 130, 78, None, 42),
    ("tensorrt_llm_report.txt", "TensorRT-LLM report", 2000, 6000, 3120, None, None),
    ("tensorrt_llm_report.json", "TensorRT-LLM report", 2000, 6000, 3120, None, None),
    ("table.csv", "table", 100, 300, 150, (80, 50, 20), None),
])
def test_samples(name, source, drafts, drafted, accepted, per_position, calls):
    c = only(name)
    assert (c.source, c.drafts, c.drafted, c.accepted, c.per_position, c.calls) == (
        source, drafts, drafted, accepted, per_position, calls)


def test_a_report_of_requests_that_drafted_different_numbers_has_no_gamma():
    report = sample("tensorrt_llm_report.txt")
    assert only("tensorrt_llm_report.txt").gamma == 3
    (c,) = read_counters(report.replace("[DT] AVERAGE: 150.00", "[DT] AVERAGE: 130.00"))
    assert (c.drafts, c.drafted, c.calls, c.gamma) == (None, 5200, 2000, None)
    (c,) = read_counters(report.replace("[DT] AVERAGE: 150.00", "[DT] AVERAGE: 150.01"))
    assert (c.drafts, c.drafted, c.gamma) == (2000, 6000, 3)


def test_every_sample_is_read_by_some_test():
    here = Path(__file__).read_text(encoding="utf-8")
    assert all(path.name in here for path in SAMPLES.iterdir() if path.suffix != ".md")


def test_windows_line_ends_and_indentation_change_nothing():
    text = sample("vllm_metrics.txt")
    assert read_counters(text.replace("\n", "\r\n")) == read_counters("".join(f"  {line}\n" for line in text.splitlines())) \
        == read_counters(text)


def test_sglang_log_has_means_only_and_says_so():
    c = only("sglang_log.txt")
    assert c.printed_tokens == pytest.approx(2.8) and c.drafts is None and "a mean of rates is not the rate" in c.note


def test_vllm_log_where_drafts_stop_early_or_rates_are_not_told():
    text = sample("vllm_log.txt").replace("Drafted: 4000", "Drafted: 3600")  # 1000 calls, some of fewer than 4 words: 2250 / 2.25
    (c,) = read_counters(text)
    assert (c.drafts, c.drafted, c.per_position, c.gamma) == (1500, 5600, (1185, 905, 690, 495), None)
    (bare,) = read_counters("SpecDecoding metrics: Draft acceptance rate: 50.0%, Accepted: 9 tokens, Drafted: 18 tokens\n")
    assert (bare.drafts, bare.drafted, bare.accepted, bare.per_position) == (None, 18, 9, None)
    idle = ("SpecDecoding metrics: Mean acceptance length: nan, Accepted: 0 tokens, Drafted: 0 tokens, "
            "Per-position acceptance rate: nan\n")
    assert read_counters(sample("vllm_log.txt") + idle) == read_counters(sample("vllm_log.txt"))


def test_older_vllm_names_without_total():
    text = "".join(f'vllm:spec_decode_{name}{{model_name="a"}} {n}\n'
                   for name, n in (("num_drafts", 10), ("num_draft_tokens", 20), ("num_accepted_tokens", 9)))
    assert read_counters(text) == (Counters("vLLM counters", (("model_name", "a"),), 10, 20, 9),)


def test_two_json_answers_one_a_line():
    line = json.dumps({"timings": {"draft_n": 10, "draft_n_accepted": 4, "predicted_n": 9}})
    (c,) = read_counters(f"{line}\n{line}\n")
    assert (c.drafted, c.accepted, c.calls) == (20, 8, 10)


def vllm(**changes):
    """A good page of one engine, with some values changed and those that are `None` left out."""
    values = {"num_drafts": 100, "num_draft_tokens": 300, "num_accepted_tokens": 150, "0": 80, "1": 50, "2": 20} | changes
    lines = ["# a page"]
    for name, value in values.items():
        per, position = ("num_accepted_tokens_per_pos", f',position="{name}"') if name.isdigit() else (name, "")
        lines += [f'vllm:spec_decode_{per}_total{{model_name="m"{position}}} {value}'] if value is not None else []
    return "\n".join(lines) + "\n"


LATER = vllm()
BAD = {
    "empty": ("", "nothing was pasted"),
    "blank": (" \n\t\n", "nothing was pasted"),
    "prose": ("speculative decoding\nis fast\n", "no acceptance counts in these 3 lines"),
    "nan": (vllm(num_drafts="NaN"), "line 2: NaN is not a count"),
    "infinite": (vllm(num_draft_tokens="+Inf"), r"line 3: \+Inf is not a count"),
    "negative": (vllm(num_accepted_tokens="-4.0"), "line 4: -4.0 is not a count"),
    "half": (vllm(num_drafts="10.5"), "line 2: 10.5 is not a count"),
    "accepted above drafted": (vllm(num_accepted_tokens=301), "line 7: 301 words accepted of 300 drafted"),
    "position missing": (vllm(**{"1": None}), "position 1 is missing: line 6 has position 2"),
    "position rises": (vllm(**{"2": 60}), "line 7: 60 calls accepted position 3 but only 50 came that far"),
    "positions do not add up": (vllm(num_accepted_tokens=190), "line 7: the positions add up to 150 accepted words, not to 190"),
    "counter missing": (vllm(num_drafts=None), "line 6: this series has no counter of drafts"),
    "two snapshots": (LATER + LATER, "line 9 repeats a counter of .*one snapshot at a time"),
    "two formats": (LATER + sample("vllm_log.txt"), "lines 2 and 9 are of two formats"),
    "v0 log": (sample("vllm_v0_log.txt"), "line 1 is from vLLM v0.*another thing"),
    "v0 gauge": ("\nvllm:spec_decode_draft_acceptance_rate 0.5\n", "line 2 is from vLLM v0"),
    "v0 counters": (  # the first is a name of both versions
        "vllm:spec_decode_num_accepted_tokens_total 5\nvllm:spec_decode_num_emitted_tokens_total 9\n", "line 2 is from v"),
    "cut log": ("SpecDecoding metrics: Mean acceptance length: 2.0", "line 1: the line is cut off"),
    "log nan": ("x\nDecode batch, accept len: nan, accept rate: 0.1,", "line 2: nan is not a number"),
    "log accepted": ("SpecDecoding metrics: Accepted: 9 tokens, Drafted: 4 tokens", "line 1: more words are accepted"),
    "log half": ("SpecDecoding metrics: Accepted: 9.5 tokens, Drafted: 14 tokens", "line 1: the counts .* must be whole"),
    "log word": ("\nSpecDecoding metrics: Accepted: few tokens, Drafted: 14 tokens", "line 2: few is not a number"),
    "log rates": (sample("vllm_log.txt").replace("0.570", "0.970"), "line 3: the rates by position must fall"),
    "log rate": (sample("vllm_log.txt").replace("0.570", "nan"), "line 3: nan is not a number"),
    "log contradicts": (sample("vllm_log.txt").replace("length: 3.05", "length: 1.00"), "line 3: the mean acceptance length and"),
    "llama cut": ("n_drafted = 10\n", "1 lines n_drafted but 0 n_accept"),
    "llama word": ("n_drafted = ten\nn_accept = 4\n", "line 1: ten is not a count"),
    "llama accepted": ("n_drafted = 10\nn_accept = 40\n", "40 words accepted of 10 drafted"),
    "trt cut": ("[DT] AVERAGE: 12.00\n", "cut off"),
    "table position": ("position,accepted,drafted\n1,8,10\n3,2,10\n", "position 2 is missing: line 3 has position 3"),
    "table accepted": ("position,accepted,drafted\n1,18,10\n", "line 2: 18 accepted of 10 drafted"),
    "table column": ("position,accepted\n1,8\n", "line 1: the table needs the columns"),
    "table twice": ("position,accepted_tokens,drafted\n1,8,9\n", "line 1: the table needs the columns"),
    "beyond any engine": (vllm(num_draft_tokens="9" * 30), "line 3: 9+ is not a count"),
    "log beyond": (sample("vllm_log.txt").replace("Drafted: 4000", "Drafted: " + "4" * 20), "line 2: 4+ is not a number"),
    "table ragged": ("position,accepted,drafted\n1,8\n", "line 2 has 2 entries, not 3"),
    "table word": ("position,accepted,drafted\n1,eight,10\n", "line 2: eight is not a count"),
    "table empty": ("position,accepted,drafted\n", "line 1: the table has a heading and no rows"),
    "broken json": ('{"draft_n": 3,\n  oops', "line 2: this is not JSON"),
    "deep json": ("[" * 100_000, "not JSON|nested too deeply"),
    "other json": ('{"a": 1}', "no acceptance counts: looked for draft_n"),
    "json accepted": ('{"draft_n": 3, "draft_n_accepted": 4}', "object 1 of the JSON: 4 words accepted of 3"),
    "json count": ('{"draft_n": [3]}', r"object 1 of the JSON: draft_n: \[3\] is not a count"),
    "json histogram": ('{"spec_verify_ct": 3, "spec_accept_histogram": [1, 1]}', "the histogram holds 2 calls, not 3"),
    "json huge": ("[" + "9" * 5000 + "]", "not JSON"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_in_one_sentence_that_names_the_line(name):
    text, sentence = BAD[name]
    with pytest.raises(MetricsError, match=sentence) as told:
        read_counters(text)
    assert "\n" not in str(told.value) and len(str(told.value)) < 300


def test_counters_that_go_backwards_or_are_of_another_model():
    (now,), (before,) = read_counters(vllm()), read_counters(vllm(num_drafts=101))
    with pytest.raises(MetricsError, match="drafts went backwards, from 101 to 100: was the engine restarted"):
        now.since(before)
    (other,) = read_counters(vllm().replace('"m"', '"n"'))
    with pytest.raises(MetricsError, match="different series: vLLM counters, model_name=n and vLLM counters, model_name=m"):
        now.since(other)
    with pytest.raises(MetricsError, match="two models are mixed, 'm' and 'n'"):
        pooled(read_counters(vllm() + vllm().replace('"m"', '"n"')))
    with pytest.raises(MetricsError, match="no counts"):
        pooled(())


SPOILS = ["nan", "-1", "1e309", "9" * 30, "²", "\n", "\r", ",", ":", '"', "{", "}", "[", "null", " ", "\x00", "\ud800",
          "position", "="]


def test_spoilt_samples_are_read_or_refused_and_nothing_else():
    """Samples with a piece or two replaced by something odd, and all that is made of them."""
    rng = random.Random(5)
    samples = [sample(path.name) for path in sorted(SAMPLES.iterdir()) if path.suffix != ".md"]
    for _ in range(600):
        text = rng.choice(samples)
        for _ in range(rng.randint(1, 3)):
            i = rng.randrange(len(text))
            text = text[:i] + rng.choice(SPOILS) + text[i + rng.choice([0, 1, 3, 20]):]
        with contextlib.suppress(MetricsError):
            for counters in read_counters(text):
                rosetta(counters)
                tune(counters, .1, 40)


HUGE = 5_000_000
ODD = {name: start + piece * (HUGE // len(piece)) for name, start, piece in (
    ("one line", "", "x"), ("blanks", "position", " "), ("lines", "", "hello world\n"), ("words", "", "statistics "),
    ("braces", "vllm:spec_decode_num_drafts{", "} "), ("numbers", "n_drafted = ", "9"), ("brackets", "", "["),
    ("prefixes", "", "draft acceptance = "), ("logs", "", "SpecDecoding metrics: "), ("columns", "", "position,"),
    ("totals", "statistics a: #calls #gen drafts = ", "#gen drafts = 1 "), ("quotes", "vllm:spec_decode_num_drafts{", 'a="'),
    ("underscores", "vllm:spec_decode_", "_total"), ("slashes", 'vllm:spec_decode_num_drafts{a="', "\\"),
    ("log lines", "", "SpecDecoding metrics: Accepted: 9 tokens, Drafted: 10 tokens\n"), ("numbers in JSON", "{", "9"))}
ODD["log lines"] += "SpecDecoding metrics: Accepted: 9 tokens, Drafted: 1 tokens"


@pytest.mark.parametrize("name", ODD)
def test_five_megabytes_of_something_else_are_refused_at_once(name):
    start = process_time()
    with pytest.raises(MetricsError):
        read_counters(ODD[name])
    assert process_time() - start < 5


@pytest.mark.parametrize("labels", ['position="{}",model_name="m"', 'model_name="m", position="{}"', 'a="b",position="{}",model_name="m"',
                                    'position="{}"'])
def test_a_position_may_stand_anywhere_among_the_labels(labels):
    others = labels.replace(',position="{}"', "").replace(', position="{}"', "").replace('position="{}",', "").replace('position="{}"', "")
    lines = [f"vllm:spec_decode_num_{name}{{{others}}} {n}" for name, n in (("drafts", 5), ("draft_tokens", 10), ("accepted_tokens", 7))]
    lines += [f"vllm:spec_decode_num_accepted_tokens_per_pos{{{labels.format(i)}}} {4 - i}" for i in range(2)]
    [counters] = read_counters("\n".join(lines))
    assert counters.per_position == (4, 3) and counters.accepted == 7 and "position" not in dict(counters.labels)


@pytest.mark.parametrize("label", ['position="0', "position=0", 'draft_position="0"'])
def test_a_position_that_is_none_is_one_sentence(label):
    lines = ["vllm:spec_decode_num_drafts{} 5", "vllm:spec_decode_num_draft_tokens{} 10", "vllm:spec_decode_num_accepted_tokens{} 4",
             f"vllm:spec_decode_num_accepted_tokens_per_pos{{{label}}} 4"]
    with pytest.raises(MetricsError, match="^line 4: a counter by position needs a position"):
        read_counters("\n".join(lines))
