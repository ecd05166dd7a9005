"""What the main figure of `/filtering` says: a legend, each filter in two sentences, its numbers, a table."""

from __future__ import annotations

from dataclasses import replace

from markupsafe import Markup

from specdec_core import best_of_n_kl_bound, kl_divergence, total_variation
from specdec_core.examples import EGGS

from .filtering_study import Study
from .pieces import details, numbers, percent, plural, probability, table

TITLE = "Keep the right answers, and train on them"
"""The section's heading."""

NAMES = {"right": "What is right", "errs": "Erring checker", "pooled": "Two questions", "capped": "A cap for each",
         "distinct": "No solution twice", "best": "Best of n"}
"""What each filter is called."""

_ABOUT = {
    "right": "The checker compares the result with the right one and makes no mistake. A right solution is kept, whatever way it "
             "took; a wrong one is thrown away.",
    "errs": "Tests with gaps, or a model as judge, let some wrong solutions pass and miss some right ones. What is kept is then "
            "not p(y | right): a part of it is wrong, and is taught all the same.",
    "pooled": "Two questions are asked equally often. The model solves the easy one 8 times in 10 and the hard one 2 times in 10. "
              "Each is filtered without a mistake, and yet the mix has changed.",
    "capped": "Keep at most so many from each question’s batch. That brings the mix back towards one half each, and costs right "
              "answers to the easy question.",
    "distinct": "Keep each solution once a batch. Rare ways to the right result gain, and the more draws a batch has, the more all "
                "ways count alike.",
    "best": "No checker: a reward model picks the best of each batch of n. This one thinks best of a wrong solution, 5, and cannot "
            "tell 19c from 24.",
}


def intro(level: int) -> Markup:
    """The heading and the legend."""
    return Markup("""<h{level}>{title}</h{level}>
<p>Ask a model a question many times. What a checker passes is <b class="kept">kept</b>, the rest is <b class="rejected">thrown
away</b>, and the model is trained on what is kept. That is rejection sampling again: out comes the model’s own law, given that it
is right.</p>""").format(level=level, title=TITLE)


def question() -> Markup:
    """What the model is asked."""
    return Markup("<p>“{}” One draw in five is right.</p>").format(EGGS.text)


def about(study: Study) -> Markup:
    """The filter in two sentences."""
    return Markup("<p>{}</p>").format(_ABOUT[study.filter])


def box(study: Study) -> Markup:
    """Its three numbers."""
    made, law = study.made, study.made.law
    kept = ("kept, of ", "all draws", percent(made.keep_rate, 1))
    if study.pooled:
        return numbers(kept, *((f"{name}, of ", "the kept", percent(share, 1)) for name, share in zip(study.names, law)))
    right = ("right, of ", "the kept", "none" if made.precision is None else percent(made.precision, 1))
    if study.filter == "best":
        far = f"{kl_divergence(law, made.drawn):.3f}"
        return numbers(("kept, of ", "all draws", f"1 in {study.n}"), right, ("KL to the ", "model’s law", far))
    away = "none" if law is None else probability(total_variation(law, made.target))
    return numbers(kept, right, ("TV to ", "p(y | right)", away))


def says(study: Study) -> Markup:
    """What it comes to, in a sentence or two."""
    made, law = study.made, study.made.law
    if law is None:
        return Markup("<p>Nothing ever passes, so there is nothing to train on.</p>")
    cost = f"{made.draws_per_kept:.2f}"
    match study.filter:
        case "right":
            return Markup("<p>One kept answer costs <strong>{}</strong> draws on average. The kept ones are {}, {} and {}: "
                          "p(y | right), <strong>exactly</strong>.</p>").format(cost, *(probability(x) for x in law[:3]))
        case "errs":
            return Markup("<p>Of what is kept, <strong>{}</strong> is right. The checker passes {} of the right draws and {} of "
                          "the wrong ones, but of five draws four are wrong. One kept answer costs {} draws.</p>").format(
                percent(made.precision, 1), percent(study.tpr), percent(study.fpr), cost)
        case "pooled":
            return Markup("<p>The easy question gives <strong>{}</strong> of the training data, the hard one {}: most of the "
                          "training goes where it is needed least.</p>").format(*(percent(share, 1) for share in law))
        case "capped":
            free = replace(study, filter="pooled").made.law
            return Markup("<p>With at most {} kept of {}, the easy question gives <strong>{}</strong> of the training data; "
                          "without a cap it gives {}. One kept answer costs {} draws.</p>").format(
                study.cap, plural(study.n, "draw"), percent(law[0], 1), percent(free[0], 1), cost)
        case "distinct":
            return Markup("<p>A batch of {} leaves <strong>{} kept</strong> on average. The likeliest way, 19a, is {} of them "
                          "where p(y | right) has {}; the rarest, 19c, is {} where it has {}.</p>").format(
                plural(study.n, "draw"), f"{made.keep_rate * study.n:.2f}", *(percent(x, 1) for i in (0, 2) for x in (
                    law[i], made.target[i])))
        case _:
            return Markup("<p>The best of {} is right <strong>{}</strong> of the time; a single draw, {}. It lies {:.3f} nats "
                          "from the model’s law. The formula log n − (n − 1)/n gives {:.3f}: a bound, often quoted as the distance "
                          "itself.</p>").format(study.n, percent(made.precision, 1), percent(made.drawn @ made.right, 1),
                                                kl_divergence(law, made.drawn), best_of_n_kl_bound(study.n))


def explain(study: Study) -> list[str]:
    """For each pair of bars its arithmetic, to stand behind its name."""
    made, law = study.made, study.made.law
    told = []
    for i in range(len(study.names)):
        what = "" if study.pooled else f"{EGGS.solutions[i]}, {'right' if EGGS.right[i] else 'wrong'}. "
        kept, whole = (probability(x, 4) for x in (made.kept[i], made.keep_rate))
        share = "Nothing is kept at all." if law is None else (
            f"Its share of what is kept is {kept} / {whole} = {probability(law[i])}; the line is at {probability(made.target[i])}.")
        told.append(f"{what}Drawn {probability(made.drawn[i])} of the time; {percent(made.keep[i], 1)} of these draws are kept. "
                    f"{share}")
    return told


def key(study: Study) -> str:
    """How to read the bars."""
    left = "Left bar: the draws of each" + (" question" if study.pooled else " solution") + ", kept and thrown away."
    line = "its share of the draws" if study.pooled else "p(y | right)"
    return f"{left} Right bar: its share of what is kept. The line: {line}."


def notes(study: Study) -> Markup:
    """The table."""
    made, law = study.made, study.made.law
    drawn, kept = study.counts(False), study.counts(True)
    rows = [(name, *_solution(study, i), f"{made.drawn[i]:.4f}", percent(made.keep[i], 1), f"{made.kept[i]:.4f}",
             "none" if law is None else f"{law[i]:.4f}", f"{made.target[i]:.4f}", f"{drawn[i]:,}", f"{kept[i]:,}")
            for i, name in enumerate(study.names)]
    heads = (*(("question",) if study.pooled else ("name", "solution")), "drawn", "share kept", "drawn and kept", "of the kept",
             "its half" if study.pooled else "p(y | right)", "run: drawn", "run: kept")
    caption = f"{NAMES[study.filter]}: on average, and in a run of {plural(study.run.answers.size, 'draw')}, seed {study.seed}"
    return details("These numbers as a table", table(caption, heads, rows))


def _solution(study: Study, i: int) -> tuple[str, ...]:
    return () if study.pooled else (EGGS.solutions[i],)
