import type { Numbers } from '../maths/series/series.js';
import { heightOf, type Band, type ForecastPicture, type Line } from './picture.js';
import { escaped, legend, text, WIDTH } from './svg-parts.js';
import { numberTicks, type Tick } from './ticks.js';
import { timeTicks } from './time-ticks.js';

const HEIGHT = 380;
const TOP = 88;
const BOTTOM = 38;
const RIGHT = 24;
/** Room for the labels of an axis: of a letter, between two times, between two values. */
const LETTER = 6.6;
const TIMES_APART = 84;
const VALUE_INTERVALS = 5;

/** From black and blue of the palette of Okabe and Ito, which all kinds of sight tell apart. */
const COLOURS = { history: '#333d47', median: '#0072b2', grid: '#e3e7eb', now: '#98a2ad' };
/** Over what is missing. */
const BRIDGE = '#b9c1c9';
const OPACITY = ['0.18', '0.32'];
/** The narrower band lies on the wider one. */
const SEEN = ['0.18', '0.44'];

/**
 * Forecasts as one SVG document, one below the other: history, median and bands over the same times, with
 * round numbers and dates (UTC) on the axes. The same pictures give the same text.
 */
export function svgOf(pictures: readonly ForecastPicture[]): string {
  const height = HEIGHT * pictures.length;
  const panels = pictures.map(
    (picture, i) => `<g transform="translate(0 ${i * HEIGHT})" role="img">\n${panel(picture)}</g>\n`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" `
    + `height="${height}" font-family="Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif">\n`
    + `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>\n${panels.join('')}</svg>\n`
  );
}

/** How numbers become places: `x` of a time, `y` of a value; both rounded to a tenth. */
type Scale = { readonly x: (time: number) => string; readonly y: (value: number) => string };

function panel(picture: ForecastPicture): string {
  const { history, median, bands } = picture;
  const ticks = numberTicks(...heightOf(picture), VALUE_INTERVALS);
  const left = 24 + LETTER * Math.max(...ticks.map(({ label }) => label.length));
  const from = Math.min(history.times[0] ?? Infinity, median.times[0]!);
  const to = median.times.at(-1)!;
  const width = WIDTH - RIGHT - left;
  const scale: Scale = {
    x: between(from, to, left, WIDTH - RIGHT),
    y: between(ticks[0]!.at, ticks.at(-1)!.at, HEIGHT - BOTTOM, TOP),
  };
  const times = timesOf(picture.axis, from, to, Math.floor(width / TIMES_APART));
  const joined = joinedOn(picture);
  return [
    `<title>${escaped(picture.title)}</title>`,
    `<desc>${escaped(description(picture))}</desc>`,
    text(16, 30, picture.title, { size: 17, colour: '#111820' }),
    text(16, 50, picture.note, { size: 12, colour: '#5a6672' }),
    legend(72, [
      { label: 'history', colour: COLOURS.history },
      { label: 'median forecast', colour: COLOURS.median },
      ...bands.map(({ label }, i) => ({ label, colour: COLOURS.median, opacity: SEEN[i]! })),
    ]),
    ...ticks.map(tick => valueTick(tick, left, scale)),
    ...times.map(tick => timeTick(tick, scale)),
    ...joined.bands.map((band, i) => area(joined.times, band, scale, OPACITY[i]!)),
    line([joined.times[0]!, joined.times[0]!], [ticks[0]!.at, ticks.at(-1)!.at], scale, {
      stroke: COLOURS.now,
      'stroke-dasharray': '3 4',
    }),
    bridges(history, scale),
    line(history.times, history.values, scale, { stroke: COLOURS.history, 'stroke-width': '1.6' }),
    line(joined.times, joined.median, scale, { stroke: COLOURS.median, 'stroke-width': '2.4' }),
    '',
  ].join('\n');
}

/** Linear from one span to another, as text. */
function between(low: number, high: number, first: number, last: number): (value: number) => string {
  // Halves: the whole may be more than a number can hold
  const half = high / 2 - low / 2 || 1;
  return value => (first + ((value / 2 - low / 2) / half) * (last - first)).toFixed(1);
}

function timesOf(axis: ForecastPicture['axis'], from: number, to: number, most: number): readonly Tick[] {
  if (axis === 'time') return timeTicks(from, to, most);
  return numberTicks(from, to, most).filter(({ at }) => at >= from && at <= to && Number.isInteger(at));
}

/** The forecast with the last known value in front, where that is the step before: they are one course. */
function joinedOn({ history, median, bands }: ForecastPicture) {
  const last = history.values.at(-1) ?? NaN;
  const isBefore = !Number.isNaN(last) && history.times.at(-1)! < median.times[0]!;
  const on = (values: Numbers, first: number): number[] => (isBefore ? [first, ...values] : [...values]);
  return {
    times: on(median.times, history.times.at(-1)!),
    median: on(median.values, last),
    bands: bands.map(({ label, low, high }) => ({ label, low: on(low, last), high: on(high, last) })),
  };
}

const valueTick = ({ at, label }: Tick, left: number, { y }: Scale): string =>
  `<path d="M${left.toFixed(1)} ${y(at)}H${WIDTH - RIGHT}" stroke="${COLOURS.grid}"/>\n`
  + text(left - 8, Number(y(at)) + 4, label, { size: 12, colour: '#5a6672', anchor: 'end' });

const timeTick = ({ at, label }: Tick, { x }: Scale): string =>
  `<path d="M${x(at)} ${HEIGHT - BOTTOM}v5" stroke="${COLOURS.now}"/>\n`
  + text(Number(x(at)), HEIGHT - BOTTOM + 20, label, { size: 12, colour: '#5a6672', anchor: 'middle' });

function area(times: readonly number[], { low, high }: Band, { x, y }: Scale, opacity: string): string {
  const there = times.map((time, i) => `${x(time)} ${y(high[i]!)}`);
  const back = times.map((time, i) => `${x(time)} ${y(low[i]!)}`).reverse();
  return `<path d="M${[...there, ...back].join('L')}Z" fill="${COLOURS.median}" fill-opacity="${opacity}"/>`;
}

/** Where values are missing the line has a gap; one that stands alone is a dot. */
function line(
  times: Numbers,
  values: Numbers,
  { x, y }: Scale,
  look: Readonly<Record<string, string>>,
): string {
  let path = '';
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const follows = i > 0 && !Number.isNaN(values[i - 1]!);
    path += `${follows ? 'L' : 'M'}${x(times[i]!)} ${y(value)}`;
    if (!follows && Number.isNaN(values[i + 1] ?? NaN)) path += 'h0';
  }
  const given = Object.entries(look).map(([name, as]) => ` ${name}="${as}"`);
  return `<path d="${path}" fill="none" stroke-linejoin="round" stroke-linecap="round"${given.join('')}/>`;
}

/** A thin line from each known value to the next one, seen where some are missing between. */
function bridges({ times, values }: Line, scale: Scale): string {
  const known = Array.from(times, (time, i) => [time, values[i]!] as const).filter(
    ([, value]) => !Number.isNaN(value),
  );
  if (known.length === times.length) return '';
  return line(
    known.map(([time]) => time),
    known.map(([, value]) => value),
    scale,
    { stroke: BRIDGE },
  );
}

function description({ history, median, bands }: ForecastPicture): string {
  const [widest] = bands;
  const last = median.values.length - 1;
  const within = widest ? `, ${widest.label} ${widest.low[last]!} to ${widest.high[last]!}` : '';
  return (
    `${history.values.length} values of history and ${median.values.length} steps of forecast; `
    + `the median of the last step is ${median.values[last]!}${within}`
  );
}
