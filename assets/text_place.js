/* One place of `/text`: the pair of bars of the few words that matter and of all the rest, with its own α, and why its word met its fate. */
import { arithmetic, barChart } from "./bars.js";
import { h, percent, probability, say } from "./dom.js";
import { fate, reason } from "./fate.js";

const HEADS = ["word", "target p", "draft q", "kept", "rejected", "refill", "share kept"];

/** A probability with enough digits to be seen. */
const fine = x => probability(x, x < .01 ? 4 : 2);

/** The words of all the rest together: of what is drafted there a share is kept, and each word may be rejected or refilled. */
const ofTheRest = ({ p, q, keep }, i) => `: draft ${fine(q[i])}, target ${fine(p[i])}${q[i] > 0 ? `; ${percent(keep[i])} of what is drafted of them is kept.` : "."}`;

/** The view: its element and `draw(record, k, i)`, the i-th place of call k. `heading` is the level of its heading. */
export function placeView(heading) {
  const title = h(`h${heading}`), alpha = h("p", { className: "alpha" }), holder = h("div", { className: "scroll" });
  const word = h("b"), sum = h("span"), subject = h("b"), because = h("span"), caption = h("caption"), body = h("tbody");
  const table = h("details", { ontoggle: () => fill() }, h("summary", {}, "These laws as a table"),
    h("div", { className: "scroll", tabIndex: 0, aria: { role: "region", label: "These laws as a table" } },
      h("table", {}, caption, h("thead", {}, h("tr", {}, ...HEADS.map(head => h("th", { scope: "col" }, head)))), body)));
  let place, names;

  function spellOut(i) {
    say(word, names[i]);
    say(sum, !place.keep ? `: target ${fine(place.p[i])}.` : i === place.words.length ? ofTheRest(place, i) : arithmetic(place.p[i], place.q[i], place.keep[i]));
  }

  function fill() {
    if (!table.open) return;
    const number = x => x.toFixed(4);
    body.replaceChildren(...names.map((name, i) => h("tr", {}, h("th", { scope: "row" }, name),
      ...[place.p, place.q, place.kept, place.rejected, place.refill].map(values => h("td", {}, number(values[i]))), h("td", {}, place.keep ? percent(place.keep[i]) : "–"))));
  }

  return {
    element: h("div", { className: "place" }, title, alpha, h("figure", {}, holder, h("figcaption", {},
      h("p", { className: "why" }, subject, because), h("p", { className: "arithmetic" }, word, sum),
      h("p", { className: "key" }, "Left bar: the draft. Right bar: what comes out. The line over it: the target."))), table),
    draw(record, k, i) {
      const call = record.calls[k];
      place = call.places[i];
      names = place.p.length > place.words.length ? [...place.words, record.rest] : place.words;
      say(title, `After “${place.after}”`);
      say(alpha, place.alpha === null ? "Nothing is drafted here: the word comes from the target’s own law." : `α = ${place.alpha} of what the draft says here is kept.`);
      say(caption, `After “${place.after}”${place.alpha === null ? "" : `: α ${place.alpha}`}`);
      const chart = barChart({ words: names, highest: Math.max(...place.p, ...place.q), onChoose: spellOut });
      chart.draw({ ...place, target: place.p }, null);
      holder.replaceChildren(chart.element);
      const chosen = fate(call, i) === "bonus" ? place.out : place.drafted;
      chart.choose(chosen);
      spellOut(chosen);
      const [of, rest] = reason(call, i, call, call.names);
      say(subject, of);
      say(because, rest);
      fill();
    },
  };
}
