/* One lane of a clock: the steps of one way to decode, drawn to scale, covered from the clock's time on. Target calls are tall and plain, draft steps
   low and striped. */
import { h } from "./dom.js";

/** A track of `steps` ({start, end, draft}) over `length` target steps: its element, and `at(time)`. At most `shown` target steps are in view. */
export function track(steps, length, shown = length) {
  const share = time => `${100 * time / length}%`;
  const veil = h("i", { className: "veil" }), strip = h("div", { className: "strip" }, ...steps.map(({ start, end, draft }) => {
    const bar = h("i", { className: draft ? "draft" : "target" });
    bar.style.left = share(start);
    bar.style.width = share(end - start);
    return bar;
  }), veil);
  strip.style.width = `${100 * Math.max(1, length / shown)}%`;
  return {
    element: h("div", { className: "track", aria: { hidden: true } }, strip),
    at(time) {
      veil.style.left = share(time);
      const first = Math.max(0, Math.min(time - shown / 2, length - shown));
      strip.style.translate = `-${share(first)}`;
    },
  };
}
