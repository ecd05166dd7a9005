"""Reading a URL: whatever it says, a state within bounds comes out, and what was not understood is named."""

from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.state import BOUNDS, HIDEABLE, THEMES, State, read
from specdec_core import RULES


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
    ("run", b"1000001", "waits"), ("run", b"", "waits"), ("hide", b"predict,all", "hides nothing"), ("hide", b"predict," * 99, "hides nothing")])
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
    assert state.alpha is None and notice == "alpha must be a number from 0 to 1, not “2”. This page uses that of the draft at its closeness instead."


@pytest.mark.parametrize("name, text", [("cost", b"1.1"), ("slope", b"0.6"), ("operations", b"nan"), ("alpha", b"1.01"), ("gamma", b"0"), ("gamma", b"11"), ("gamma", b"4.0"), ("seed", b"4294967296"),
                                        ("calls", b"10001"), ("theme", b"Dark"), ("theme", b"auto ")])
def test_out_of_range(name, text):
    assert read({name: [text]})[0] == State() and len(read({name: [text]})[1]) == 1


def test_one_bad_argument_leaves_the_others():
    state, notices = read({"closeness": [b"bad"], "gamma": [b"3"], "seed": [b"-1"], "theme": [b"light"]})
    assert state == State(gamma=3, theme="light") and len(notices) == 2


def test_the_last_of_a_repeated_argument_counts():
    assert read({"gamma": [b"2", b"3"]}) == (State(gamma=3), ())
    assert read({"gamma": []}) == (State(), ())


def test_a_notice_is_one_plain_line():
    [notice] = read({"theme": ["a\nb\u202ec\x1b[31m".encode()]})[1]
    assert notice.isprintable() and "a\N{REPLACEMENT CHARACTER}b" in notice


@given(st.dictionaries(st.sampled_from([*BOUNDS, "theme", "rule", "hide", "filter", "hint", "clip", "other"]),
                       st.lists(st.binary(max_size=60) | st.from_regex(rb"[0-9.eE+_-]{0,40}", fullmatch=True), max_size=3)))
def test_any_query_gives_a_state_within_bounds(query):
    state, notices = read(query)
    for name, (least, most) in BOUNDS.items():
        value = getattr(state, name)
        whole = name in ("gamma", "seed", "calls", "run", "n", "cap", "draws", "round", "group")
        assert value == getattr(State(), name) or least <= value <= most and type(value) is (int if whole else float)
    assert state.theme in THEMES and state.rule in RULES and set(state.hide) <= set(HIDEABLE) and all(notice.isprintable() for notice in notices)


@given(st.binary(max_size=200))
def test_any_query_string_gives_a_state(raw):
    query = parse_qs(raw.decode("latin-1"), keep_blank_values=True)
    read({name: [value.encode() for value in values] for name, values in query.items()})
