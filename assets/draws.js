/* The main figure of /filtering (`app.filtering_draws`): pairs of bars, and a run of draws that is played. Every number, decision
   and sentence is Python's; here the run is stepped through and what has come out so far is counted. */
import { barChart } from "./bars.js";
import { count, h, remember, say } from "./dom.js";
import { player } from "./player.js";

const PAUSE = 450; // ms between two draws of a play
const ENOUGH = 30; // kept answers: below, the bands are too wide to say anything

/** Panel's host. */
export function render({ model }) {
  const holder = h("div", { className: "scroll" }), subject = h("b"), arithmetic = h("span"), key = h("p", { className: "key" });
  const heading = h("p", { className: "name" }), chips = h("p", { className: "chips" });
  const why = h("p", { className: "why" }), totals = h("p", { className: "totals" });
  const status = h("p", { className: "status", aria: { role: "status" } });
  let scene, chart, names = "", highest = 0, chosen = 0, at = model.draws;

  const steps = player("Draws so far", {
    end: 1, delay: PAUSE, spell: count, jumps: [["Next batch", step => (Math.floor(step / scene.batch) + 1) * scene.batch]],
    onShow: step => show(step),
    onRest: step => {
      model.draws = step;
      remember({ [model.address]: step });
      say(status, `${why.textContent} ${totals.textContent}`);
    },
  });

  /** Whether draw k is settled once `at` draws are played: what is the best of a batch shows at the batch's end. */
  const settled = k => !scene.atEnd || Math.floor(at / scene.batch) > Math.floor(k / scene.batch);
  const nameOf = k => scene.names[scene.entries[k]];
  const label = k => scene.marked ? `${nameOf(k)} ${scene.right[k] === "1" ? "✓" : "✗"}` : nameOf(k);
  const fate = k => scene.spelt[scene.fates[k]]; // [what became of it and why, whether it is kept]

  function chip(k) {
    if (!settled(k)) return h("span", { className: "chip waits" }, label(k));
    const kept = fate(k)[1];
    return h("span", { className: `chip ${kept ? "kept" : "rejected"}` }, kept ? label(k) : h("s", {}, label(k)),
      h("span", { className: "unseen" }, kept ? " kept" : " thrown away"));
  }

  function show(step) {
    at = step;
    const { batch, names: { length } } = scene, seen = new Array(length).fill(0);
    let kept = 0, done = 0;
    for (; done < at && settled(done); done++) {
      if (!fate(done)[1]) continue;
      seen[scene.entries[done]]++;
      kept++;
    }
    const many = kept >= ENOUGH ? { shares: seen.map(n => n / kept), bands: scene.band.map(band => band / Math.sqrt(kept)) } : null;
    chart.draw(scene, many);
    say(key, scene.key + (many ? ` The dot: the share in the ${count(kept)} kept so far, and the band that holds all of them in `
      + "some 99 runs of 100, or more." : ""));
    const number = Math.max(0, Math.ceil(at / batch) - 1), first = number * batch;
    const about = scene.marked && at ? `, the ${nameOf(first)} question` : "";
    say(heading, at ? `Batch ${count(number + 1)}${about}: draws ${count(first + 1)} to ${count(first + batch)}` : "No draws yet");
    chips.replaceChildren(...Array.from({ length: at - first }, (_, i) => [chip(first + i), " "]).flat());
    const last = at - 1;
    say(why, !at ? "Press Play, or Step to draw one answer."
      : `Draw ${count(at)} is ${label(last)}: ${settled(last) ? fate(last)[0] : "what is best shows at the end of the batch"}.`);
    const waiting = done < at ? `, ${count(at - done)} waiting` : "";
    say(totals, `${count(at)} drawn: ${count(kept)} kept, ${count(done - kept)} thrown away${waiting}.`);
  }

  function choose(i) {
    chosen = i;
    say(subject, scene.names[i]);
    say(arithmetic, `: ${scene.explain[i]}`);
  }

  function adopt() {
    scene = JSON.parse(model.scene);
    const drawn = scene.kept.map((kept, i) => kept + scene.rejected[i]);
    const top = Math.ceil(Math.max(...scene.target, ...scene.out, ...drawn) * 10 - 1e-9) / 10;
    if (names !== scene.names.join() || highest !== top) {
      if (names !== scene.names.join()) chosen = 0;
      [names, highest] = [scene.names.join(), top];
      const label = `${scene.unit}s: choose one to spell out its arithmetic`;
      chart = barChart({ words: scene.names, highest, onChoose: choose, label });
      chart.choose(chosen);
      holder.replaceChildren(chart.element);
    }
    choose(chosen);
    steps.adopt(scene.entries.length);
    at = Math.min(at, scene.entries.length);
    steps.show(at);
    show(at);
  }

  model.on("scene", adopt);
  model.on("draws", () => {
    if (model.draws === at) return;
    steps.show(model.draws);
    show(Math.min(model.draws, scene.entries.length));
  });
  model.on("remove", steps.stop);
  adopt();
  return h("section", { className: "draws" },
    h("figure", {}, holder, h("figcaption", {}, h("p", { className: "arithmetic" }, subject, arithmetic), key)),
    heading, chips, why, steps.element, totals, status);
}
