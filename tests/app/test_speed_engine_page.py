"""What /speed says of pasted counts: against numbers worked out by hand, for every sample and every kind of bad paste."""

import math
import re

import pytest
from reading import Reader, words

from app.assets import ASSETS
from app.controls import Text
from app.pasting import LONGEST, Fields, Menu, Paste
from app.speed_engine import SAMPLES, engine

TABLE = "position,accepted,drafted\n1,80,100\n2,50,100\n3,20,100\n"
VLLM = ("vllm:spec_decode_num_drafts_total{{model_name=\"{0}\"}} {1}\n"
        "vllm:spec_decode_num_draft_tokens_total{{model_name=\"{0}\"}} {2}\n"
        "vllm:spec_decode_num_accepted_tokens_total{{model_name=\"{0}\"}} {3}\n")
ATTACK = "<img src=x onerror=alert(1)>"


class EngineReader(Reader):
    """The subsection as somebody who pastes into it."""

    def __init__(self):
        [split, below] = engine(2)
        super().__init__([*split.words, *split.figure, below])
        self.box, self.before = self.all(Paste)
        self.samples, self.which = self.all(Menu)
        [self.costs] = self.all(Fields)

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
    assert re.findall("<dd>(.*?)</dd>", reader.html) == ["3", f"{2.5 / 1.3:.2f}×", f"{max(.8, 1.3 / 2, .5):.2f}"]
    stone = words(reader.stone.html)
    for i, share in enumerate(survival, 1):
        assert f"{i}: .{1000 * share:.0f} " in stone
    for i, share in enumerate([.8, .625, .4], 1):
        assert f"{i}: .{1000 * share:.0f} " in stone
    assert "1.50" in stone and "2.50" in stone and ".625" in stone


@pytest.mark.parametrize("place", range(len(SAMPLES)))
def test_every_sample_is_read(reader, place):
    reader.samples.value = place
    assert reader.box.fault == "" and reader.box.text == (ASSETS / "samples" / list(SAMPLES.values())[place]).read_text("utf-8")
    assert "nan" not in reader.text.lower() and "None" not in reader.text
    reader.costs.enter("gamma", "5")
    assert "in use is" in reader.text and reader.stone.html.count("<tr") == 8


def test_without_gamma_it_says_what_is_missing(reader):
    reader.samples.value = list(SAMPLES).index("TensorRT-LLM: report")
    assert "No γ can be advised." in reader.text and "say γ" in reader.text and "Cannot be derived" in reader.text
    assert "<dl" not in reader.html
    reader.costs.enter("gamma", "1")  # 3,120 of 6,000 words in 6,000 calls
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
