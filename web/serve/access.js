/* access.js — the token, if the server wants one; it is kept until the tab is closed */
import { make } from "../shared/dom.js";
import { token } from "./api.js";

/* Shows the form; `retry` is called with the new token in use. */
export function askToken(why, retry) {
  const place = document.getElementById("access");
  const field = make("input", {
    id: "token",
    type: "password",
    autocomplete: "off",
    required: true,
    spellcheck: "false",
  });
  const send = (event) => {
    event.preventDefault();
    token.set(field.value.trim());
    place.replaceChildren();
    retry();
  };
  place.replaceChildren(
    make(
      "form",
      { class: "card access", onsubmit: send, "aria-labelledby": "token-title" },
      make("h2", { id: "token-title" }, "Token"),
      make("p", {}, token.get() ? `The server refused this token: ${why}.` : "This server asks for a token."),
      make("label", { for: "token" }, "Token"),
      field,
      make("button", { class: "main" }, "Use it"),
    ),
  );
  field.focus();
}
