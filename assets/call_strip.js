/* One call of the big model, word by word: kept, fixed, dropped, or the bonus; choosing a word tells why. */
import { h, say } from "./dom.js";
import { fate, inWords, reason } from "./fate.js";

const MARKS = {
  kept: (drafted) => [drafted, " ✓"],
  fixed: (drafted, last) => [h("s", {}, drafted), " → ", last],
  dropped: (drafted) => [h("s", {}, drafted)],
  bonus: (drafted, last) => ["+ ", last],
};

let strips = 0;

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
      return shown ? inWords(shown.call, shown.words) : "";
    },
  };
}
