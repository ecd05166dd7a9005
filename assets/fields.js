/* The fields that sections share: a labelled native slider, and the seed of what is drawn at random. */
import { h, say } from "./dom.js";

const MAX_SEED = 2 ** 32 - 1;

/** A labelled native slider with its value beside it and words at its ends. */
export function slider(label, ends, properties, onInput, onCommit) {
  const value = h("span", { className: "value", aria: { hidden: true } });
  const input = h("input", { type: "range", ...properties, oninput: () => onInput(Number(input.value)), onchange: onCommit });
  return {
    element: h("div", { className: "slider" }, h("label", {}, h("span", {}, label), input), value,
      h("span", { className: "ends", aria: { hidden: true } }, ...ends.map(end => h("span", {}, end)))),
    set(number, text, spoken) {
      if (Number(input.value) !== number) input.value = number;
      say(value, text);
      input.ariaValueText = spoken;
    },
  };
}

/** A labelled field for a seed, and the `fault` that says what is wrong with what was typed; `onSeed` follows a good one. */
export function seedField(onSeed) {
  let seed;
  const input = h("input", { type: "text", inputMode: "numeric", autocomplete: "off", spellcheck: false, onchange: read });
  const fault = h("p", { className: "fault", aria: { role: "alert" } });

  function read() {
    const text = input.value.trim();
    if (/^[0-9]{1,10}$/.test(text) && Number(text) <= MAX_SEED) return onSeed(Number(text));
    input.ariaInvalid = "true";
    say(fault, `A seed is a whole number from 0 to ${MAX_SEED}; the draws still use seed ${seed}.`);
  }

  return {
    element: h("label", { className: "seed" }, "seed ", input), fault,
    set(value) {
      input.value = seed = value;
      input.ariaInvalid = "false";
      say(fault, "");
    },
  };
}
