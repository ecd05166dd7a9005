"""Reading a URL: whatever it says, a state within bounds comes out, and what was not understood is named."""

from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.state import BOUNDS, HIDEABLE, MAX_PROMPT, THEMES, State, read
from app.text_drafts import DRAFTS
from specdec_core import RULES, CallTimes


def test_nothing_said_is_the_default():
    assert read({}) == (State(0.5, 4, 7, 1, "auto"), ())


def test_every_argument_is_read():
    query = {"closeness": [b"0.25"], "gamma": [b"10"], "seed": [b"4294967295"], "calls": [b"10000"], "theme": [b"dark"]}
    assert read(query) == (State(0.25, 10, 2**32 - 1, 10_000, "dark"), ())


@pytest.mark.parametrize("text, value", [(b"0", 0.0), (b"1", 1.0), (b"1.0", 1.0), (b".5", 0.5), (b"0.", 0.0),
                                         (b"0.123456789", 0.123456789)])
def test_decimals(text, value):
    assert read({"closeness": [text]}) == (State(closeness=value), ())


def test_what_the_check_reads():
    query = {"rule": [b"redraw"], "run": [b"100000"], "hide": [b"predict"]}
    assert read(query) == (State(rule="redraw", run=100_000, hide=("predict",)), ())
    assert read({"hide": [b""]}) == read({"hide": [b","]}) == (State(), ())


@pytest.mark.parametrize("name, text, instead", [
    ("rule", b"Redraw", "uses speculative"), ("rule", b"<b>", "uses speculative"), ("run", b"999", "waits until you press Run"),
    ("run", b"1000001", "waits"), ("run", b"", "waits"), ("hide", b"predict,all", "hides nothing"),
    ("hide", b"predict," * 99, "hides nothing")])
def test_what_the_check_cannot_use(name, text, instead):
    state, [notice] = read({name: [text]})
    assert state == State() and notice.startswith(f"{name} must be ") and instead in notice and notice.isprintable()


NONSENSE = [b"", b" ", b"-1", b"1.01", b"1e999", b"1e-3", b"nan", b"inf", b"-0.1", b"0,5", b"0x10", b"1_0", "４".encode(),
            b"\xff\xfe", b"NULL", b"<img src=x onerror=alert(1)>", b"9" * 5_000_000, b"0" * 5_000_000, b"0." + b"0" * 5_000_000]


@pytest.mark.parametrize("text", NONSENSE, ids=lambda text: repr(text[:20]))
@pytest.mark.parametrize("name", ["closeness", "gamma", "seed", "calls", "theme"])
def test_nonsense_gives_the_default_and_a_sentence(name, text):
    state, notices = read({name: [text], "cmid": [b"<script>"]})
    assert state == State()
    [notice] = notices
    assert name in notice and str(getattr(State(), name)) in notice and len(notice) < 160


def test_what_speed_adds():
    query = {"alpha": [b"0.3"], "cost": [b"1"], "slope": [b".5"], "operations": [b"0"]}
    assert read(query) == (State(alpha=.3, cost=1, slope=.5, operations=0), ())
    state, [notice] = read({"alpha": [b"2"]})
    assert state.alpha is None and notice == ("alpha must be a number from 0 to 1, not “2”. "
                                              "This page uses that of the draft at its closeness instead.")


def test_what_text_adds():
    query = {"prompt": ["She was “so” ".encode()], "draft": [b"look-up"], "words": [b"80"], "temperature": [b"0"], "top_k": [b"40"],
             "top_p": [b".9"], "draft_temperature": [b"1.5"], "draft_top_k": [b"1"], "draft_top_p": [b"0.01"]}
    assert read(query) == (State(prompt="She was “so” ", draft="look-up", words=80, temperature=0, top_k=40, top_p=.9,
                                 draft_temperature=1.5, draft_top_k=1, draft_top_p=.01), ())
    assert read({"prompt": ["é".encode() * MAX_PROMPT]})[0].prompt == "é" * MAX_PROMPT


@pytest.mark.parametrize("name, text, instead", [
    ("prompt", b"", "one of its own"), ("prompt", b" \n", "one of its own"), ("prompt", b"a" * (MAX_PROMPT + 1), "one of its own"),
    ("prompt", b"a" * 5_000_000, "one of its own"), ("draft", b"4-gram", "uses 2-gram"), ("words", b"9", "uses 40"),
    ("words", b"40.0", "uses 40"), ("temperature", b"-1", "uses 0.8"), ("temperature", b"6", "uses 0.8"),
    ("top_k", b"0", "cuts no word"), ("top_p", b"0", "uses 1.0"),
    ("draft_top_k", b"x", "cuts no word"), ("draft_top_p", b"1.1", "uses 1.0"),
    ("draft_temperature", b"nan", "uses 0.8")])
def test_what_text_cannot_use(name, text, instead):
    state, [notice] = read({name: [text]})
    assert state == State() and notice.startswith(f"{name} must be ") and instead in notice and len(notice) < 200


@pytest.mark.parametrize("name, text", [("cost", b"1.1"), ("slope", b"0.6"), ("operations", b"nan"), ("alpha", b"1.01"),
                                        ("gamma", b"0"), ("gamma", b"11"), ("gamma", b"4.0"), ("seed", b"4294967296"),
                                        ("calls", b"10001"), ("theme", b"Dark"), ("theme", b"auto ")])
def test_out_of_range(name, text):
    assert read({name: [text]})[0] == State() and len(read({name: [text]})[1]) == 1


def test_what_the_two_pasting_parts_read():
    query = {"engine_cost": [b"12.5"], "engine_gamma": [b"7"], "engine_slope": [b".5"], "engine_verification": [b"20,21,25"],
             "engine_sample": [b"table.csv"], "laws_target_temperature": [b"0"], "laws_target_top_k": [b"200000"],
             "laws_draft_top_p": [b"0.9"],
             "laws_draft_kind": [b"logits"], "laws_gamma": [b"10"], "laws_cost": [b"100"]}
    times = CallTimes((1, 2, 3), (20., 21., 25.))
    assert read(query) == (State(engine_cost=12.5, engine_gamma=7, engine_slope=.5, engine_verification=times,
                                 engine_sample="table.csv", laws_target_temperature=0., laws_target_top_k=200_000,
                                 laws_draft_top_p=.9, laws_draft_kind="logits", laws_gamma=10,
                                 laws_cost=100.), ())


@pytest.mark.parametrize("name, text, said", [
    ("engine_cost", b"101", "a number from 0 to 100, not “101”. This page uses 0.1 instead."),
    ("engine_gamma", b"0", "a whole number from 1 to 100, not “0”. This page leaves it empty."),
    ("engine_slope", b"0.6", "from 0 to 0.5"), ("engine_verification", b"5", "times of judging"),
    ("engine_sample", b"../../etc/passwd", "table.csv, not “../../etc/passwd”. This page uses vllm_metrics.txt"),
    ("laws_target_top_k", b"200001", "from 1 to 200,000"), ("laws_target_top_p", b"0", "from 0.001 to 1"),
    ("laws_draft_temperature", b"-1", "from 0 to 100"),
    ("laws_draft_kind", b"words", "log-probabilities or logits, not “words”. This page uses auto"),
    ("laws_gamma", b"11", "from 1 to 10")])
def test_what_they_cannot_use(name, text, said):
    state, [notice] = read({name: [text]})
    assert state == State() and notice.startswith(f"{name} must be ") and said in notice


def test_one_bad_argument_leaves_the_others():
    state, notices = read({"closeness": [b"bad"], "gamma": [b"3"], "seed": [b"-1"], "theme": [b"light"]})
    assert state == State(gamma=3, theme="light") and len(notices) == 2


def test_the_last_of_a_repeated_argument_counts():
    assert read({"gamma": [b"2", b"3"]}) == (State(gamma=3), ())
    assert read({"gamma": []}) == (State(), ())


def test_a_notice_is_one_plain_line():
    [notice] = read({"theme": ["a\nb\u202ec\x1b[31m".encode()]})[1]
    assert notice.isprintable() and "a\N{REPLACEMENT CHARACTER}b" in notice


@given(st.dictionaries(st.sampled_from([*BOUNDS, "theme", "rule", "hide", "prompt", "draft", "filter", "hint", "clip", "other"]),
                       st.lists(st.binary(max_size=60) | st.from_regex(rb"[0-9.eE+_-]{0,40}", fullmatch=True), max_size=3)))
def test_any_query_gives_a_state_within_bounds(query):
    state, notices = read(query)
    for name, (least, most) in BOUNDS.items():
        value = getattr(state, name)
        whole = State.__annotations__[name].startswith("int")
        assert value == getattr(State(), name) or least <= value <= most and type(value) is (int if whole else float)
    assert state.theme in THEMES and state.rule in RULES and set(state.hide) <= set(HIDEABLE)
    assert state.draft in DRAFTS and (state.prompt is None or 0 < len(state.prompt) <= MAX_PROMPT)
    assert all(notice.isprintable() for notice in notices)


@given(st.binary(max_size=200))
def test_any_query_string_gives_a_state(raw):
    query = parse_qs(raw.decode("latin-1"), keep_blank_values=True)
    read({name: [value.encode() for value in values] for name, values in query.items()})


def test_times_of_judging():
    for text in ("20,21,25", "1:20,2:21,3:25", "20 21 25"):
        assert read({"verification": [text.encode()]}) == (State(verification=CallTimes((1, 2, 3), (20, 21, 25))), ())
    assert read({"published": [b"1"]}) == (State(published=True), ())


@pytest.mark.parametrize("text", [b"", b"20", b"20,x", b"20,-1", b"3:1,4:2", b"1," * 100 + b"1", b"1," * 3_000_000, b"\xff",
                                  b"20,nan"])
def test_times_of_judging_that_cannot_be_used(text):
    state, [notice] = read({"verification": [text], "published": [b"yes"], "gamma": [b"2"]})[0], read({"verification": [text]})[1]
    assert state == State(gamma=2) and len(notice) < 200 and notice.isprintable()
    assert notice.startswith("verification must be times of judging") and notice.endswith("This page uses no table instead.")
