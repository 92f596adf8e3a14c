/* about_stream.js — what a stream is and what its options mean, in the words of 'ofw help' */
import { make } from "../shared/dom.js";
import { results } from "./data.js";

/* Null: this ofw does not know the stream. */
export function aboutStream(stream) {
  const about = results.streams.find((one) => one.stream === stream);
  if (!about?.kind) return null;
  return make(
    "details",
    { class: "about" },
    make("summary", {}, `What ${about.kind} is, and its options here`),
    make("p", {}, `${about.summary[0].toUpperCase()}${about.summary.slice(1)}.`),
    make(
      "dl",
      {},
      about.options.flatMap(({ name, value, help }) => [make("dt", {}, `${name} = ${value}`), make("dd", {}, help)]),
    ),
  );
}
