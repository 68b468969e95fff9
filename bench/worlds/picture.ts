import { escaped, legend, text, WIDTH } from '../../domain/drawing/svg-parts.js';
import type { Stream, World } from './world.js';

const PANEL = 180;
const ROW = 28;
const LEFT = 16;
const HEAD = 40;
const COLOURS: Readonly<Record<string, string>> = {
  cause: '#c03028',
  announced: '#b06010',
  dying: '#8a3090',
  anticipated: '#206090',
};
const IDLE = '#8a939c';

/** A world as SVG: the target, what events add to it, and a row of marks for each stream. */
export function pictureOf(world: World, from = 0, to = world.steps): string {
  const { streams, target, parts, kind, seed } = world;
  const x = (step: number): number => LEFT + ((step - from) * (WIDTH - 2 * LEFT)) / Math.max(1, to - from);
  const rows = HEAD + 2 * PANEL + 30;
  const height = rows + ROW * streams.length + 30;
  const marks = streams.flatMap((stream, i) => rowOf(stream, rows + ROW * i, x, from, to));
  const title = `${kind} ${seed}: ${world.noise}, ${to - from} steps of ${world.stepMs / 60_000} minutes`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(LEFT, 20, title, { size: 14, colour: '#333d47' }),
    curve(target.subarray(from, to), HEAD, x, from, '#333d47'),
    curve(parts.effects.subarray(from, to), HEAD + PANEL, x, from, '#c03028'),
    legend(rows - 10, [
      { label: 'target', colour: '#333d47' },
      { label: 'what events add', colour: '#c03028' },
    ]),
    ...marks,
    '</svg>',
  ].join('\n');
}

function curve(
  values: Float64Array,
  top: number,
  x: (step: number) => number,
  from: number,
  colour: string,
): string {
  const known = values.filter(value => !Number.isNaN(value));
  const low = known.reduce((least, value) => Math.min(least, value), Infinity);
  const high = known.reduce((most, value) => Math.max(most, value), -Infinity);
  const y = (value: number): number => top + PANEL - 10 - ((value - low) / (high - low || 1)) * (PANEL - 20);
  let pen = 'M';
  const path: string[] = [];
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) pen = 'M';
    else {
      path.push(`${pen}${x(from + i).toFixed(1)} ${y(value).toFixed(1)}`);
      pen = 'L';
    }
  }
  return `<path d="${path.join('')}" fill="none" stroke="${colour}" stroke-width="1"/>`;
}

function rowOf(
  { key, role, events, effect }: Stream,
  top: number,
  x: (step: number) => number,
  from: number,
  to: number,
): string[] {
  const colour = COLOURS[role] ?? IDLE;
  const size = effect
    ? ` ${effect.shape} ${(effect.sign * effect.size).toFixed(1)}, half-life ${effect.halfLife.toFixed(1)}`
    : '';
  return [
    text(LEFT, top + 12, `${key}: ${role}${size}`, { size: 10, colour }),
    ...events
      .filter(({ step }) => step >= from && step < to)
      .map(({ step }) => `<path d="M${x(step).toFixed(1)} ${top + 15}v10" stroke="${colour}"/>`),
  ];
}
