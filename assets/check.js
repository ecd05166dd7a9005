/* What `/check` needs beyond the shared controls: a list of rules, a box for words and laws, and the buttons that save results. */
import { h, remember, say } from "./dom.js";

const save = (name, blob) => {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

/** One picture of the document's figures with these names, one under the other below `title`, on the page's ground. */
function picture(document, names, title, style) {
  const canvases = names.map(name => Bokeh.index.get_one(document.get_model_by_name(name)).export("png").canvas);
  const scale = window.devicePixelRatio || 1, margin = 16 * scale, line = 24 * scale;
  const width = Math.max(...canvases.map(canvas => canvas.width)) + 2 * margin;
  const whole = h("canvas", { width }), pen = whole.getContext("2d");
  const font = `${16 * scale}px ${style.getPropertyValue("--sans")}`;
  pen.font = font;
  const lines = [""];
  for (const word of title.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width > width - 2 * margin) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  whole.height = canvases.reduce((sum, canvas) => sum + canvas.height + margin, lines.length * line + margin);
  pen.fillStyle = style.backgroundColor;
  pen.fillRect(0, 0, whole.width, whole.height);
  Object.assign(pen, { font, fillStyle: style.color, textBaseline: "top" });
  let y = margin;
  for (const text of lines) {
    pen.fillText(text, margin, y);
    y += line;
  }
  for (const canvas of canvases) {
    pen.drawImage(canvas, margin, y);
    y += canvas.height + margin;
  }
  return new Promise(done => whole.toBlob(done, "image/png"));
}

const kinds = {
  menu(model) {
    const list = h("select", { onchange },
      ...model.options.map(([value, text]) => h("option", { value }, text)));
    function onchange() {
      model.value = list.value;
      if (model.address) remember({ [model.address]: list.value });
    }
    const draw = () => { list.value = model.value; };
    model.on("value", draw);
    draw();
    return h("label", { className: "menu" }, h("span", {}, model.label), list);
  },

  paste(model) {
    const box = h("textarea", { rows: 7, spellcheck: false, autocomplete: "off", value: model.example });
    const fault = h("p", { className: "fault", aria: { role: "alert" } });
    model.on("fault", () => {
      say(fault, model.fault);
      box.ariaInvalid = String(model.fault !== "");
    });
    return h("details", { className: "paste" }, h("summary", {}, model.label),
      h("label", {}, h("span", {}, model.hint), box), fault,
      h("div", { className: "actions" },
        h("button", { type: "button", onclick: () => model.send_msg({ text: box.value }) }, "Use these"),
        h("button", { type: "button", onclick: () => model.send_msg({ text: null }) }, "Back to the page’s words")));
  },

  downloads(model, view) {
    const element = h("div", { className: "actions" },
      h("button", { type: "button", onclick: () => model.send_msg("csv") }, "Save the numbers (CSV)"),
      h("button", {
        type: "button",
        async onclick() {
          save(`${model.file}.png`, await picture(view.model.document, model.figures, model.title, getComputedStyle(element)));
        },
      }, "Save the plots (PNG)"));
    model.on("msg:custom", ({ name, text }) => save(name, new Blob([text], { type: "text/csv" })));
    return element;
  },
};

/** Panel's host: the control of the model's kind. */
export function render({ model, view }) {
  return kinds[model.kind](model, view);
}
