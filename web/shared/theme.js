/* theme.js — light or dark: as the system has it, until the button says otherwise; paper is light */
import { colourAt, looks } from "./cast.js";
import { redraw } from "./chart.js";

const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const lines = new CSSStyleSheet(); // which the page's policy admits, as it would not a new style element

function apply(theme) {
  root.dataset.theme = theme;
  lines.replaceSync(Array.from({ length: looks }, (none, i) => `.line-${i} { stroke: ${colourAt(i)}; }`).join("\n"));
  document.getElementById("theme").textContent = theme === "dark" ? "Light" : "Dark";
  document
    .getElementById("theme")
    .setAttribute("aria-label", theme === "dark" ? "Switch to light colours" : "Switch to dark colours");
  redraw();
}

export function startTheme() {
  let before = null;
  document.adoptedStyleSheets.push(lines);
  document.getElementById("theme").onclick = () => apply(root.dataset.theme === "dark" ? "light" : "dark");
  system.onchange = () => apply(system.matches ? "dark" : "light");
  window.onbeforeprint = () => {
    before = root.dataset.theme;
    root.classList.add("paper");
    apply("light");
  };
  window.onafterprint = () => {
    root.classList.remove("paper");
    apply(before);
  };
  apply(system.matches ? "dark" : "light");
}
