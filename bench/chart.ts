import { count } from "./table.ts";

type Point = { deliveries: number; seconds: number };

/** `name`: how the deliveries go out, as in "by email". */
export type Curve = { name: string; points: readonly Point[] };

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 80;
const RIGHT = 675;
const TOP = 50;
const BOTTOM = 340;

const COLORS = ["#b45309", "#1d4ed8"];

/** The seconds of runs by their size, both in powers of ten, beside lines of equal cost, as an SVG. */
export function chart(curves: readonly Curve[]): string {
  const all = curves.flatMap(({ points }) => points);
  if (all.length === 0) throw new Error("There is nothing to draw.");
  const xs = powers(all.map(({ deliveries }) => deliveries));
  const ys = powers(all.map(({ seconds }) => seconds));
  const x = (deliveries: number) =>
    LEFT + ((RIGHT - LEFT) * (Math.log10(deliveries) - xs.from)) / (xs.to - xs.from);
  const y = (seconds: number) =>
    BOTTOM - ((BOTTOM - TOP) * (Math.log10(seconds) - ys.from)) / (ys.to - ys.from);
  const at = ({ deliveries, seconds }: Point) => `${round(x(deliveries))},${round(y(seconds))}`;
  const drawn = ({ name, points }: Curve, index: number) => {
    const color = COLORS[index % COLORS.length]!;
    const last = points.at(-1)!;
    const each = last.seconds / last.deliveries;
    // Equal cost, as far as it stays on the paper.
    const from = Math.max(10 ** xs.from, 10 ** ys.from / each);
    const to = Math.min(10 ** xs.to, 10 ** ys.to / each);
    const equal = [from, to].map((deliveries) => at({ deliveries, seconds: deliveries * each }));
    return [
      `<polyline points="${equal.join(" ")}" fill="none" stroke="#94a3b8" stroke-dasharray="6 5"/>`,
      `<polyline points="${points.map(at).join(" ")}" fill="none" stroke="${color}" stroke-width="2.5"/>`,
      ...points.map((point, n) => {
        const [cx, cy] = at(point).split(",");
        const cost = `${Math.round((point.seconds * 1e6) / point.deliveries)} µs`;
        return (
          `<circle cx="${cx}" cy="${cy}" r="4" fill="${color}"/>` +
          label(Number(cx), Number(cy) - 12, n === 0 ? "start" : "middle", cost)
        );
      }),
      label(LEFT + 12, TOP + 18 + index * 20, "start", name, color),
    ];
  };
  const lines = [
    ...ticks(xs).map((n) => label(x(n), BOTTOM + 22, "middle", count(n)) + rule(x(n), TOP, x(n), BOTTOM)),
    ...ticks(ys).map((n) => label(LEFT - 10, y(n) + 4, "end", `${n} s`) + rule(LEFT, y(n), RIGHT, y(n))),
    ...curves.flatMap(drawn),
    label(LEFT, 28, "start", "Seconds for a run, by its deliveries; the cost of each at the points"),
    label((LEFT + RIGHT) / 2, HEIGHT - 16, "middle", "deliveries; dashed: each costs the same"),
  ];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">\n` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>\n${lines.join("\n")}\n</svg>\n`
  );
}

type Powers = { from: number; to: number };

function powers(values: readonly number[]): Powers {
  const from = Math.floor(Math.log10(Math.min(...values)));
  return { from, to: Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values)))) };
}

function ticks({ from, to }: Powers): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => Number((10 ** (from + n)).toPrecision(3)));
}

function label(x: number, y: number, anchor: string, text: string, color = "#334155"): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${color}">${text}</text>`;
}

function rule(x1: number, y1: number, x2: number, y2: number): string {
  return `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" stroke="#e2e8f0"/>`;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
