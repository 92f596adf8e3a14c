/* chart.js — a figure: its frame, axes, zoom and readout; what is drawn in it comes from its model
 *
 * model() returns { title, x, y, data, series, bands, margin, paint, readout, description, caption, rows }: x and y are
 * { label, log, values(range of x) }; margin is free to the right of the axes; data, series and bands are uPlot's; paint(plot) draws more; readout(plot) is what the
 * pointer stands on, as pairs of name and text under a title, or null; rows are the figure's data.
 */
import { axisOf, marksOf, part, scaleOf } from "./axes.js";
import { make, saveTable } from "./dom.js";

const charts = [];
export const redraw = () => charts.forEach((chart) => chart.draw());

const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Chart {
  constructor(file, model) {
    Object.assign(this, { file, model, zoom: null });
    this.heading = make("p", { class: "figure-title" });
    this.host = make("div", { class: "plot", role: "img" });
    this.tip = make("div", { class: "tip", "aria-hidden": "true", hidden: true });
    this.caption = make("figcaption");
    this.element = make(
      "figure",
      {},
      make("div", { class: "figure-head" }, this.heading, this.tools()),
      this.host,
      this.caption,
    );
    this.host.ondblclick = () => this.show(null);
    new ResizeObserver(() => this.host.clientWidth !== this.width && this.draw()).observe(this.host);
    charts.push(this);
  }

  tools() {
    const button = (sign, label, action) =>
      make("button", { type: "button", class: "quiet", title: label, "aria-label": label, onclick: action }, sign);
    this.reset = button("Reset", "Reset zoom", () => this.show(null));
    return make(
      "div",
      { class: "tools", role: "group", "aria-label": "Zoom and data" },
      button("−", "Zoom out", () => this.rescale(-0.5, 1.5)),
      button("+", "Zoom in", () => this.rescale(0.25, 0.75)),
      button("←", "Move left", () => this.rescale(-0.25, 0.75)),
      button("→", "Move right", () => this.rescale(0.25, 1.25)),
      this.reset,
      button("CSV", "Download the data as CSV", () => saveTable(this.file, this.model().rows)),
    );
  }

  /* Another part of x, as shares of what is shown; y fits itself to it. */
  rescale(low, high) {
    this.show({ x: part(this.x.kind, this.x.range, low, high), y: null });
  }

  show(zoom) {
    this.zoom = zoom;
    this.draw();
  }

  draw() {
    const model = this.model();
    this.width = this.host.clientWidth;
    this.plot?.destroy();
    this.plot = null;
    this.heading.textContent = model.title;
    this.host.setAttribute("aria-label", model.description);
    this.caption.replaceChildren(model.caption);
    this.reset.disabled = !this.zoom;
    if (!this.width) return;
    this.x = axisOf(model.x.log, model.x.values(), this.zoom?.x, model.x.values());
    this.y = axisOf(model.y.log, model.y.values(), this.zoom?.y, model.y.values(this.x.range));
    this.plot = new uPlot(this.options(model), model.data, this.host);
    this.plot.over.append(this.tip);
  }

  /* Whether there is room beside the axes. */
  wide() {
    return this.width > 460;
  }

  options(model) {
    const axis = (of, more) => ({
      stroke: ink("--muted"),
      font: "12px system-ui, sans-serif",
      labelFont: "12px system-ui, sans-serif",
      grid: { stroke: ink("--grid"), width: 1 },
      ticks: { stroke: ink("--grid"), width: 1, size: 4 },
      ...marksOf(of),
      ...more,
    });
    return {
      width: this.width,
      height: Math.round(Math.min(340, Math.max(220, this.width * 0.62))),
      legend: { show: false },
      padding: [8, this.wide() ? model.margin : 20, 0, 0],
      scales: { x: scaleOf(this.x), y: scaleOf(this.y) },
      axes: [axis(this.x, { label: model.x.label, labelSize: 20, size: 34 }), axis(this.y, { size: 64 })],
      series: model.series,
      bands: model.bands,
      cursor: {
        drag: { x: true, y: true, uni: 24, setScale: false },
        points: { show: false },
        bind: { dblclick: () => null },
      },
      hooks: {
        draw: [(plot) => model.paint(plot, this.wide())],
        setCursor: [(plot) => this.point(model.readout(plot), plot)],
        setSelect: [(plot) => this.select(plot)],
      },
    };
  }

  /* What was drawn with the pointer is the next view, once uPlot is done with the event. */
  select(plot) {
    const { left, top, width, height } = plot.select;
    if (width < 4 && height < 4) return;
    const value = (at, scale) => plot.posToVal(at, scale);
    const x = width >= plot.over.clientWidth ? this.x.range : [value(left, "x"), value(left + width, "x")];
    const y = height >= plot.over.clientHeight ? this.y.range : [value(top + height, "y"), value(top, "y")];
    queueMicrotask(() => this.show({ x, y }));
  }

  point(readout, plot) {
    this.tip.hidden = !readout;
    if (!readout) return;
    this.tip.replaceChildren(
      make("strong", {}, readout.title),
      ...readout.items.map(([mark, name, text]) => make("span", {}, mark, make("span", {}, name), make("b", {}, text))),
    );
    const { left, top } = plot.cursor;
    const beyond = left > plot.over.clientWidth / 2;
    this.tip.style.left = beyond ? "" : `${left + 14}px`;
    this.tip.style.right = beyond ? `${plot.over.clientWidth - left + 14}px` : "";
    this.tip.style.top = `${Math.max(0, Math.min(top - 12, plot.over.clientHeight - this.tip.offsetHeight))}px`;
  }
}
