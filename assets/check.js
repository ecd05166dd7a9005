/* The buttons that save the check's results: the numbers, which Python writes, and the figures as one picture. */
import { h } from "./dom.js";

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

/** Panel's host: the two buttons. */
export function render({ model, view }) {
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
}
