/* What a reader brings along (`app.pasting`): a box to paste into or drop a file on, a list, fields for numbers. */
import { count, h, remember, say } from "./dom.js";

const SHOWN = 200_000; // characters: to lay out a text of megabytes in the box takes a browser seconds

/** A number as an address has it, without a power of ten. */
const decimal = value => String(value).includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : String(value);

const kinds = {
  paste(model) {
    const box = h("textarea", { rows: model.rows, wrap: model.prose ? "soft" : "off", spellcheck: false, autocomplete: "off", value: model.text, ondrop, ondragover: event => event.preventDefault() });
    const file = h("input", { type: "file", onchange: () => { take(file.files[0]); file.value = ""; } });
    const fault = h("p", { className: "fault", aria: { role: "alert" } }), note = h("p", { className: "note", aria: { role: "status" } });

    function blame(sentence) {
      say(fault, sentence);
      box.ariaInvalid = String(sentence !== "");
    }
    function use(text, said = "") {
      if (text.length > model.longest) return blame(`Not read: these are more than ${count(model.longest)} characters.`);
      blame("");
      say(note, said);
      model.send_msg(text);
    }
    async function take(chosen) {
      if (!chosen) return;
      if (chosen.size > model.longest) return blame(`Not read: ${chosen.name} has more than ${count(model.longest)} bytes.`);
      let text;
      try {
        text = new TextDecoder("utf-8", { fatal: true }).decode(await chosen.arrayBuffer());
      } catch {
        return blame(`Not read: ${chosen.name} is not UTF-8 text.`);
      }
      if (text.length > SHOWN) return use(text, `${chosen.name} is too long to show: it was read, and the box is as it was.`);
      box.value = text;
      use(text);
    }
    function ondrop(event) {
      if (!event.dataTransfer.files.length) return; // text: the browser puts it where it was dropped
      event.preventDefault();
      take(event.dataTransfer.files[0]);
    }
    model.on("fault", () => blame(model.fault));
    model.on("text", () => {
      box.value = model.text;
      say(note, "");
    });
    model.on("carried", () => { if (model.address) remember({ [model.address]: model.carried || null }); });
    const element = h("div", { className: "paste" }, h("label", {}, h("span", {}, model.label), box), fault, note,
      h("div", { className: "actions" }, h("button", { type: "button", onclick: () => use(box.value) }, model.button),
        h("label", { className: "file" }, h("span", {}, model.file_label), file)));
    return element;
  },

  menu(model) {
    const list = h("select", { onchange() {
      model.send_msg(list.selectedIndex);
      if (model.address) remember({ [model.address]: model.keys[list.selectedIndex] });
    } });
    const draw = () => {
      if (list.length !== model.options.length || model.options.some((text, i) => list.options[i].text !== text)) {
        list.replaceChildren(...model.options.map(text => h("option", {}, text)));
      }
      list.selectedIndex = model.value;
    };
    model.on(["options", "value"], draw);
    draw();
    return h("label", { className: "menu" }, h("span", {}, model.label), list);
  },

  fields(model) {
    const name = `fields-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    const faults = h("p", { className: "fault", id: name, aria: { role: "alert" } });
    const inputs = Object.keys(model.labels).map(key => [key, h("input", {
      type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false, aria: { describedby: name },
      onchange: event => model.send_msg([key, event.target.value]),
    })]);
    let shown = null;
    const draw = () => {
      for (const [key, input] of inputs) {
        const value = model.values[key], name = model.addresses[key];
        input.ariaInvalid = String(key in model.faults);
        if (shown && value === shown[key]) continue; // what is being typed into it stays
        input.value = value ?? "";
        if (shown && name) remember({ [name]: value === null ? null : decimal(value) });
      }
      shown = model.values;
      say(faults, Object.values(model.faults).join(" "));
    };
    model.on(["values", "faults"], draw);
    draw();
    const element = h("fieldset", { className: "fields" }, h("legend", {}, model.label),
      ...inputs.map(([key, input]) => h("label", {}, h("span", {}, model.labels[key]), input)), faults);
    element.style.setProperty("--columns", inputs.length % 3 ? 2 : 3);
    return element;
  },
};

/** Panel's host: the control of the model's kind, behind a <details> if it says what `opens` it. */
export function render({ model }) {
  const element = kinds[model.kind](model);
  return model.opens ? h("details", {}, h("summary", {}, model.opens), element) : element;
}
