/* dom.js — elements, numbers and files */

/* An element with attributes (a property for on..., left out where false) and children (elements or texts). Handlers and
 * styles are set as properties: the page's policy refuses them as texts. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith("on")) element[name] = value;
    else if (name === "style") element.style.cssText = value ?? "";
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

export function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/* A power of ten: 10⁻³. */
export function power(exponent) {
  const raised = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
  return "10" + [...String(exponent)].map((c) => raised[c]).join("");
}

/* A number for people: four digits, and powers of ten where it is very large or small. */
export function number(x, digits = 4) {
  if (x == null || !Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (x === 0) return "0";
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
    const short = String(Number(mantissa)).replace("-", "−");
    return short === "1" ? power(Number(exponent)) : `${short}×${power(Number(exponent))}`;
  }
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return x
    .toLocaleString("en", { maximumFractionDigits: Math.min(places, 6) })
    .replace("-", "−")
    .replaceAll(",", "\u2009");
}

/* Mean and deviation as one text; one that is 0 or not known is left out. */
export function spread(mean, deviation) {
  return !deviation ? number(mean) : `${number(mean)} ± ${number(deviation, 2)}`;
}

/* Mean and standard deviation of a list; null where a number is not known, or a deviation of one number. */
export function moments(list) {
  if (list.length === 0 || list.some((x) => x == null)) return [null, null];
  const mean = list.reduce((a, b) => a + b, 0) / list.length;
  const square = list.reduce((a, b) => a + (b - mean) ** 2, 0);
  return [mean, list.length > 1 ? Math.sqrt(square / (list.length - 1)) : null];
}

export function save(name, type, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/* A text that a spreadsheet would take for a formula gets a ' in front, as in the files of 'ofw export'. */
function cell(x) {
  if (typeof x !== "string") return x == null ? "" : String(x);
  const text = /^[=+\-@\t\r\n']/.test(x) ? `'${x}` : x;
  return text !== x || /[",\r\n]/.test(x) ? `"${text.replaceAll('"', '""')}"` : x;
}

/* Rows of values, the first their names. */
export function saveTable(name, rows) {
  save(`${name}.csv`, "text/csv", rows.map((row) => row.map(cell).join(",") + "\n").join(""));
}

/* A name that a file may have. */
export const fileName = (...words) =>
  words
    .join("-")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");

/* A table: its caption, the names of its columns, and rows of texts or elements; the first of a row is its head. */
export function table(caption, columns, rows, attributes = {}) {
  const head = make(
    "tr",
    {},
    columns.map((name) => make("th", { scope: "col" }, name)),
  );
  const body = rows.map(([first, ...rest]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, first),
      rest.map((value) => make("td", {}, value)),
    ),
  );
  return make(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    make("table", attributes, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, body)),
  );
}

/* Linear or logarithmic; `change` is told whether it is the latter. */
export const scaleChoice = (legend, log, change) =>
  choice(
    legend,
    [
      ["linear", "Linear"],
      ["log", "Logarithmic"],
    ],
    log ? "log" : "linear",
    (value) => change(value === "log"),
  );

/* One of several, as radio buttons; `values` are pairs of value and text. */
export function choice(legend, values, chosen, change) {
  const group = fileName(legend, Math.random().toString(36).slice(2));
  return make(
    "fieldset",
    { class: "choice" },
    make("legend", {}, legend),
    make(
      "div",
      {},
      values.map(([value, text]) =>
        make(
          "label",
          {},
          make("input", {
            type: "radio",
            name: group,
            value,
            checked: value === chosen,
            onchange: () => change(value),
          }),
          make("span", {}, text),
        ),
      ),
    ),
  );
}
