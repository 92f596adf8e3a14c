/* notice.js — what the page says: news for screen readers, and what went wrong for all */
import { make } from "../shared/dom.js";
import { Problem } from "./api.js";

/* News, read out when the reader is idle. */
export function say(text) {
  document.getElementById("status").textContent = text;
}

/* What went wrong stays until it is closed or the next action goes well; a lost connection until it is there again. */
let shownTrouble = null;
export function clearTrouble() {
  shownTrouble = null;
  document.getElementById("trouble").replaceChildren();
}

export function showTrouble(text) {
  if (text === shownTrouble) return; // read out once
  shownTrouble = text;
  const close = make("button", { type: "button", class: "quiet", onclick: clearTrouble }, "Close");
  document.getElementById("trouble").replaceChildren(make("p", { class: "trouble" }, text, " ", close));
}

let onDenied = () => {};
/* What is done if the server wants a token. */
export const setDenied = (action) => {
  onDenied = action;
};

const isLost = (error) => error.status === 0;
let lost = null; // the message of a connection that is lost

/* Does something with the server and shows what it refuses; true if it went well. What nobody asked for (`unasked`) takes no
 * message away but that of a lost connection. */
export async function trying(action, unasked = false) {
  try {
    await action();
    if (!unasked || shownTrouble === lost) clearTrouble();
    lost = null;
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (isLost(error)) lost = error.message;
    if (error.status === 401) onDenied(error.message);
    else showTrouble(error.message);
    return false;
  }
}
