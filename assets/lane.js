/* One lane of a clock: the steps of one way to decode, drawn to scale, covered from the clock's time on. Target calls are tall and plain, draft steps
   low and striped. */
import { h } from "./dom.js";

/** A track of `steps` ({start, end, draft}) over `length` target steps: its element, and `at(time)`. */
export function track(steps, length) {
  const share = time => `${100 * time / length}%`;
  const veil = h("i", { className: "veil" });
  return {
    element: h("div", { className: "track", aria: { hidden: true } }, ...steps.map(({ start, end, draft }) => {
      const bar = h("i", { className: draft ? "draft" : "target" });
      bar.style.left = share(start);
      bar.style.width = share(end - start);
      return bar;
    }), veil),
    at(time) { veil.style.left = share(time); },
  };
}
