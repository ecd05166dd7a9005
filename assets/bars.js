/* Pairs of bars, one pair a word: on the left the draft (kept, rejected), on the right what comes out (kept, refill), with the target's
   height as a line. Real elements throughout, so that it zooms, prints, and follows the theme. Draws what it is given. */
import { digitsFor, h, percent, probability, say } from "./dom.js";

let charts = 0; // radio groups of two charts on one page must not share a name

/** An axis a little higher than the highest bar, with about four round ticks. */
function axis(highest) {
  const step = [.001, .002, .005, .01, .02, .05, .1, .2].find(s => highest / s <= 5) ?? .25;
  const ticks = [];
  for (let i = 0; i * step <= highest * 1.05; i++) ticks.push(i * step);
  return { top: highest * 1.06, ticks, digits: Math.max(1, Math.ceil(-Math.log10(step))) };
}

/** What a pair of bars says, after its word: its two probabilities, the share kept, what is rejected or refilled. */
export function arithmetic(p, q, keep) {
  const digits = digitsFor(p, q), print = x => probability(x, digits);
  return `: draft ${print(q)}, target ${print(p)}, ` + (
    q > p ? `kept ${print(p)} / ${print(q)} = ${percent(keep)}, the rest rejected.`
      : q > 0 ? `always kept${p > q ? `, and refilled by ${print(p - q)}` : ""}.` : "never drafted, so all of it is refill.");
}

/** Build the chart. `highest` is the largest probability it will ever show; `onChoose(i)` is called when a reader picks a word.
    Returns the element, `choose(i)`, and `draw(row, seen)`: the row has kept, rejected, refill, keep (null where nothing is drafted)
    and target per word, and `out` where the right bars are not kept and refill; `seen` is null, or what a run showed: the shares and
    bands of the words. */
export function barChart({ words, highest, onChoose, label = "Words: choose one to spell out its arithmetic" }) {
  const { top, ticks, digits } = axis(highest);
  const percentOf = x => `${(100 * x / top).toFixed(2)}%`;
  const name = `word-${++charts}`;

  const pairs = words.map((word, i) => {
    const [rejected, keptLeft, refill, keptRight] = ["rejected", "kept", "refill", "kept"].map(kind => h("i", { className: kind }));
    const left = h("span", { className: "bar" }, rejected, keptLeft), right = h("span", { className: "bar" }, refill, keptRight);
    const target = h("i", { className: "target" }), band = h("i", { className: "band" }), seen = h("i", { className: "seen" });
    const share = h("b"), above = h("span", { className: "share" }, share, h("span", { className: "unit" }, " kept"));
    const radio = h("input", { type: "radio", name, checked: i === 0, onchange: () => onChoose(i) });
    const element = h("label", { className: "pair" },
      h("span", { className: "column" }, left, right, target, band, seen, above), radio, h("span", { className: "word" }, word));
    return { element, rejected, keptLeft, refill, keptRight, target, band, seen, share, above, radio };
  });

  const element = h("div", { className: "bars", aria: { role: "radiogroup", label } },
    h("div", { className: "grid", aria: { hidden: true } }, h("span", { className: "axis-name" }, "probability"), ...ticks.map(tick => {
      const line = h("i", {}, h("span", {}, tick.toFixed(digits)));
      line.style.bottom = percentOf(tick);
      return line;
    })),
    ...pairs.map(pair => pair.element));

  return {
    element,
    draw(row, seen) {
      element.classList.toggle("observed", seen !== null);
      pairs.forEach((pair, i) => {
        const target = row.target[i], out = row.out?.[i], middle = out ?? target;
        const low = Math.max(0, middle - seen?.bands[i]), high = Math.min(top, middle + seen?.bands[i]);
        pair.keptLeft.style.height = percentOf(row.kept[i]);
        pair.keptRight.style.height = percentOf(out ?? row.kept[i]);
        pair.rejected.style.height = percentOf(row.rejected[i]);
        pair.refill.style.height = percentOf(row.refill[i]);
        pair.target.style.bottom = percentOf(target);
        pair.above.style.bottom = percentOf(Math.max(row.kept[i] + row.rejected[i], out ?? 0, target, seen ? high : 0));
        pair.above.hidden = row.keep === null;
        if (row.keep) say(pair.share, `${(100 * row.keep[i]).toFixed(0)}%`);
        if (!seen) return;
        pair.seen.style.bottom = percentOf(Math.min(seen.shares[i], top));
        pair.band.style.bottom = percentOf(low);
        pair.band.style.height = percentOf(high - low);
      });
    },
    choose(i) { pairs[i].radio.checked = true; },
  };
}
