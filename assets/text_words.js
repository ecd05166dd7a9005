/* The running text of `/text`: every word a choice, coloured by what became of it; what was drafted in vain is struck, and gone with the next call. */
import { h } from "./dom.js";
import { fate } from "./fate.js";

let texts = 0; // radio groups of two texts on one page must not share a name

/** What word `i` of call `k` looks like at a moment: the moment's call has drafted words, of which the target has judged some.
    `isLast` is the word that the target itself adds. */
function look(call, k, i, isLast, moment) {
  const kind = fate(call, i), here = k === moment.call, over = moment.judged > call.accepted;
  if (k < moment.call || here && over) {
    if (isLast || kind === "kept") return kind;
    return here ? i === call.accepted ? "struck" : "dropped" : "gone";
  }
  if (!here) return isLast || kind === "kept" ? "later" : "gone";
  if (isLast) return "gone";
  if (i >= moment.drafted) return kind === "kept" ? "later" : "gone";
  return i < moment.judged ? "kept" : "pending";
}

const SPOKEN = { struck: "rejected", pending: "drafted" };

/** The text of a record: its element; `draw(moment)`; `choose(k, i)`, which marks a word. `onChoose(k, i)` follows the reader. */
export function runningText(record, onChoose) {
  const name = `text-${++texts}`, slots = [];

  function slot(k, i, isLast, [word, spaced]) {
    const call = record.calls[k];
    const radio = h("input", { type: "radio", name, onchange: () => onChoose(k, i) });
    const label = h("label", {}, radio, h("span", {}, word));
    const element = h("span", { className: "slot" }, spaced ? " " : "", label);
    slots.push({ k, i, isLast, word, call, radio, label, element, look: "" });
    return element;
  }

  const words = record.calls.flatMap((call, k) => {
    const drafted = call.drafted.map(i => slot(k, i, false, call.pieces[i]));
    return [...drafted.slice(0, call.accepted + 1), slot(k, call.accepted, true, call.pieces[call.last]), ...drafted.slice(call.accepted + 1)];
  });

  return {
    element: h("div", { className: "running" }, h("span", { className: "prompt" }, record.prompt),
      h("span", { aria: { role: "radiogroup", label: "Words of the text: choose one to see its laws" } }, ...words)),
    draw(moment) {
      for (const it of slots) {
        const now = look(it.call, it.k, it.i, it.isLast, moment);
        if (now === it.look) continue;
        it.look = it.label.className = now;
        it.element.hidden = now === "gone";
        it.radio.ariaLabel = `${it.word.trim()}, ${SPOKEN[now] ?? now}`;
      }
    },
    choose(k, i) {
      const here = slots.filter(it => it.k === k && it.i === i && !["gone", "later"].includes(it.look));
      if (here.length) here.at(-1).radio.checked = true;
    },
  };
}
