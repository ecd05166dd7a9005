/* Sections that come after the page (`app.page.Later`): their text and components are put into the document, where the page's style sheet
   reaches them. */
import { h } from "./dom.js";

/** Panel's host: an empty element; what there is to show stands before the element that holds it. */
export function render({ model, el }) {
  const live = model.get_child("parts");
  const show = part => {
    if ("html" in part) return document.createRange().createContextualFragment(part.html);
    if ("live" in part) return h("div", { className: "live" }, live[part.live]);
    return h("div", { className: "split" }, ...Object.entries(part).map(([column, inner]) => h("div", { className: column }, ...inner.map(show))));
  };
  const place = el.getRootNode().host?.closest("main > *");
  place?.before(...model.layout.map(show));
  if (live.length) model.send_msg("shown"); // with its next message Bokeh sends all that is new back, whole, if the message is from there
  return h("div");
}
