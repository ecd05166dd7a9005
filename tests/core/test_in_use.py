"""The closing card's facts: each number is the published one, each engine has a name for γ, each variant a reference."""

import re

from specdec_core import ENGINES, PUBLISHED, VARIANTS


def test_every_engine_names_its_gamma_and_no_knob_twice():
    assert [engine.name for engine in ENGINES] == ["vLLM", "SGLang", "TensorRT-LLM", "llama.cpp", "transformers"]
    for engine in ENGINES:
        names = [*engine.gamma, *(name for name, _ in engine.more)]
        assert engine.gamma and len(set(names)) == len(names) and all(re.fullmatch(r"[\w-]+", name) for name in names)
        assert engine.about_gamma.endswith(".") and all(sets for _, sets in engine.more)


def test_every_variant_has_a_published_number_and_a_reference():
    rows = {row.method.lower(): row for row in reversed(PUBLISHED)}  # the first of a method stays
    for variant in VARIANTS:
        method, speed, tokens = re.match(r"(.+?): ([\d.]+) times as fast, ([\d.]+) words per call with the added one",
                                         variant.number).groups()
        method = method.lower()
        assert (rows[method].speedup, rows[method].tokens) == (float(speed), float(tokens))
        assert "every call adds" in rows[method].tokens_mean
        assert rows[method].source.split("arXiv:")[1][:10] in variant.references
        assert all(re.fullmatch(r"\d{4}\.\d{5}", number) for number in variant.references) and variant.how.endswith(".")
