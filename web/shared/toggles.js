/* toggles.js — which curves are drawn */
import { names, shown, swatch } from "./cast.js";
import { redraw } from "./chart.js";
import { make } from "./dom.js";

/* A button a name: pressed, its curves are drawn, in every figure of the page. */
export function toggles() {
  const button = (name) =>
    make(
      "button",
      {
        type: "button",
        class: "toggle",
        "aria-pressed": "true",
        "data-name": name,
        onclick: () => {
          if (!shown.delete(name)) shown.add(name);
          for (const twin of document.querySelectorAll(".toggle"))
            twin.setAttribute("aria-pressed", shown.has(twin.dataset.name));
          redraw();
        },
      },
      swatch(name),
      name,
    );
  return make("div", { class: "toggles", role: "group", "aria-label": "Curves that are drawn" }, names.map(button));
}
