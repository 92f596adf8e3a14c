/* create.js — the form for a new session: learner, set, and what each of their options means, from the server's catalogue */
import { make } from "../shared/dom.js";
import { say, trying } from "./notice.js";
import { create, store } from "./store.js";

/* "name:key=value,.." as pairs; commas within parentheses do not separate. */
export function pairsOf(spec) {
  const pairs = {};
  const rest = spec?.includes(":") ? spec.slice(spec.indexOf(":") + 1) : "";
  for (const [, key, value] of rest.matchAll(/([^=,]+)=((?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[^,(])*)/g))
    pairs[key] = value;
  return pairs;
}

/* A field for an option, with its help. `owner` keeps ids apart. */
function optionField(owner, option, value) {
  const id = `${owner}-${option.name}`;
  const common = {
    id,
    name: option.name,
    "aria-describedby": `${id}-help`,
    required: owner === "domain" && option.default == null,
  };
  const isChoice = option.form.includes("|") && !/COUNT|NUMBER|TEXT/.test(option.form);
  const field = isChoice
    ? make(
        "select",
        common,
        make("option", { value: "" }, `default${option.default ? ` (${option.default})` : ""}`),
        option.form.split("|").map((word) => make("option", { value: word, selected: word === value }, word)),
      )
    : make("input", {
        ...common,
        value: value ?? "",
        placeholder: option.default ?? "",
        inputmode: option.form === "COUNT" ? "numeric" : "text",
        autocomplete: "off",
        spellcheck: "false",
      });
  const needed = option.default == null ? "required" : `default ${option.default}`;
  return make(
    "div",
    { class: "field" },
    make(
      "label",
      { for: id },
      option.name,
      make("small", {}, ` ${option.form}, ${owner === "domain" || option.default != null ? needed : "optional"}`),
    ),
    field,
    make("p", { class: "hint", id: `${id}-help` }, `${option.help}.`),
  );
}

const valuesOf = (place) =>
  [...place.querySelectorAll("input, select")]
    .filter((field) => field.value.trim())
    .map((field) => [field.name, field.value.trim()]);

/* A choice of parts, with the summary of the chosen one below. */
function partField(id, title, parts, chosen, change) {
  const about = make("p", { class: "hint", id: `${id}-about` });
  const select = make(
    "select",
    { id, "aria-describedby": `${id}-about`, onchange: () => pick() },
    parts.map(({ name }) => make("option", { value: name, selected: name === chosen }, name)),
  );
  const pick = () => {
    const part = parts.find(({ name }) => name === select.value);
    about.textContent = `${part.summary}${part.promise ? `; ${part.promise}` : ""}.`;
    change(part);
  };
  return { select, pick, element: make("div", { class: "field" }, make("label", { for: id }, title), select, about) };
}

/* A number stays one, so that the session reads as it was written. */
const plain = (text) => (/^-?\d+(\.\d+)?(e-?\d+)?$/i.test(text) ? Number(text) : text);

export function createForm() {
  const { learners, domains, settings } = store.catalogue;
  const domainOptions = make("div", { class: "fields" }),
    learnerOptions = make("div", { class: "fields" }),
    needs = make("p", { class: "hint" }),
    preview = make("code", { id: "spec" });
  const spec = () => {
    const pairs = valuesOf(domainOptions).map(([name, value]) => `${name}=${value}`);
    return domain.select.value + (pairs.length ? `:${pairs.join(",")}` : "");
  };
  const show = () => {
    preview.textContent = spec();
  };
  const learner = partField("learner", "Learner", learners, "ofw-ada", (part) => {
    needs.textContent = part.parameter_free
      ? `${part.name} needs none of these.`
      : `${part.name} may need horizon and lipschitz; the server says so if one is missing.`;
    const options = [...settings, ...part.options, ...(part.common_options ?? [])];
    learnerOptions.replaceChildren(...options.map((option) => optionField("option", option)));
  });
  const domain = partField("domain", "Set of possible decisions", domains, "simplex", (part) => {
    const example = pairsOf(part.example);
    domainOptions.replaceChildren(...part.options.map((option) => optionField("domain", option, example[option.name])));
    show();
  });
  const nameField = make("input", { id: "name", maxlength: 64, autocomplete: "off" }),
    seedField = make("input", { id: "seed", inputmode: "numeric", value: "1", autocomplete: "off" });
  const send = (event) => {
    event.preventDefault();
    trying(async () => {
      const made = await create({
        learner: learner.select.value,
        domain: spec(),
        options: Object.fromEntries(valuesOf(learnerOptions).map(([name, value]) => [name, plain(value)])),
        seed: Number(seedField.value || 1),
        ...(nameField.value.trim() ? { name: nameField.value.trim() } : {}),
      });
      say(`session ${made.id} is made`);
    });
  };
  const simple = (id, title, field, help) =>
    make("div", { class: "field" }, make("label", { for: id }, title), field, make("p", { class: "hint" }, help));
  const form = make(
    "form",
    { class: "create", onsubmit: send, oninput: show },
    learner.element,
    domain.element,
    make(
      "fieldset",
      {},
      make("legend", {}, "The set's parameters"),
      domainOptions,
      make("p", { class: "hint" }, "Spec: ", preview),
    ),
    make("details", {}, make("summary", {}, "Settings and options of the learner"), needs, learnerOptions),
    simple("name", "Name", nameField, "any text to know it by; may be left empty"),
    simple("seed", "Seed", seedField, "the same seed and the same feedback give the same decisions"),
    make("button", { class: "main" }, "Create"),
  );
  learner.pick();
  domain.pick();
  return form;
}
