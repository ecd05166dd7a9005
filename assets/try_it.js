/* The Try-it widget: two sliders over numbers that NumPy computed (a `Sweep`), and calls of the big model played under a seed.
   Looks numbers up and draws; the only rule in the browser is the one in speculative.js. Hosts: `mount` for any page, `render` for Panel. */
import { arithmetic, barChart } from "./bars.js";
import { callStrip } from "./call_strip.js";
import { dataTable } from "./data_table.js";
import { count, h, percent, probability, remember, say } from "./dom.js";
import { seedField, slider } from "./fields.js";
import { decidingRow, playCall, tallyCalls, uniformStream } from "./speculative.js";

const MAX_CALLS = 10_000;
const KEY = "Left bar: the draft. Right bar: what comes out. The line over it: the target.";
const keyOfRun = confidence => ` The dot: the share seen in this run, and the band that holds every word in ${Math.round(100 * confidence)} runs of 100.`;
const ENOUGH_CALLS = 100; // below, the bands are wider than the chart and the normal approximation behind them is poor

const readout = (name, symbol) => {
  const value = h("dd");
  return { element: h("div", {}, h("dt", {}, name, h("span", {}, symbol)), value), value };
};

/** Build the widget into `root`, around the `.intro` that is there. `state` is {closeness, gamma, seed, calls}; `onInput(state)` follows
    every change a reader makes, `onCommit(state)` a slider's release, a button or a new seed. `heading` is the level of the intro's
    heading. Returns `set(state)`, which changes any of the state from outside, and `setSweep(sweep)`; neither calls back. */
export function mount(root, { sweep, state, heading, onInput = () => {}, onCommit = () => {} }) {
  state = { ...state };
  let uniforms = uniformStream(state.seed), chosen = 0, chart, rows;

  const closeness = slider("How closely the draft matches", ["a stranger", "a twin"], { min: 0, max: 1, step: .01 }, value => change({ closeness: value }), commit);
  const gamma = slider("Draft tokens per check, γ", ["1", "10"], { min: 1, max: 10, step: 1 }, value => change({ gamma: value }), commit);
  const alpha = readout("acceptance ", "rate α"), tv = readout("total variation ", "TV = 1 − α"), tokens = readout("tokens per ", "target call");
  const word = h("b"), sum = h("span"), key = h("p", { className: "key" }), holder = h("div", { className: "scroll" });
  const which = h("span", { className: "which" }), strip = callStrip(), totals = h("span"), limit = h("span"), gap = h("p", { className: "gap" });
  const status = h("p", { className: "status", aria: { role: "status" } });
  const seed = seedField(value => {
    strip.forget();
    change({ seed: value });
    commit();
  });
  const table = dataTable(() => draw());
  const button = (text, onclick, className = "") => h("button", { type: "button", className, onclick }, text);

  const widget = h("section", { className: "try-it" },
    h("div", { className: "layout" },
      root.querySelector(".intro"),
      h("div", { className: "sliders" }, closeness.element, gamma.element),
      h("figure", {}, holder, h("figcaption", {}, h("p", { className: "arithmetic" }, word, sum), key)),
      h("dl", { className: "numbers" }, alpha.element, tv.element, tokens.element),
      h("div", { className: "call" }, h(`h${heading + 1}`, {}, "One call of the big model ", which), strip.element,
        h("div", { className: "actions" }, button("Next call", () => addCalls(1), "primary"), button("Run 1,000 calls", () => addCalls(1000 - state.calls % 1000)),
          button("Reset", () => { change({ calls: 0 }); commit(); }), seed.element),
        seed.fault, h("p", { className: "totals" }, totals, " ", limit), gap)),
    table.element, status);

  function adopt(newSweep) {
    sweep = newSweep;
    rows = [];
    chosen = Math.max(0, sweep.keep[0].findIndex(keep => keep < 1)); // a word that the draft says too often has something to tell
    chart = barChart({ words: sweep.words, highest: Math.max(...sweep.target, ...sweep.draft.flat()), onChoose: i => { chosen = i; draw(); } });
    chart.choose(chosen);
    holder.replaceChildren(chart.element);
  }

  function change(partial) {
    assume(partial);
    onInput({ ...state });
  }

  function assume(partial) {
    if (partial.seed !== undefined) takeSeed(partial.seed);
    Object.assign(state, partial);
    draw();
  }

  function commit() {
    say(status, [strip.sentence(), totals.textContent + ".", gap.textContent].filter(Boolean).join(" "));
    onCommit({ ...state });
  }

  function addCalls(n) {
    strip.forget();
    change({ calls: Math.min(MAX_CALLS, state.calls + n) });
    commit();
  }

  function takeSeed(value) {
    if (value !== state.seed) uniforms = uniformStream(value);
    seed.set(value);
  }

  function draw() {
    const at = Math.floor(state.closeness * (sweep.draft.length - 1) + .5); // the nearest position, as Sweep.at has it
    const row = rows[at] ??= decidingRow(sweep.target, sweep.draft[at], sweep.residual[at]);
    const seen = state.calls ? tallyCalls(row, uniforms(state.calls), state.calls, state.gamma) : null;
    if (seen) seen.bands = sweep.band.map(band => band / Math.sqrt(seen.words));
    const many = state.calls >= ENOUGH_CALLS ? seen : null;
    drawControls(at);
    chart.draw({ kept: sweep.kept[at], rejected: sweep.rejected[at], refill: sweep.refill[at], keep: sweep.keep[at], target: sweep.target }, many);
    say(word, sweep.words[chosen]);
    say(sum, arithmetic(row.p[chosen], row.q[chosen], sweep.keep[at][chosen]));
    say(key, KEY + (many ? keyOfRun(sweep.confidence) : ""));
    say(which, state.calls ? `call ${count(state.calls)}` : "");
    strip.draw(seen && playCall(row, uniforms(state.calls), state.calls - 1, state.gamma), row, sweep.words);
    drawTotals(seen, many, expectedTokens(at));
    table.draw({ sweep, at, state, seen });
  }

  const expectedTokens = at => sweep.tokens[at][state.gamma - 1].toFixed(2);

  function drawControls(at) {
    const rate = percent(sweep.alpha[at], 1), expected = expectedTokens(at), shown = state.closeness.toFixed(2);
    closeness.set(state.closeness, shown, `${shown}: acceptance rate ${rate}`);
    gamma.set(state.gamma, String(state.gamma), `${state.gamma}: ${expected} tokens per call`);
    say(alpha.value, rate);
    say(tv.value, sweep.tv[at].toFixed(3));
    say(tokens.value, expected);
  }

  function drawTotals(seen, many, expected) {
    const plural = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
    say(totals, !seen ? `No calls yet (expected ${expected} words per call)`
      : `${plural(state.calls, "call")}, ${plural(seen.words, "word")}: ${seen.mean.toFixed(2)}${many ? ` ± ${seen.error.toFixed(2)}` : ""} per call (expected ${expected})`);
    say(limit, state.calls === MAX_CALLS ? `${count(MAX_CALLS)} calls are the most that are kept here.` : "");
    if (!many) return say(gap, "");
    const gaps = many.shares.map((share, i) => Math.abs(share - sweep.target[i])), largest = gaps.indexOf(Math.max(...gaps));
    const outside = gaps.filter((size, i) => size > many.bands[i]).length;
    say(gap, `Largest gap from the target: ${sweep.words[largest]}, ${probability(gaps[largest], 3)}, in a band of ± ${probability(many.bands[largest], 3)}; `
      + (outside ? `${outside} of ${gaps.length} words lie outside their bands.` : `all ${gaps.length} words lie inside their bands.`));
  }

  adopt(sweep);
  seed.set(state.seed);
  draw();
  root.replaceChildren(widget);
  return {
    set(partial) { if (Object.keys(partial).some(name => partial[name] !== state[name])) assume(partial); },
    setSweep(newSweep) { adopt(newSweep); draw(); },
  };
}

/** Panel's host (`app.try_it.TryIt`): keeps the component's params and the widget in step, and the page's address if it is asked to. */
export function render({ model }) {
  const names = ["closeness", "gamma", "seed", "calls"], root = document.createElement("div");
  const current = () => Object.fromEntries(names.map(name => [name, model[name]]));
  root.innerHTML = model.intro;
  const view = mount(root, {
    sweep: JSON.parse(model.sweep), state: current(), heading: model.heading,
    onInput(state) {
      for (const name of names) if (model[name] !== state[name]) model[name] = state[name];
    },
    onCommit(state) {
      if (model.address) remember(state);
    },
  });
  names.forEach(name => model.on(name, () => view.set({ [name]: model[name] })));
  model.on("sweep", () => view.setSweep(JSON.parse(model.sweep)));
  return root;
}
