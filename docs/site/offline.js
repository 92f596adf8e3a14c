/* offline.js — the search of a site that is opened as files
 *
 * A browser lets a page from a disk neither fetch the index nor start a worker. The index comes as a script then, and the
 * worker's script runs in a hidden frame. Over HTTP nothing of this is used.
 */
if (location.protocol === "file:") {
  const index = document.currentScript.dataset.index;
  const load = (where, source) =>
    new Promise((resolve, reject) => {
      const script = where.createElement("script");
      script.src = source;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${source} cannot be loaded`));
      (where.head ?? where.documentElement).append(script);
    });

  const wanted = new Promise((resolve) =>
    document.addEventListener("focusin", (event) => event.target.matches(".md-search__input") && resolve()),
  );
  const indexLoaded = wanted.then(() => load(document, index)).then(() => window.searchIndex);
  Object.defineProperty(window, "__search", { value: { index: indexLoaded } }); // the theme looks for it under this name

  window.Worker = class extends EventTarget {
    constructor(source) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = load(frame.contentDocument, source);
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
