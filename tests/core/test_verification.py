"""v(γ): flat, a line, or a table; and the tables that people paste, good and bad."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_core import MOST_JUDGED, CallTimes, CallTimesError, read_call_times, verification_cost


def test_verification_cost_is_flat_linear_or_the_table():
    assert verification_cost([0, 1, 8]).tolist() == [1, 1, 1]
    assert verification_cost([0, 1, 8], slope=.25).tolist() == [1, 1.25, 3]
    assert verification_cost([0, 2, 1], table=[20, 21, 25]).tolist() == [1, 1.25, 1.05]
    with pytest.raises(ValueError, match="ends at gamma 2"):
        verification_cost(3, table=[20, 21, 25])
    with pytest.raises(ValueError, match="above 0"):
        verification_cost(1, table=[20, 0])
    with pytest.raises(ValueError, match="slope"):
        verification_cost(1, slope=-.1)


@pytest.mark.parametrize("text", ["20\n21\n25", "20,21,25", "20 21 25", " 20; 21; 25;\n", "1,20\n2,21\n3,25", "1:20,2:21,3:25",
                                  "words judged,ms\n1,20\n2,21\n3,25\n\n", "ms\r\n20\r\n21\r\n25\r\n", "1\t20\n2\t21\n3\t25"])
def test_the_same_table_in_many_shapes(text):
    read = read_call_times(text)
    assert read == CallTimes((1, 2, 3), (20, 21, 25)) and read.complete
    assert verification_cost(range(3), table=read.table).tolist() == [1, 1.05, 1.25]
    assert str(read) == "20,21,25"


def test_between_measured_points_lie_straight_lines():
    read = read_call_times("1,20\n3,22\n8,32")
    assert not read.complete and str(read) == "1:20,3:22,8:32"
    assert read.table.tolist() == [20, 21, 22, 24, 26, 28, 30, 32]
    assert verification_cost(7, table=read.table) == 1.6


@pytest.mark.parametrize("text, why", [
    ("", "no times"), (" \n\t", "no times"), ("words,ms", "entry 1: 'words' is not a time"), ("heading\n", "not a time"),
    ("20\nabc\n25", "line 2: 'abc' is not a time above 0"), ("20\n\n0\n25", "line 3: '0' is not a time above 0"),
    ("20\n-1", "line 2: '-1'"), ("20\nnan", "line 2: 'nan'"), ("20\ninf", "line 2: 'inf'"), ("20\n1e999", "line 2: '1e999'"),
    ("20\n" + "9" * 1_000_000, "line 2: '9{24}' is not a time"), ("20,x", "entry 2: 'x'"), ("20", "two times at least"),
    ("1,20\n2", "line 2 must have two numbers, as the first has, not 1"), ("20\n2,21", "line 2 must have one number"),
    ("1,2,3\n1,2,3", "line 1 must have one number, or two, not 3"), ("2,20\n3,21", "line 1 must be for 1 word"),
    ("1,20\n3,21\n2,22", "line 3: the numbers of words must rise, and 2 comes after 3"),
    ("1,20\n1,21", "line 2: the numbers of words must rise, and 1 comes after 1"),
    ("1,20\n1.5,21", "line 2: '1.5' is not a whole number of words"), ("1,20\n202,21", "line 2: 202 words are more than 201"),
    ("1,20\n" + "9" * 1_000_000 + ",1", "line 2: '9{24}' is not a whole number"), ("1\n" * 202, "202 times are more than 201"),
    ("<img src=x>", "not a time"), ("1," * 2_500_000, "2,500,000 times are more than 201")])
def test_a_bad_table_gets_a_sentence_that_names_the_line(text, why):
    with pytest.raises(CallTimesError, match=why) as caught:
        read_call_times(text)
    assert len(str(caught.value)) < 130 and str(caught.value).isprintable()


@given(st.integers(2, MOST_JUDGED).flatmap(lambda last: st.tuples(
    st.sets(st.integers(2, last), min_size=1), st.lists(st.floats(1e-6, 1e6), min_size=last, max_size=last))))
def test_what_is_written_is_read_as_the_same(drawn):
    words = (1, *sorted(drawn[0]))
    times = CallTimes(words, tuple(drawn[1][:len(words)]))
    assert read_call_times(str(times)) == times
    np.testing.assert_array_equal(times.table[np.array(words) - 1], times.times)


@given(st.text(max_size=60) | st.from_regex(r"[0-9.,;:\n eE-]{0,60}", fullmatch=True))
def test_any_text_is_a_table_or_a_sentence(text):
    try:
        read = read_call_times(text)
    except CallTimesError:
        return
    assert read.words[0] == 1 and (np.diff(read.words) > 0).all() and (read.table > 0).all() and len(read.table) <= MOST_JUDGED
