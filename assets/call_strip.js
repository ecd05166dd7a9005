/* One call of the big model, word by word: kept, fixed, dropped, or the bonus; choosing a word tells why. */
import { digitsFor, h, probability, say } from "./dom.js";

const MARKS = {
  kept: (drafted) => [drafted, " ✓"],
  fixed: (drafted, last) => [h("s", {}, drafted), " → ", last],
  dropped: (drafted) => [h("s", {}, drafted)],
  bonus: (drafted, last) => ["+ ", last],
};

let strips = 0;

/** Two different numbers with as many digits as it takes to tell them apart. */
function apart(a, b) {
  let digits = 2;
  while (digits < 17 && a.toFixed(digits) === b.toFixed(digits)) digits++;
  return [a, b].map(x => probability(x, digits));
}

/** What became of word i of a call, its last position included. */
const fate = (call, i) => i < call.accepted ? "kept" : i > call.accepted ? "dropped" : i < call.drafted.length ? "fixed" : "bonus";

/** Why word i of a call met its fate: the word, and the rest of a sentence with the uniform and what it was held against. */
function reason(call, i, { p, q }, words) {
  const kind = fate(call, i), word = words[call.drafted[i]], last = words[call.last], u = call.uniforms[i];
  if (kind === "dropped") return [word, `: never tested, because it was drafted after a word that did not stand.`];
  const drawn = probability(call.uniforms.at(-1), 2);
  if (kind === "bonus") return [last, `: all ${call.drafted.length} drafted words stood, so the big model adds one from its own law p (draw ${drawn}).`];
  const x = call.drafted[i], digits = digitsFor(p[x], q[x]);
  const [dividend, divisor] = [p[x], q[x]].map(value => probability(value, digits));
  if (p[x] >= q[x]) return [word, `: the target's ${dividend} is no less than the draft's ${divisor}, so it is kept whatever the draw (${probability(u)}).`];
  const [draw, limit] = apart(u, p[x] / q[x]), held = `p/q = ${dividend} / ${divisor} = ${limit}`;
  return [word, kind === "kept" ? `: the draw ${draw} is below ${held}, so it is kept.`
    : `: the draw ${draw} is not below ${held}, so it is rejected; the residual (draw ${drawn}) gives ${last}.`];
}

/** The strip: its element, `draw(call | null, row, words)`, `forget()` the word that a reader chose, and `sentence()`, the call in words. */
export function callStrip() {
  const name = `call-${++strips}`, cards = [], list = h("div", { className: "cards", aria: { role: "radiogroup", label: "Words of this call: choose one to see why" } });
  const subject = h("b"), because = h("span"), element = h("div", { className: "strip" }, list, h("p", { className: "why" }, subject, because));
  let shown = null, chosen = null;

  function card(i) {
    const radio = h("input", { type: "radio", name, onchange: () => { chosen = i; explain(); } }), text = h("span", { className: "text" }), verdict = h("small");
    const label = h("label", {}, radio, text, verdict);
    list.append(label);
    return { radio, text, verdict, label, key: "" };
  }

  function explain() {
    const decisive = shown.call.accepted; // the word that ended the call, unless the reader chose another
    const i = chosen !== null && chosen < shown.length ? chosen : decisive;
    cards[i].radio.checked = true;
    const [word, rest] = reason(shown.call, i, shown.row, shown.words);
    say(subject, word);
    say(because, rest);
  }

  return {
    element,
    forget() { chosen = null; },
    draw(call, row, words) {
      element.hidden = !call;
      if (!call) { shown = null; return; }
      const length = Math.max(call.drafted.length, call.accepted + 1);
      shown = { call, row, words, length };
      for (let i = 0; i < Math.max(length, cards.length); i++) {
        const { text, verdict, label } = cards[i] ??= card(i), isThere = i < length;
        label.hidden = !isThere;
        if (!isThere) continue;
        const kind = fate(call, i), key = `${kind} ${call.drafted[i]} ${call.last}`;
        if (cards[i].key === key && cards[i].words === words) continue;
        Object.assign(cards[i], { key, words });
        label.className = `card ${kind}`;
        text.replaceChildren(...MARKS[kind](words[call.drafted[i]], words[call.last]));
        verdict.textContent = kind;
      }
      explain();
    },
    sentence() {
      if (!shown) return "";
      const { call, words } = shown, [name_, last] = [x => words[x], words[call.last]];
      const kept = call.drafted.slice(0, call.accepted).map(name_), dropped = call.drafted.slice(call.accepted + 1).map(name_);
      return [kept.length && `kept: ${kept.join(", ")}`, call.accepted < call.drafted.length ? `fixed: ${name_(call.drafted[call.accepted])} to ${last}` : `bonus: ${last}`,
        dropped.length && `dropped: ${dropped.join(", ")}`].filter(Boolean).join("; ") + ".";
    },
  };
}
