/* The speculative rule, for playing calls in the browser: the same calls, bit for bit, as `specdec_core.speculative` judges.
   A "row" holds what decides at one slider position: p and q, and the three laws' running totals. */
import { MersenneTwister } from "./vendor/mersenne-twister/mersenne-twister.js";

const MAX_GAMMA = 10;
const PER_CALL = 2 * MAX_GAMMA + 1; // call k owns uniforms 21k … 21k + 20: 10 choose, 10 accept, 1 recovers or adds the bonus

/** The uniforms of the first `calls` calls under `seed`: NumPy's RandomState(seed).random_sample, drawn as far as they are asked for. */
export function uniformStream(seed) {
  const twister = new MersenneTwister(seed);
  let drawn = new Float64Array(0);
  return calls => {
    if (drawn.length < calls * PER_CALL) {
      const more = new Float64Array(Math.max(calls * PER_CALL, 2 * drawn.length));
      more.set(drawn);
      for (let i = drawn.length; i < more.length; i++) more[i] = twister.random_long();
      drawn = more;
    }
    return drawn;
  };
}

/** Running totals of a law, exactly 1 from the last word with mass on, so that every uniform finds a word. */
function cumulative(law) {
  let sum = 0;
  const totals = Float64Array.from(law, mass => (sum += mass));
  return totals.fill(1, law.findLastIndex(mass => mass > 0));
}

/** The first word whose running total exceeds u. */
function choose(totals, u) {
  let word = 0;
  while (u >= totals[word]) word++;
  return word;
}

/** What decides calls at one slider position; a residual of null (p = q, nothing is ever rejected) stands for p. */
export function decidingRow(p, q, residual) {
  return { p, q, draft: cumulative(q), bonus: cumulative(p), recovery: cumulative(residual ?? p) };
}

const draft = (row, uniforms, k, i) => choose(row.draft, uniforms[k * PER_CALL + i]);

const isAccepted = (row, uniforms, k, i, word) => uniforms[k * PER_CALL + MAX_GAMMA + i] * row.q[word] < row.p[word];

const lastWord = (row, uniforms, k, isBonus) => choose(isBonus ? row.bonus : row.recovery, uniforms[k * PER_CALL + PER_CALL - 1]);

/** Call k in full: the drafted words, how many were accepted, the word recovered or added, and the uniforms that decided. */
export function playCall(row, uniforms, k, gamma) {
  const drafted = Array.from({ length: gamma }, (_, i) => draft(row, uniforms, k, i));
  const miss = drafted.findIndex((word, i) => !isAccepted(row, uniforms, k, i, word));
  const accepted = miss < 0 ? gamma : miss;
  const start = k * PER_CALL + MAX_GAMMA;
  return { drafted, accepted, last: lastWord(row, uniforms, k, accepted === gamma), uniforms: [...uniforms.subarray(start, start + gamma), uniforms[k * PER_CALL + PER_CALL - 1]] };
}

/** The first `calls` calls together: how often each word came out (`tally`, and as `shares` of all `words`), how many calls gave 1, 2, … γ + 1
    words (`lengths`), the `mean` words per call and its standard `error` (NaN below two calls). */
export function tallyCalls(row, uniforms, calls, gamma) {
  const tally = new Uint32Array(row.p.length), lengths = new Uint32Array(gamma + 1);
  for (let k = 0; k < calls; k++) {
    let accepted = 0;
    for (; accepted < gamma; accepted++) {
      const word = draft(row, uniforms, k, accepted);
      if (!isAccepted(row, uniforms, k, accepted, word)) break;
      tally[word]++;
    }
    tally[lastWord(row, uniforms, k, accepted === gamma)]++;
    lengths[accepted]++;
  }
  const sum = f => lengths.reduce((total, n, i) => total + n * f(i + 1), 0);
  const words = sum(length => length), mean = words / calls;
  return { tally, lengths, words, mean, shares: Array.from(tally, n => n / words), error: Math.sqrt(sum(length => (length - mean) ** 2) / (calls - 1) / calls) };
}
