/* Gives Bokeh's figures the colours of the page's scheme (`app.figures.Scheme`). A canvas cannot read CSS, so Python paints with
   the palette's light colours, and here each of them is taken for its token: the value that the token has in the style around. */

/** Panel's host: repaints the document's figures now, when the scheme changes, and when figures are added. Shows nothing. */
export function render({ model, view }) {
  const figures = view.model.document, probe = document.createElement("span");
  const tokens = new Map(Object.entries(model.palette).map(([name, colour]) => [colour, name]));
  const painted = new Map(); // model → [property, whether it is a spec, token] of all that is painted

  function find(figure) {
    const found = [];
    for (const property of figure) {
      const value = property.is_unset ? null : property.get_value(), spec = typeof value?.value === "string";
      const token = tokens.get(spec ? value.value : value);
      if (token) found.push([property.attr, spec, token]);
    }
    return found;
  }

  function paint(again) {
    const colours = {};
    for (const name of tokens.values()) {
      probe.style.color = `var(--${name})`;
      colours[name] = getComputedStyle(probe).color;
    }
    for (const figure of figures.all_models) {
      if (painted.has(figure) && !again) continue;
      if (!painted.has(figure)) painted.set(figure, find(figure));
      const changes = painted.get(figure).map(([name, spec, token]) => [name, spec ? { value: colours[token] } : colours[token]]);
      if (changes.length) figure.setv(Object.fromEntries(changes), { sync: false });
    }
  }

  let size = 0;
  const added = () => {
    if (figures.all_models.size === size) return;
    size = figures.all_models.size;
    paint(false);
  };
  const repaint = () => paint(true), scheme = matchMedia("(prefers-color-scheme: dark)");
  const theme = new MutationObserver(repaint);
  figures.on_change(added);
  scheme.addEventListener("change", repaint);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  model.on("remove", () => {
    figures.remove_on_change(added);
    scheme.removeEventListener("change", repaint);
    theme.disconnect();
  });
  requestAnimationFrame(repaint); // the probe has a style once it is in the page
  return probe;
}
