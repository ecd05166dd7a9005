"""What `/check` says: every sentence and table of it, as `Markup`; every number is the core's."""

from __future__ import annotations

import csv
import io

from markupsafe import Markup

from specdec_core import Tally, Verdict, chi_square, gathered, observed_distance, share_band
from specdec_core.examples import TRY_IT

from . import pieces
from .check_run import Progress
from .experiment import Experiment, Forecast
from .shares import REST

TITLE = "Run it to check"
"""The section's heading."""

GUESSES = {None: "no guess", "exact": "exactly the target", "more": "too many of the draft’s favourites",
           "fewer": "too few of them"}
"""What a reader may say will come out, by `Outcome`."""

_ANSWERS = {"exact": "exactly the target’s law", "more": "too many of the draft’s favourites",
            "fewer": "too few of the draft’s favourites",
            "other": "the wrong law in another way: the draft’s favourites, taken together, come out as often as they should"}


def intro(heading: int) -> Markup:
    """The section's heading and what it is about."""
    return Markup("""<h{0}>{1}</h{0}>
<p>A rule that is exact passes this test at any number of calls. The tempting wrong ones fail it, some of them only when enough
words have come out. Choose a rule, and let it run.</p>""").format(heading, TITLE)


def about(experiment: Experiment, own: bool) -> Markup:
    """What the rule does, where it has been seen, and on which words it runs."""
    rule = experiment.rule
    if own:
        words = Markup("<p>It runs on your {} words.</p>").format(f"{len(experiment.laws.words):,}")
    elif rule.laws != TRY_IT:
        words = Markup("<p>It goes wrong only where the two models have cut different words, so it runs on such a pair: {}. At "
                       "closeness 0 target and draft are {} and {}.</p>").format(
            _listed(experiment.laws.words), _numbers(experiment.laws.target), _numbers(experiment.laws.draft))
    else:
        words = Markup("<p>It runs on the words {}.</p>").format(_listed(experiment.laws.words))
    return Markup("<p>{}</p><p><b>Seen in:</b> {}</p>").format(rule.does, rule.seen) + words


def plan(experiment: Experiment, forecast: Forecast | None, told: bool) -> Markup:
    """What is known beforehand; how many calls catch the rule only if it is to be `told`."""
    expected = Markup("<p>Expected: {:.3f} words per call.</p>").format(experiment.tokens)
    if not told:
        return expected + Markup("<p>Guess first, or press Run; then this line says how many calls it takes to catch this "
                                 "rule.</p>")
    if forecast is None:
        return expected + Markup("<p>How many calls it takes to catch this rule is being worked out …</p>")
    if forecast.catch is None:
        return expected + Markup("<p>No number of calls catches this rule on these words: what comes out has the target’s law.</p>")
    enough = "A run of {:,} is long enough." if experiment.calls >= forecast.catch else "A run of {:,} may well see nothing."
    return expected + Markup("<p>It takes {}<b>{:,} calls</b> to catch this rule in 99 runs of 100. {}</p>").format(
        "about " if forecast.catch < 100 else "", forecast.catch, enough.format(experiment.calls))


def settings(experiment: Experiment) -> str:
    """The settings of a run in a line of plain text."""
    return (f"{experiment.rule.name}, closeness {experiment.closeness:.2f}, γ {experiment.gamma}, seed {experiment.seed}, "
            f"{experiment.calls:,} calls")


def progress_bar(experiment: Experiment, progress: Progress) -> Markup:
    """How far the run has come, and how fast."""
    broken = " This run broke off, and the server has written down why." if progress.state == "failed" else ""
    return Markup('<progress aria-label="Calls run" max="{}" value="{}"></progress>'
                  '<p>{:,} of {:,} calls, {:,.0f}\u00a0a\u00a0second.{}</p>'
                  ).format(experiment.calls, progress.tally.calls, progress.tally.calls, experiment.calls, progress.rate, broken)


def judged(experiment: Experiment, progress: Progress) -> Verdict | None:
    """The verdict on a run that has ended; `None` before, since a test read again and again raises false alarms."""
    ended = progress.state in ("done", "stopped") and progress.tally.calls
    return chi_square(progress.tally.words, experiment.p) if ended else None


def result(experiment: Experiment, progress: Progress, verdict: Verdict | None, forecast: Forecast | None, moved: bool) -> Markup:
    """The three numbers of a run and its verdict in words, under the settings that it keeps."""
    tally = progress.tally
    which = Markup("<p>{}: {}.{}</p>").format("This run" if verdict is None else "The run", settings(experiment),
                                              " The controls have moved since; press Run for a new one." if moved else "")
    if not tally.calls:
        return which + Markup("<p>It ended before the first call; there is nothing to judge.</p>" if progress.state != "running"
                              else "<p>No call yet.</p>")
    shown = pieces.numbers(("distance to the target", "TV", _distance(observed_distance(tally.words, experiment.p))),
                           ("so large by chance", "χ² test", verdict.chance if verdict and verdict.degrees else "–"),
                           ("words per call", f"formula {experiment.tokens:.3f}", f"{tally.tokens_per_call:.3f}"))
    return which + shown + Markup("<p><b>{}</b> {}</p>").format(*verdict_text(experiment, verdict, forecast))


def verdict_text(experiment: Experiment, verdict: Verdict | None, forecast: Forecast | None) -> tuple[str, str]:
    """The verdict in a sentence, and what to make of it, knowing the rule's law."""
    if verdict is None:
        return "No verdict yet.", ("A test that is read again and again during a run raises false alarms, so it is read once, "
                                   "at the end.")
    own = f"its own law lies {_distance(experiment.true_distance)} from the target"
    sentence, exact = verdict.sentence(experiment.laws.words), experiment.outcome == "exact"
    if exact:
        return sentence, ("And rightly: what comes out has exactly the target’s law." if verdict.passed else
                          f"A false alarm, as one exact run in {1 / verdict.level:,.0f} gives: this rule’s law is the target’s.")
    if not verdict.passed:
        return sentence, f"Rightly: {own}, and there its distance stops falling."
    need = f" It takes {forecast.catch:,} calls to catch it in 99 runs of 100." if forecast and forecast.catch else ""
    return sentence, f"And yet it is wrong: {own}.{need}"


def answer(experiment: Experiment, guess: str | None) -> Markup:
    """What the reader said, and what comes out."""
    favourites = [experiment.laws.words[i] for i in (experiment.q > experiment.p).nonzero()[0]]
    some = _listed(favourites[:6]) + ", …" * (len(favourites) > 6)
    here = "" if experiment.outcome == "exact" else f"; here these are {some}"
    said = "" if guess is None else "You were right. " if guess == experiment.outcome else f"You said: {GUESSES[guess]}. "
    return Markup("<p>{}This rule gives {}{}.</p>").format(said, _ANSWERS[experiment.outcome], here if favourites else "")


def shares_caption(experiment: Experiment, tally: Tally | None) -> Markup:
    """What the plot of shares shows."""
    if not (tally and tally.calls):
        return Markup("<p class=caption>No run yet. Each box is the band around the target in which all words of an exact run "
                      "of {:,} calls stay, 99 times of 100.</p>").format(experiment.calls)
    return Markup("<p class=caption>{:,} words. Each dot is a word’s share, minus the target’s. The boxes hold all the dots in "
                  "99 exact runs of 100; a hollow dot lies in its box, a filled one does not.</p>").format(tally.n_words)


def distance_caption(experiment: Experiment, progress: Progress | None, forecast: Forecast | None) -> Markup:
    """What the plot of distances shows."""
    text = ("Dashed: what chance alone leaves on average; it falls like 1/√n." if forecast else
            "The line of chance is being worked out …")
    if forecast and not forecast.distance.any():
        text = "The target says one word only, so an exact rule is at distance 0 from the first word on: no line to draw."
    if progress is None:
        return Markup("<p class=caption>No run yet. {}</p>").format(text)
    own = "" if experiment.outcome == "exact" else (f" Dotted: {_distance(experiment.true_distance)}, this rule’s own distance, "
                                                    "where its line must stop falling.")
    return Markup("<p class=caption>Solid: this run. {}{}</p>").format(text, own)


def tokens_caption(experiment: Experiment, tally: Tally | None) -> Markup:
    """What the plot of words per call shows, and why one call's number says little."""
    law = experiment.tokens_law
    two = f" {pieces.percent(law[1], 1)} of calls give 2, and such a call alone reads 2.00 per call;" if law[1] >= .0005 else ""
    why = f"One call gives 1 to {len(law)} words.{two} {experiment.tokens:.3f} is the mean over many."
    if not (tally and tally.calls):
        return Markup("<p class=caption>Bars: the formula, with bands. {}</p>").format(why)
    low, high = tally.tokens_interval
    return Markup("<p class=caption>Bars: the formula, with bands; dots: this run. {} This run: {:.3f}, with a 95 % interval "
                  "from {:.3f} to {:.3f}.</p>").format(why, tally.tokens_per_call, low, high)


def table(experiment: Experiment, tally: Tally | None) -> Markup:
    """The words' numbers behind a <details>."""
    if not (tally and tally.calls):
        return Markup("")
    shown = experiment.shown
    p, counts = gathered(experiment.p, shown), gathered(tally.words, shown)
    columns = (p, gathered(experiment.q, shown), counts, gathered(tally.shares, shown), share_band(p, tally.n_words))
    names = [experiment.laws.words[i] for i in shown] + [REST]
    rows = [(name, f"{target:.4f}", f"{draft:.4f}", f"{count:,}", f"{share:.5f}", f"{band:.5f}")
            for name, target, draft, count, share, band in zip(names, *columns)]
    caption = f"{settings(experiment)}; {tally.n_words:,} words from {tally.calls:,} calls."
    heads = ("word", "target p", "draft q", "came out", "share seen", "band ±")
    return pieces.details("The words’ numbers as a table", pieces.table(caption, heads, rows))


def as_csv(experiment: Experiment, progress: Progress, forecast: Forecast | None) -> str:
    """A run's settings and all its numbers, a row each: `kind, name, expected, observed, band, count`."""
    tally, text = progress.tally, io.StringIO()
    write = csv.writer(text).writerow  # lines end as RFC 4180 has it, so that a word with either of \r and \n is quoted
    write(("kind", "name", "expected", "observed", "band", "count"))
    for name, value in (("rule", experiment.rule.name), ("closeness", experiment.closeness), ("gamma", experiment.gamma),
                        ("seed", experiment.seed), ("calls", experiment.calls), ("state", progress.state)):
        write(("setting", name, value, "", "", ""))
    if tally.calls:
        verdict = judged(experiment, progress)
        write(("result", "calls", experiment.calls, tally.calls, "", ""))
        write(("result", "words per call", experiment.tokens, tally.tokens_per_call, "", tally.n_words))
        write(("result", "distance", experiment.true_distance, observed_distance(tally.words, experiment.p), "", ""))
        write(("result", "calls to catch", "" if forecast is None or forecast.catch is None else forecast.catch, "", "", ""))
        if verdict:
            write(("result", "chi-square", verdict.degrees, verdict.statistic, "", ""))
            write(("result", "p-value", verdict.level, verdict.p_value, "", ""))
        for row in zip(map(_plain, experiment.laws.words), experiment.p, tally.shares, share_band(experiment.p, tally.n_words),
                       tally.words):
            write(("word", *row))
        for row in zip(range(1, len(tally.accepted) + 1), experiment.tokens_law, tally.tokens_shares,
                       share_band(experiment.tokens_law, tally.calls), tally.accepted):
            write(("calls with this many words", *row))
        for n_words, distance in progress.trail:
            write(("distance after so many words", n_words, "", distance, "", ""))
    return text.getvalue()


def _plain(word: str) -> str:
    """A word that a spreadsheet shows: one that it would work out, as =1+1, behind an apostrophe."""
    return f"'{word}" if word.startswith(("=", "+", "-", "@", "\t", "\r")) else word


def _listed(words) -> str:
    return ", ".join(words)


def _distance(distance: float) -> str:
    return f"{distance:.4f}" if distance >= .001 or not distance else f"{distance:.6f}"


def _numbers(values) -> str:
    return "(" + ", ".join(f"{value:g}" for value in values) + ")"
