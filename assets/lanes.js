/* Two ways to the same words on one clock (`app.speed_lanes`): every time and word is Python's; here the clock is played, paused,
   stepped and scrubbed. */
import { h, say } from "./dom.js";
import { slider } from "./fields.js";
import { track } from "./lane.js";
import { playback, reached } from "./playback.js";

const LENGTH = 8000; // ms that a play takes from start to end

/** One lane: its track and its words, and `at(time)`, which shows them at that time and returns how many words are out. */
function lane(name, steps, words, length) {
  const bars = track(steps, length);
  const spans = words.map(({ word, kind }) => h(kind ? "b" : "span", { className: kind }, word));
  const heading = h("p", { className: "name" });
  return {
    element: h("div", { className: "lane" }, heading, bars.element, h("p", { className: "words", aria: { hidden: true } }, ...spans.flatMap(span => [span, " "]))),
    at(time) {
      bars.at(time);
      const out = Math.max(0, ...steps.filter(({ end }) => reached(time, end)).map(step => step.out));
      spans.forEach((span, i) => span.classList.toggle("later", i >= out));
      say(heading, `${name}: ${out} of ${words.length} words`);
      return out;
    },
  };
}

/** Panel's host. */
export function render({ model }) {
  const root = h("section", { className: "lanes" });
  const status = h("p", { className: "status", aria: { role: "status" } });
  let time = 0, length = 1, lanes = [], edges = [];

  const clock = slider("Clock, in target steps", ["start", "end"], { min: 0, max: 1, step: .1 }, to => { playing.pause(); show(to); }, () => tell());
  const play = button("Play", () => {
    if (playing.playing()) return playing.pause();
    playing.play();
    say(play, "Pause");
  }, "primary");
  const step = button("Step", () => { playing.pause(); show(playing.next()); tell(); });
  const reset = button("Reset", () => { playing.pause(); show(0); tell(); });
  const playing = playback({
    now: () => time, length: () => length, edges: () => edges, pace: () => LENGTH / length, show,
    onRest: () => { say(play, "Play"); tell(); },
  });

  function button(text, onclick, className = "") {
    return h("button", { type: "button", className, onclick }, text);
  }

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

  function adopt() {
    playing.pause();
    const { words, plain, speculative } = model.lanes;
    length = Math.max(plain.at(-1).end, speculative.at(-1).end);
    edges = [...new Set([...plain, ...speculative].map(({ end }) => end))].sort((a, b) => a - b);
    lanes = [lane("Plain decoding", plain, words.map(({ word }) => ({ word, kind: "" })), length), lane("Speculative decoding", speculative, words, length)];
    clock.element.querySelector("input").max = Math.ceil(length * 10 - 1e-9) / 10;
    root.replaceChildren(...lanes.map(one => one.element), clock.element, h("div", { className: "actions" }, play, step, reset), status);
    show(length); // all of it: the picture is whole before anybody plays
  }

  model.on("lanes", adopt);
  model.on("remove", playing.pause);
  adopt();
  return root;
}
