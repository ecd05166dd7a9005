/* Native controls for Panel (`app.controls`): real ranges, radios and buttons, which have names, take keys and follow the theme. */
import { h, remember } from "./dom.js";
import { seedField, slider } from "./fields.js";
import { player } from "./player.js";

const PAUSE = 60; // ms between two messages of one drag; the server answers in about as many

/** `act`, at once and then every `PAUSE` at most; the last call always gets through. */
function paced(act) {
  let timer = null, waiting = null;
  const next = () => {
    timer = waiting && setTimeout(next, PAUSE);
    waiting?.();
    waiting = null;
  };
  return (...values) => {
    waiting = () => act(...values);
    if (timer === null) next();
  };
}

const address = (model, value) => { if (model.address) remember({ [model.address]: value }); };

const kinds = {
  range(model) {
    let sent = model.value;
    const send = paced(value => { model.value = sent = value; });
    const range = slider(model.label, model.ends, { min: model.start, max: model.end, step: model.step },
      value => { draw(value); send(value); }, event => address(model, Number(event.target.value)));
    let shown; // where the hand is; the model follows a little later
    const draw = value => {
      shown = value;
      const text = (value * model.scale).toFixed(model.digits);
      range.set(value, text, text);
    };
    model.on("value", () => draw(model.value));
    model.on("scale", () => draw(shown));
    model.on("value", () => { if (model.follows && model.value !== sent) remember({ [model.address]: null }); });
    draw(model.value);
    if (model.mark !== null) {
      const mark = h("span", { className: "mark", aria: { hidden: true } }, model.mark_label);
      mark.style.setProperty("--at", (model.mark - model.start) / (model.end - model.start));
      range.element.append(mark);
    }
    return range.element;
  },

  choice(model) {
    const name = `choice-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    const choose = option => () => { model.value = option; address(model, model.keys[model.options.indexOf(option)]); };
    const radio = option => h("input", { type: "radio", name, checked: option === model.value, onchange: choose(option) });
    const radios = model.options.map(radio);
    model.on("value", () => radios.forEach((input, i) => { input.checked = model.options[i] === model.value; }));
    return h("fieldset", { className: "choice" }, h("legend", {}, model.label),
      ...radios.map((input, i) => h("label", {}, input, h("span", {}, model.options[i]))));
  },

  switch(model) {
    const box = h("input", { type: "checkbox", checked: model.value, onchange() {
      model.value = box.checked;
      address(model, box.checked ? 1 : null);
    } });
    model.on("value", () => { box.checked = model.value; });
    return h("label", { className: "switch" }, box, h("span", {}, model.label));
  },

  player(model) {
    const steps = player(model.label, {
      end: model.end, delay: 1200, onShow: step => { model.value = step; }, onRest: step => address(model, step),
    });
    model.on("value", () => steps.show(model.value));
    model.on("remove", steps.stop);
    steps.show(model.value);
    return steps.element;
  },

  buttons: model => h("div", { className: "actions" },
    ...model.labels.map((label, i) => (
      h("button", { type: "button", className: i ? "" : "primary", onclick: () => model.send_msg(i) }, label)))),

  seed(model) {
    const field = seedField(value => { field.set(value); model.value = value; address(model, value); });
    model.on("value", () => field.set(model.value));
    field.set(model.value);
    return h("div", { className: "seed-field" }, field.element, field.fault);
  },

  text(model) {
    const element = h("div", { ...(model.role && { role: model.role }) });
    const draw = () => {
      const open = [...element.querySelectorAll("details")].map(details => details.open);
      element.innerHTML = model.html; // escaped in Python: it is `Markup`
      element.querySelectorAll("details").forEach((details, i) => { details.open = open[i] ?? false; });
    };
    model.on("html", draw);
    draw();
    return element;
  },
};

/** Panel's host: the control of the model's kind. */
export function render({ model }) {
  return kinds[model.kind](model);
}
