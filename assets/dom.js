/* Small helpers that every section's module shares: elements, and how numbers are printed. */

/** A new element: `h("p", {className: "why"}, "text", node)`; a child that is a string becomes text, never markup. */
export function h(tag, properties = {}, ...children) {
  const { aria, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  for (const [name, value] of Object.entries(aria ?? {})) element.setAttribute(name === "role" ? name : `aria-${name}`, value);
  element.append(...children);
  return element;
}

/** Set an element's text, touching the document only if it differs: an unchanged label costs no layout. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Put values into the page's address (null takes one out), without an entry in its history. In a frame it stays: that is its host's business. */
export function remember(values) {
  if (window.top !== window) return;
  const url = new URL(location);
  for (const [name, value] of Object.entries(values)) value === null ? url.searchParams.delete(name) : url.searchParams.set(name, value);
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

/** 1234 → "1,234". Not by toLocaleString: to load a locale costs more than all the rest of the widget's start. */
export const count = n => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

/** A probability as the page prints it: .31, 1.00. */
export const probability = (x, digits = 2) => x.toFixed(digits).replace(/^0(?=\.)/, "");

/** A share in whole percent, in the sentence's own spacing: 71 %. */
export const percent = (x, digits = 0) => `${(100 * x).toFixed(digits)}\u00a0%`;

/** The fewest digits, from two up, with which a kept share and a refill computed from the printed p and q are the true ones. */
export function digitsFor(p, q) {
  const keep = (a, b) => b > 0 ? Math.round(100 * Math.min(1, a / b)) : -1;
  for (let digits = 2; digits < 9; digits++) {
    const scale = 10 ** digits, [a, b] = [Math.round(p * scale), Math.round(q * scale)];
    if (keep(a, b) === keep(p, q) && Math.abs(a - b) === Math.round(Math.abs(p - q) * scale)) return digits;
  }
  return 9;
}
