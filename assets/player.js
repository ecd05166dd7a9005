/* Steps that are played: a slider with Play, Step and Back. Nothing moves unless somebody plays, and a play goes step by step. */
import { h, say } from "./dom.js";
import { slider } from "./fields.js";

/** Build it, for steps 0 to `end`. `onShow(step)` follows every step a reader makes, `onRest(step)` where a drag, a button or a
    play comes to rest; `jumps` are further buttons, as [text, step => step]. Returns the element, `show(step)`, which calls
    neither, `adopt(end)` and `stop()`. `spell(step)` is what is shown and said of a step. */
export function player(label, { end, delay, jumps = [], spell = String, onShow, onRest }) {
  let at = 0, timer = null;
  const range = slider(label, [], { min: 0, max: end, step: 1 }, step => { stop(); go(step); }, rest);
  const button = (text, onclick, className = "") => h("button", { type: "button", className, onclick }, text);
  const jump = to => () => { stop(); go(to(at)); rest(); };
  const play = button("Play", () => {
    if (timer !== null) { stop(); return rest(); }
    if (at === end) go(0);
    say(play, "Pause");
    hop();
  }, "primary");

  function hop() {
    timer = setTimeout(() => {
      go(at + 1);
      if (at < end) return hop();
      stop();
      rest();
    }, delay);
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    say(play, "Play");
  }

  function show(step) {
    at = Math.max(0, Math.min(end, step));
    range.set(at, spell(at), spell(at));
  }

  function go(step) {
    show(step);
    onShow(at);
  }

  function rest() { onRest(at); }

  return {
    element: h("div", { className: "player" }, range.element, h("div", { className: "actions" },
      play, button("Step", jump(step => step + 1)), button("Back", jump(step => step - 1)),
      ...jumps.map(([text, to]) => button(text, jump(to))))),
    show, stop,
    adopt(newEnd) {
      stop();
      end = newEnd;
      range.element.querySelector("input").max = end;
      show(at);
    },
  };
}
