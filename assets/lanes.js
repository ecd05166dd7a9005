/* Two ways to the same words on one clock (`app.speed_lanes`): every time and word is Python's; here the clock is played, paused,
   stepped and scrubbed. Nothing moves unless somebody asks, and where motion is reduced a play goes from step to step. */
import { h, say } from "./dom.js";
import { slider } from "./fields.js";

const LENGTH = 8000; // ms that a play takes from start to end
const NEAR = 1e-9; // of a target step

/** One lane: its track and its words, and `at(time)`, which shows them at that time and returns how many words are out. */
function lane(name, steps, words, length) {
  const share = time => `${100 * time / length}%`;
  const veil = h("i", { className: "veil" });
  const track = h("div", { className: "track", aria: { hidden: true } }, ...steps.map(({ start, end, draft }) => {
    const bar = h("i", { className: draft ? "draft" : "target" });
    bar.style.left = share(start);
    bar.style.width = share(end - start);
    return bar;
  }), veil);
  const spans = words.map(({ word, kind }) => h(kind ? "b" : "span", { className: kind }, word));
  const heading = h("p", { className: "name" });
  return {
    element: h("div", { className: "lane" }, heading, track, h("p", { className: "words", aria: { hidden: true } }, ...spans.flatMap(span => [span, " "]))),
    at(time) {
      veil.style.left = share(time);
      const out = Math.max(0, ...steps.filter(({ end }) => end <= time + NEAR).map(step => step.out));
      spans.forEach((span, i) => span.classList.toggle("later", i >= out));
      say(heading, `${name}: ${out} of ${words.length} words`);
      return out;
    },
  };
}

/** Panel's host. */
export function render({ model }) {
  const root = h("section", { className: "lanes" }), still = matchMedia("(prefers-reduced-motion: reduce)");
  const status = h("p", { className: "status", aria: { role: "status" } });
  let time = 0, length = 1, lanes = [], edges = [], frame = null, timer = null;

  const clock = slider("Clock, in target steps", ["start", "end"], { min: 0, max: 1, step: .1 }, to => { pause(); show(to); }, () => tell());
  const play = button("Play", () => playing() ? (pause(), tell()) : start(), "primary");
  const step = button("Step", () => { pause(); show(next()); tell(); });
  const reset = button("Reset", () => { pause(); show(0); tell(); });

  function button(text, onclick, className = "") {
    return h("button", { type: "button", className, onclick }, text);
  }

  const playing = () => frame !== null || timer !== null;
  const next = () => edges.find(edge => edge > time + NEAR) ?? length;

  function show(to) {
    time = Math.min(to, length);
    const counts = lanes.map(one => one.at(time));
    clock.set(time, time.toFixed(2), `${time.toFixed(2)} target steps; words: plain ${counts[0]}, speculative ${counts[1]}`);
    return counts;
  }

  function tell() {
    const [plain, speculative] = show(time).map(count => `${count} ${count === 1 ? "word" : "words"}`);
    say(status, `At ${time.toFixed(2)} target steps plain decoding has ${plain}, speculative decoding ${speculative}.`);
  }

  function pause() {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = timer = null;
    say(play, "Play");
  }

  function start() {
    if (time >= length - NEAR) show(0);
    say(play, "Pause");
    still.matches ? hop() : roll(performance.now(), time);
  }

  function roll(since, from) {
    frame = requestAnimationFrame(now => {
      show(from + Math.max(0, now - since) * length / LENGTH);
      time < length - NEAR ? roll(since, from) : (pause(), tell());
    });
  }

  function hop() {
    const to = next();
    timer = setTimeout(() => {
      show(to);
      time < length - NEAR ? hop() : (pause(), tell());
    }, (to - time) * LENGTH / length);
  }

  function adopt() {
    pause();
    const { words, plain, speculative } = model.lanes;
    length = Math.max(plain.at(-1).end, speculative.at(-1).end);
    edges = [...new Set([...plain, ...speculative].map(({ end }) => end))].sort((a, b) => a - b);
    lanes = [lane("Plain decoding", plain, words.map(({ word }) => ({ word, kind: "" })), length), lane("Speculative decoding", speculative, words, length)];
    clock.element.querySelector("input").max = Math.ceil(length * 10 - NEAR) / 10;
    root.replaceChildren(...lanes.map(one => one.element), clock.element, h("div", { className: "actions" }, play, step, reset), status);
    show(length); // all of it: the picture is whole before anybody plays
  }

  model.on("lanes", adopt);
  model.on("remove", pause);
  adopt();
  return root;
}
