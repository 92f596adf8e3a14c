/* curves.js — the model of a figure of curves, with a band of one standard deviation where one is known
 *
 * An arm is { name, stream, series }: numbers by column, a column's deviations under its name with _sd.
 */
import { colourOf, dashOf, names, shown, swatch } from "./cast.js";
import { number, spread } from "./dom.js";

export const units = { round: "rounds", oracle_calls: "oracle calls", passes: "passes", seconds: "seconds" };

/* One arm's curve: the places in its series where x and y are known, and for them x, mean and the band's two edges,
 * without what a logarithmic axis cannot show. The band of a violation, which cannot be below 0, ends there. */
function curveOf(arm, x, y, log) {
  const { series } = arm,
    mean = series[y],
    deviation = series[`${y}_sd`] ?? [];
  const positive = log && !mean.some((value) => value < 0);
  const floor = positive ? Math.min(...mean.filter((value) => value > 0)) / 10 : 0;
  const visible = (value) => (positive && !(value > 0) ? null : value);
  const bounded = positive || y === "ccv";
  const lower = (i) => (bounded ? Math.max(mean[i] - deviation[i], Math.min(floor, mean[i])) : mean[i] - deviation[i]);
  const known = series[x].flatMap((value, i) => (value != null && mean[i] != null ? [i] : []));
  return {
    arm,
    known,
    columns: [
      known.map((i) => series[x][i]),
      known.map((i) => visible(mean[i])),
      known.map((i) => (deviation[i] == null ? null : visible(lower(i)))),
      known.map((i) => (deviation[i] == null ? null : visible(mean[i] + deviation[i]))),
    ],
  };
}

/* What it comes to at the last recorded x up to where the pointer stands: its arm, mean and deviation; null before its first. */
function valueAt({ arm, known, columns }, y, x) {
  const i = known[columns[0].findLastIndex((at) => at <= x)];
  return i == null ? null : [arm, arm.series[y][i], arm.series[`${y}_sd`]?.[i]];
}

/* How to read the data of a figure in another program. */
function rowsOf(arms, y) {
  const names = [...Object.keys(units).filter((name) => name !== y), y, `${y}_sd`].filter((name) =>
    arms.some((arm) => arm.series[name]),
  );
  return [
    ["stream", "curve", ...names],
    ...arms.flatMap((arm) =>
      arm.series.round.map((round, i) => [arm.stream, arm.name, ...names.map((name) => arm.series[name]?.[i])]),
    ),
  ];
}

/* uPlot's series: of each curve the mean and two edges, between which its band is filled. */
function seriesOf(drawn, band) {
  const series = [{}],
    bands = [];
  for (const { arm } of drawn) {
    const stroke = colourOf(arm.name),
      edge = { stroke: "transparent", width: 0, points: { show: false }, show: band };
    if (band) bands.push({ series: [series.length + 2, series.length + 1], fill: `${stroke}26` });
    series.push({ stroke, width: 2, dash: dashOf(arm.name), points: { show: false } }, edge, edge);
  }
  return { series, bands };
}

/* Each name at the end of its curve, moved where two would cover each other. */
function paintNames({ ctx, bbox, valToPos }, drawn, x) {
  const height = 14 * devicePixelRatio;
  const ends = drawn
    .flatMap(({ arm, columns: [xs, mean] }) => {
      const i = mean.findLastIndex((value, k) => value != null && xs[k] <= x.max);
      return i < 0 ? [] : [{ arm, y: valToPos(mean[i], "y", true) }];
    })
    .filter(({ y }) => y >= bbox.top && y <= bbox.top + bbox.height)
    .sort((a, b) => b.y - a.y);
  ends.forEach((end, i) => {
    end.y = i ? Math.min(end.y, ends[i - 1].y - height) : end.y;
  });
  ctx.save();
  Object.assign(ctx, {
    font: `600 ${12 * devicePixelRatio}px system-ui, sans-serif`,
    textBaseline: "middle",
    textAlign: "left",
  });
  for (const { arm, y } of ends) {
    ctx.fillStyle = colourOf(arm.name);
    ctx.fillText(arm.name, bbox.left + bbox.width + 6 * devicePixelRatio, y);
  }
  ctx.restore();
}

const nothing = "Nothing is drawn: this is not known on this stream, or no curve is chosen.";

/* Room for the names, in pixels; 0: they are too long. */
function namesWidth() {
  const longest = Math.max(...names.map((name) => name.length));
  return longest > 24 ? 0 : 16 + 8 * longest;
}

/* Of { title, arms, x, y, log, band, about }: x and y name columns of the arms' series. */
export function curves({ title, arms, x, y, log, band, about }) {
  const drawn = arms
    .filter((arm) => shown.has(arm.name) && arm.series[y].some((value) => value != null))
    .map((arm) => curveOf(arm, x, y, log));
  const within = (range) =>
    drawn
      .flatMap(({ columns: [xs, ...ys] }) =>
        xs.flatMap((at, i) =>
          range && (at < range[0] || at > range[1]) ? [] : ys.slice(0, band ? 3 : 1).map((column) => column[i]),
        ),
      )
      .filter((value) => value != null);
  const last = ({ arm }) => spread(arm.series[y].at(-1), arm.series[`${y}_sd`]?.at(-1));
  return {
    title,
    ...seriesOf(drawn, band),
    caption: drawn.length ? about : nothing,
    rows: rowsOf(arms, y),
    data: drawn.length ? uPlot.join(drawn.map((curve) => curve.columns)) : [[0, 1]],
    x: { label: units[x], log: false, values: () => drawn.flatMap((curve) => curve.columns[0]) },
    y: { log, values: within },
    margin: x === "round" ? Math.max(20, namesWidth()) : 20,
    paint: (plot, wide) => wide && x === "round" && namesWidth() && paintNames(plot, drawn, plot.scales.x),
    readout: (plot) => {
      if (plot.cursor.left < 0 || !drawn.length) return null;
      const at = plot.posToVal(plot.cursor.left, "x");
      const items = drawn
        .map((curve) => valueAt(curve, y, at))
        .filter((item) => item)
        .sort((a, b) => b[1] - a[1]);
      return {
        title: `${number(at)} ${units[x]}`,
        items: items.map(([arm, ...value]) => [swatch(arm.name), arm.name, spread(...value)]),
      };
    },
    description:
      `${title} against ${units[x]}. ` +
      (drawn.length ? `At the end: ${drawn.map((curve) => `${curve.arm.name} ${last(curve)}`).join("; ")}.` : nothing),
  };
}
