/* All of the widget's numbers as a table behind a <details>; filled only while it is open (or about to be printed). */
import { count, h, percent } from "./dom.js";

const HEADS = ["word", "target p", "draft q", "kept", "rejected", "refill", "share kept", "residual", "came out", "share seen", "band ±"];
const number = (x, digits = 4) => x.toFixed(digits);

/** The table: its element and `draw({sweep, at, state, seen})`; `onOpen` is asked for the numbers when a reader opens it. */
export function dataTable(onOpen) {
  const caption = h("caption"), body = h("tbody");
  const table = h("table", {}, caption, h("thead", {}, h("tr", {}, ...HEADS.map(head => h("th", { scope: "col" }, head)))), body);
  const element = h("details", { className: "data", ontoggle: () => onOpen() }, h("summary", {}, "All the numbers as a table"),
    h("div", { className: "scroll", tabIndex: 0, aria: { role: "region", label: "All the numbers as a table" } }, table));
  addEventListener("beforeprint", () => {
    element.open = true;
    onOpen(); // "toggle" comes too late for the printer
  });

  return {
    element,
    draw({ sweep, at, state, seen }) {
      if (!element.open) return;
      caption.textContent = `Closeness ${number(state.closeness, 2)}, γ ${state.gamma}: α ${percent(sweep.alpha[at], 1)}, TV ${number(sweep.tv[at], 3)}, `
        + `${number(sweep.tokens[at][state.gamma - 1], 2)} tokens per call expected. Seed ${state.seed}, ${count(state.calls)} calls`
        + (seen ? `, ${count(seen.words)} words, ${number(seen.mean, 2)} per call.` : ".");
      body.replaceChildren(...sweep.words.map((word, i) => h("tr", {}, h("th", { scope: "row" }, word), ...[
        number(sweep.target[i]), number(sweep.draft[at][i]), number(sweep.kept[at][i]), number(sweep.rejected[at][i]), number(sweep.refill[at][i]),
        percent(sweep.keep[at][i]), sweep.residual[at] ? number(sweep.residual[at][i]) : "none",
        ...(seen ? [count(seen.tally[i]), number(seen.shares[i]), number(seen.bands[i])] : ["–", "–", "–"]),
      ].map(text => h("td", {}, text)))));
    },
  };
}
