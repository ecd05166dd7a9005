"""What /speed says of pasted counts: against numbers worked out by hand, for every sample and every kind of bad paste."""

import math

import pytest
from reading import Reader, plain

from app.assets import ASSETS
from app.controls import Choice, Range, Text
from app.pasting import LONGEST, Fields, Menu, Paste
from app.engine_samples import SAMPLES
from app.speed_engine import engine
from app.state import State
from specdec_core import CallTimes

TABLE = "position,accepted,drafted\n1,80,100\n2,50,100\n3,20,100\n"
VLLM = ("vllm:spec_decode_num_drafts_total{{model_name=\"{0}\"}} {1}\n"
        "vllm:spec_decode_num_draft_tokens_total{{model_name=\"{0}\"}} {2}\n"
        "vllm:spec_decode_num_accepted_tokens_total{{model_name=\"{0}\"}} {3}\n")
ATTACK = "<img src=x onerror=alert(1)>"


class EngineReader(Reader):
    """The subsection as somebody who pastes into it."""

    def __init__(self, state=State()):
        super().__init__(engine(state, 2))
        self.box, self.before, self.judging_box = self.all(Paste)
        self.samples, self.which = self.all(Menu)
        [self.costs], [self.slope], [self.judging] = self.all(Fields), self.all(Range), self.all(Choice)

    def paste(self, text):
        self.box._handle_msg(text)

    @property
    def stone(self):
        [stone] = [part for part in self.all(Text) if 'class="stone"' in part.html]
        return stone


@pytest.fixture
def reader(at_once):
    return EngineReader()


def test_a_table_by_hand(reader):
    reader.paste(TABLE)
    alpha, survival, c = 150 / 230, [.8, .5, .2], .1
    promised = max(range(41), key=lambda g: (1 - alpha ** (g + 1)) / (1 - alpha) / (g * c + 1))
    for said in ("100 calls, 300 drafted words, 150 accepted words", f"the γ = 3 in use is {2.5 / 1.3:.2f} times as fast",
                 "No other γ that is known is faster", "the counted survival curve is used, up to γ = 3",
                 f"one α = {alpha:.3f}".replace("0.", ".", 1), f"at γ = {promised}."):
        assert said in reader.text, said
    assert reader.boxes == ["3", f"{2.5 / 1.3:.2f}×", f"{max(.8, 1.3 / 2, .5):.2f}"]
    stone = plain(reader.stone.html)
    for i, share in enumerate(survival, 1):
        assert f"{i}: .{1000 * share:.0f} " in stone
    for i, share in enumerate([.8, .625, .4], 1):
        assert f"{i}: .{1000 * share:.0f} " in stone
    assert "1.50" in stone and "2.50" in stone and ".625" in stone


def test_the_map_by_hand(reader):
    """Words per call 1, 1.8, 2.3, 2.5 over γc + 1, and the largest of each column; nothing beyond γ = 3."""
    reader.paste(TABLE)
    heads, *rows, last = reader.table("Speed-up by γ and draft cost")
    costs = [.025, .05, .075, .1, .15, .2, .4]
    assert heads == ["γ", *(f"c .{str(cost)[2:]}" for cost in costs)] and [row[0] for row in rows] == list("0123")
    speeds = [[tokens / (gamma * cost + 1) for cost in costs] for gamma, tokens in enumerate((1, 1.8, 2.3, 2.5))]
    assert [row[1:] for row in rows] == [[f"{speed:.2f}" for speed in row] for row in speeds]
    assert last == ["best γ", *(str(max(range(4), key=lambda g: speeds[g][i])) for i in range(7))]
    assert "The map ends at γ = 3, the deepest that was observed." in reader.text
    reader.costs.enter("cost", "0")
    assert [head for head in reader.table("Speed-up by γ")[0]] == ["γ", "c 0", "c .01", "c .02", "c .05", "c .1", "c .2", "c .5"]
    reader.costs.enter("cost", "3")
    assert reader.table("Speed-up by γ")[-1][4:] == ["0"] * 4 and "No γ gains" in reader.text


def test_judging_that_costs(reader):
    reader.paste(TABLE)
    reader.slope.value = .25
    speeds = [tokens / (gamma * .1 + 1 + .25 * gamma) for gamma, tokens in enumerate((1, 1.8, 2.3, 2.5))]
    even = max((sum((.8, .5, .2)[:gamma]) - .25 * gamma) / gamma for gamma in (1, 2, 3))
    assert reader.boxes == [str(speeds.index(max(speeds))), f"{max(speeds):.2f}×", f"{even:.2f}"]
    assert f"With c = 0.1, where judging costs 0.25 a word, the γ = 3 in use is {speeds[3]:.2f} times" in reader.text
    assert [row[4] for row in reader.table("Speed-up by γ")[1:-1]] == [f"{speed:.2f}" for speed in speeds]
    promised = max(range(41), key=lambda g: (1 - (15 / 23) ** (g + 1)) / (1 - 15 / 23) / (g * .1 + 1 + .25 * g))
    assert f"at γ = {promised}." in reader.text


def test_a_table_of_judging(reader):
    reader.paste(TABLE)
    reader.judging.value = "A table of mine"
    reader.judging_box._handle_msg("20\n22\n25\n30\n50")
    rows = enumerate(zip((1, 1.8, 2.3, 2.5), (20, 22, 25, 30)))
    speeds = [tokens / (gamma * .1 + judged / 20) for gamma, (tokens, judged) in rows]
    assert reader.boxes[1] == f"{max(speeds):.2f}×" and "judging costs what your table says" in reader.text
    reader.judging_box._handle_msg("20\n22\n25")
    assert "Your table of judging ends at γ = 2, and this engine drafts 3 words per call." in reader.text and not reader.boxes
    reader.judging.value = "Flat, or a line"
    assert reader.boxes[1] == f"{2.5 / 1.3:.2f}×"


def test_it_opens_as_an_address_says(at_once):
    reader = EngineReader(State(engine_sample="sglang_log.txt", engine_cost=.3, engine_gamma=6, engine_slope=.05))
    assert reader.samples.value == 3 and "accept len" in reader.box.text
    assert "With c = 0.3, where judging costs 0.05 a word, the γ = 6 in use" in reader.text
    reader = EngineReader(State(engine_verification=CallTimes((1, 41), (10., 50.))))
    assert "judging costs what your table says" in reader.text and reader.boxes


@pytest.mark.parametrize("place", range(len(SAMPLES)))
def test_every_sample_is_read(reader, place):
    reader.samples.value = place
    assert reader.box.fault == "" and reader.box.text == (ASSETS / "samples" / list(SAMPLES.values())[place]).read_text("utf-8")
    assert "nan" not in reader.text.lower() and "None" not in reader.text
    reader.costs.enter("gamma", "5")
    assert "in use is" in reader.text and reader.stone.html.count("<tr") == 8


def test_without_gamma_it_says_what_is_missing(reader):
    reader.paste("n_predict = 201\nn_drafted = 240\nn_accept  = 132\n")
    assert "No γ can be advised." in reader.text and "say γ" in reader.text and "Cannot be derived" in reader.text
    assert "<dl" not in reader.html
    reader.costs.enter("gamma", "1")  # 132 of 240 words in 240 calls
    assert "in use is" in reader.text
    reader.costs.enter("gamma", "4")
    assert "if acceptances are independent and every call drafted 4 words" in reader.text.lower()


@pytest.mark.parametrize("text, sentence", [
    ("", "nothing was pasted"), ("hello\nworld", "no acceptance counts in these 2 lines"), ("x" * LONGEST, "no acceptance counts"),
    (VLLM.format("m", 10, 40, 50), "line 3: 50 words accepted of 40 drafted"),
    (VLLM.format("m", 10, "NaN", 5), "line 2: NaN is not a count"),
    (VLLM.format("m", 10, "1e300", 5), "line 2: 1e300 is not a count"),
    (TABLE.replace("2,50", "3,50"), "position 2 is missing: line 3"),
    ("INFO Speculative metrics: Draft acceptance rate: 0.6, System efficiency: 0.5", "line 1 is from vLLM v0"),
    ("position,accepted,drafted\n" + "".join(f"{i},1,1\n" for i in range(1, 200)), "positions are more than 100"),
    ("".join(VLLM.format(i, 1, 1, 1) for i in range(201)), "201 series"), ("[" * 100_000, "JSON"),
])
def test_a_bad_paste_is_told_in_a_sentence_and_what_was_good_stays(reader, text, sentence):
    before = reader.html
    reader.paste(text)
    assert reader.box.fault.startswith("Not used: ") and sentence in reader.box.fault and reader.box.fault.endswith(".")
    assert reader.html == before
    reader.paste(TABLE)
    assert reader.box.fault == "" and "100 calls" in reader.text


def test_too_much_is_not_even_read(reader):
    reader.paste("x" * (LONGEST + 1))
    assert "more than 5,000,000 characters" in reader.box.fault
    reader.box._handle_msg({"text": 1})


def test_two_models_are_not_mixed_and_two_engines_are(reader):
    assert reader.which.options[0] == "lab/target-8b, 2 series together" and "2,100 calls" in reader.text
    reader.which._handle_msg(1)
    assert "1,200 calls" in reader.text
    reader.which._handle_msg(99)
    assert reader.which.value == 1
    reader.paste(VLLM.format("a", 10, 40, 20) + VLLM.format("b", 30, 90, 50))
    assert len(reader.which.options) == 2 and "10 calls" in reader.text
    reader.which._handle_msg(1)
    assert "30 calls" in reader.text and "a, 2 series" not in reader.text


def test_an_earlier_snapshot_is_subtracted(reader):
    earlier = (ASSETS / "samples" / "vllm_metrics_before.txt").read_text("utf-8")
    reader.before._handle_msg(earlier)
    assert reader.before.fault == "" and "1,800 calls, 7,200 drafted words, 4,090 accepted words" in reader.text
    reader.before._handle_msg(VLLM.format("another", 1, 2, 1))
    assert "the earlier snapshot has no series of" in reader.before.fault and "1,800 calls" in reader.text
    reader.paste(earlier)
    assert "1,800 calls" not in reader.text or reader.box.fault
    reader.before._handle_msg("")
    assert reader.before.fault == "" and "300 calls" in reader.text
    reader.before._handle_msg(earlier)
    assert "No γ can be advised." in reader.text and "no words were drafted in the span" in reader.text


def test_both_boxes_can_be_replaced_one_after_the_other(reader):
    reader.before._handle_msg((ASSETS / "samples" / "vllm_metrics_before.txt").read_text("utf-8"))
    reader.paste(VLLM.format("m", 10, 40, 20))
    assert "the earlier snapshot has no series of" in reader.box.fault and "1,800 calls" in reader.text
    reader.before._handle_msg("hello")
    assert "no acceptance counts" in reader.before.fault and reader.box.fault == ""
    reader.before._handle_msg(VLLM.format("m", 4, 16, 9))
    assert reader.box.fault == reader.before.fault == "" and "6 calls, 24 drafted words, 11 accepted words" in reader.text


def test_counters_that_go_backwards(reader):
    reader.paste(VLLM.format("m", 10, 40, 20))
    reader.before._handle_msg(VLLM.format("m", 11, 40, 20))
    assert "drafts went backwards, from 11 to 10" in reader.before.fault and "10 calls" in reader.text


def test_c_from_two_times(reader):
    reader.costs.enter("draft", "1.5"), reader.costs.enter("target", "30")
    assert reader.costs.values["cost"] == .05 and "With c = 0.05" in reader.text
    reader.costs.enter("cost", "0.2")
    assert "With c = 0.2," in reader.text and reader.costs.values["draft"] is None
    for bad in "-1", "nan", "inf", "ten", "", "9" * 400, "1e999", ATTACK:
        reader.costs.enter("cost", bad)
        assert "c, over a target step must be a number from 0 to 100; it is still 0.2" in reader.costs.faults["cost"]
    reader.costs.enter("cost", "0")
    assert not reader.costs.faults and "With c = 0," in reader.text and not math.isnan(reader.costs.values["cost"])


def test_what_was_pasted_is_only_text(reader):
    reader.paste(VLLM.format(ATTACK.replace('"', ""), 10, 40, 20))
    assert "<img" not in reader.html and "&lt;img" in reader.html
    reader.paste(VLLM.format("m" * 5000, 10, 40, 20))
    assert max(map(len, reader.which.options)) <= 91
