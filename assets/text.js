/* A text as speculative decoding writes it (`app.text_player`): every law, draw and figure is Python's; here it is played, stepped by
   word or by call, forth and back, and scrubbed, without asking again. */
import { h, remember, say } from "./dom.js";
import { fate, inWords } from "./fate.js";
import { slider } from "./fields.js";
import { track } from "./lane.js";
import { playback, reached } from "./playback.js";
import { placeView } from "./text_place.js";
import { runningText } from "./text_words.js";

const TAIL = 32; // characters of the text so far under each lane, at most
const PLACES = ["place in the draft", "tested", "kept", "mean α"];

/** Every moment at which something happens: in each call a word drafted after the other, then the target judges all at once; what it
    judged comes word by word for those who step, at one time on the clock. */
function moments(record) {
  const all = [{ time: 0, call: 0, drafted: 0, judged: 0 }];
  let at = 0;
  record.calls.forEach((it, call) => {
    const m = it.drafted.length;
    for (let drafted = 1; drafted <= m; drafted++, at++) all.push({ time: record.speculative[at].end, call, drafted, judged: 0 });
    for (let judged = 1; judged <= it.accepted + 1; judged++) all.push({ time: record.speculative[at].end, call, drafted: m, judged });
    at++;
  });
  return all;
}

const isWord = ({ judged }) => judged > 0;

/** Panel's host. */
export function render({ model }) {
  const root = h("section", { className: "writer" }), status = h("p", { className: "status", aria: { role: "status" } });
  let record, all, now, time, length, edges, text, place, lanes, words;

  const button = (label, onclick, className = "") => h("button", { type: "button", className, onclick }, label);
  const play = button("Play", () => {
    if (clock.playing()) return clock.pause();
    clock.play();
    say(play, "Pause");
  }, "primary");
  const transport = h("div", { className: "actions" }, play, button("Word back", () => step(-1, isWord)), button("Next word", () => step(1, isWord)),
    button("Call back", () => step(-1, isWhole)), button("Next call", () => step(1, isWhole)));
  const scrub = slider("Clock, in target steps", ["start", "end"], { min: 0, max: 1, step: .1 }, to => { clock.pause(); show(to); }, () => tell());
  const speed = slider("Speed of a play, target steps a second", ["slow", "fast"], { min: .5, max: 8, step: .5 }, setSpeed, () => {});
  const figures = [["target ", "calls"], ["words per ", "target call"], ["speed-up ", "so far"]].map(([name, more]) => {
    const value = h("dd");
    return { element: h("div", {}, h("dt", {}, name, h("span", {}, more)), value), value };
  });
  const counters = h("dl", { className: "numbers" }, ...figures.map(one => one.element)), rows = h("tbody");
  const byPlace = h("div", { className: "scroll", tabIndex: 0, aria: { role: "region", label: "By place in the draft" } },
    h("table", {}, h("caption", {}, "By place in the draft, so far"), h("thead", {}, h("tr", {}, ...PLACES.map(head => h("th", { scope: "col" }, head)))), rows));
  const clock = playback({
    now: () => time, length: () => length, edges: () => edges, pace: () => 1000 / rate, show,
    onRest: () => { say(play, "Play"); tell(); },
  });
  let rate;
  setSpeed(2);

  const isWhole = ({ call, judged }) => judged > record.calls[call].accepted;

  function setSpeed(to) {
    rate = to;
    speed.set(to, to.toFixed(1), `${to.toFixed(1)} target steps a second`);
  }

  /** The next moment in a direction that is one of those wanted; from the end on to the first, and back at most to the start. */
  function step(direction, wanted) {
    clock.pause();
    const last = all.length - 1, from = direction > 0 && now === last ? 0 : now;
    let at = from + direction;
    while (at > 0 && at < last && !wanted(all[at])) at += direction;
    go(Math.max(0, Math.min(at, last)));
    tell();
  }

  function show(to) {
    time = to;
    draw(all.findLastIndex(moment => reached(to, moment.time)));
  }

  function go(moment) {
    time = all[moment].time;
    draw(moment);
  }

  function draw(moment) {
    lanes.forEach(lane => lane.at(time));
    const { call, judged } = all[moment], counted = record.counters[call + (judged > 0)];
    scrub.set(Math.min(time, length), time.toFixed(2), `${time.toFixed(2)} target steps, ${counted.words} words`);
    if (moment === now) return;
    now = moment;
    text.draw(all[now]);
    [counted.calls, counted.perCall, counted.speedup].forEach((value, i) => say(figures[i].value, String(value)));
    rows.replaceChildren(...counted.places.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), ...cells.map(cell => h("td", {}, cell)))));
    if (judged > 0) choose(call, judged - 1);
    else if (now === 0) choose(0, 0);
  }

  function choose(k, i) {
    text.choose(k, i);
    place.draw(record, k, i);
  }

  function tell() {
    const { call, drafted, judged } = all[now], it = record.calls[call], counted = record.counters[call + (judged > 0)];
    const i = judged - 1, what = now === 0 ? "Nothing is written yet."
      : judged === 0 ? `Call ${call + 1} has drafted: ${it.names.slice(0, drafted).join(", ")}.`
        : judged > it.accepted ? `Call ${call + 1}: ${inWords(it, it.names)}`
          : `${it.names[i]}: ${fate(it, i)}.`;
    say(status, `${what} ${counted.words} words in ${counted.calls} calls.`);
  }

  /** One lane of the clock, with the end of its text so far. */
  function lane(name, steps) {
    const bars = track(steps, length), heading = h("p", { className: "name" }), tail = h("p", { className: "words", aria: { hidden: true } });
    return {
      element: h("div", { className: "lane" }, heading, bars.element, tail),
      at(time) {
        bars.at(time);
        const out = steps.findLast(({ end }) => reached(time, end))?.out ?? 0, soFar = words.slice(0, out).join("").trim();
        say(heading, `${name}: ${out} of ${words.length} words`);
        say(tail, soFar.length > TAIL ? `… ${soFar.slice(-TAIL).replace(/^\S* /, "")}` : soFar || "…");
      },
    };
  }

  function adopt() {
    clock.pause();
    record = JSON.parse(model.record);
    all = moments(record);
    words = record.calls.flatMap(it => [...it.pieces.slice(0, it.accepted), it.pieces[it.last]].map(([word, spaced]) => `${spaced ? " " : ""}${word.replace("\n", " ")}`));
    length = Math.max(record.plain.at(-1).end, record.speculative.at(-1).end);
    edges = [...new Set([...record.plain, ...record.speculative].map(({ end }) => end))].sort((a, b) => a - b);
    lanes = [lane("Plain decoding", record.plain), lane("Speculative decoding", record.speculative)];
    scrub.element.querySelector("input").max = Math.ceil(length * 10 - 1e-9) / 10;
    text = runningText(record, (k, i) => { clock.pause(); place.draw(record, k, i); });
    place = placeView(model.heading);
    now = null;
    root.replaceChildren(text.element, transport, place.element, counters, byPlace, h("div", { className: "lanes" }, ...lanes.map(one => one.element), scrub.element, speed.element), status);
    show(length); // all of it: the text is whole before anybody plays
  }

  model.on("record", adopt);
  model.on("address", () => remember(model.address));
  model.on("remove", clock.pause);
  adopt();
  return root;
}
