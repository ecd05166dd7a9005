/* A clock that plays: it rolls where motion is welcome and goes from edge to edge where it is not. Nothing moves unless somebody plays. */

const NEAR = 1e-9; // of a target step

/** `time` has been reached, up to rounding. */
export const reached = (time, edge) => edge <= time + NEAR;

/** Build the clock. `now()` and `length()` are in target steps, `edges()` are the times at which something happens, `pace()` is how many
    milliseconds a step takes; `show(time)` draws, `onRest()` follows when a play has come to its end or is paused. */
export function playback({ now, length, edges, pace, show, onRest }) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let frame = null, timer = null;

  const next = () => edges().find(edge => !reached(now(), edge)) ?? length();

  function pause() {
    const was = frame !== null || timer !== null;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = timer = null;
    if (was) onRest();
  }

  function play() {
    if (reached(now(), length())) show(0);
    still.matches ? hop() : roll(performance.now());
  }

  function roll(since) {
    frame = requestAnimationFrame(at => {
      show(Math.min(length(), now() + Math.max(0, at - since) / pace()));
      reached(now(), length()) ? pause() : roll(at);
    });
  }

  function hop() {
    const to = next();
    timer = setTimeout(() => {
      show(to);
      reached(now(), length()) ? pause() : hop();
    }, (to - now()) * pace());
  }

  return { play, pause, next, playing: () => frame !== null || timer !== null };
}
