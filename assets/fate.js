/* What became of each word of a call, and why: kept, fixed, dropped, or the bonus. */
import { digitsFor, probability } from "./dom.js";

/** What became of word i of a call, its last position included. */
export const fate = (call, i) => i < call.accepted ? "kept" : i > call.accepted ? "dropped" : i < call.drafted.length ? "fixed" : "bonus";

/** Two different numbers with as many digits as it takes to tell them apart. */
function apart(a, b) {
  let digits = 2;
  while (digits < 17 && a.toFixed(digits) === b.toFixed(digits)) digits++;
  return [a, b].map(x => probability(x, digits));
}

/** Why word i of a call met its fate: the word, and the rest of a sentence with the uniform and what it was held against. `p` and `q` have the
    probabilities of the drafted word where it stood. */
export function reason(call, i, { p, q }, words) {
  const kind = fate(call, i), word = words[call.drafted[i]], last = words[call.last], u = call.uniforms[i];
  if (kind === "dropped") return [word, `: never tested, because it was drafted after a word that did not stand.`];
  const drawn = probability(call.uniforms.at(-1), 2);
  if (kind === "bonus") {
    const n = call.drafted.length, why = n > 1 ? `all ${n} drafted words stood` : n ? "the drafted word stood" : "nothing was drafted";
    return [last, `: ${why}, so the big model adds one from its own law p (draw ${drawn}).`];
  }
  const x = call.drafted[i], digits = digitsFor(p[x], q[x]);
  const [dividend, divisor] = [p[x], q[x]].map(value => probability(value, digits));
  if (p[x] >= q[x]) return [word, `: the target's ${dividend} is no less than the draft's ${divisor}, so it is kept whatever the draw (${probability(u)}).`];
  const [draw, limit] = apart(u, p[x] / q[x]), held = `p/q = ${dividend} / ${divisor} = ${limit}`;
  return [word, kind === "kept" ? `: the draw ${draw} is below ${held}, so it is kept.`
    : `: the draw ${draw} is not below ${held}, so it is rejected; the residual (draw ${drawn}) gives ${last}.`];
}

/** The call in words: "kept: the; fixed: my to the; dropped: my, this." */
export function inWords(call, words) {
  const name = x => words[x], last = name(call.last);
  const kept = call.drafted.slice(0, call.accepted).map(name), dropped = call.drafted.slice(call.accepted + 1).map(name);
  return [kept.length && `kept: ${kept.join(", ")}`, call.accepted < call.drafted.length ? `fixed: ${name(call.drafted[call.accepted])} to ${last}` : `bonus: ${last}`,
    dropped.length && `dropped: ${dropped.join(", ")}`].filter(Boolean).join("; ") + ".";
}
