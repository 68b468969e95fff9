import type { Numbers } from '../maths/series/series.js';
import { heightOf, type ForecastPicture } from './picture.js';
import { decimalsOf, numberText } from './ticks.js';

/** Rows of a drawing, and its columns. */
export type TextSize = { readonly rows: number; readonly columns: number };
type Range = { low: number; high: number };

const MARKS = { history: '•', median: '━', bands: ['░', '▒'] } as const;

/**
 * A forecast as lines of text: points are the history, a line with shades around it is the forecast. Each
 * column shows all the steps that fall into it; at the left are the numbers of the first, the middle and the
 * last row.
 */
export function textPicture(picture: ForecastPicture, { rows, columns }: TextSize): string[] {
  const { history, median, bands } = picture;
  const [low, high] = heightOf(picture);
  const rowOf = (value: number): number =>
    Math.round(((high / 2 - value / 2) / (high / 2 - low / 2)) * (rows - 1));
  const { from, to, steps } = extentOf(history.times, median.times);
  const width = Math.min(columns, steps);
  const canvas = Array.from({ length: rows }, () => new Array<string>(width).fill(' '));
  const columnOf = (time: number): number => Math.round(((time - from) / (to - from || 1)) * (width - 1));
  const fill = (column: number, range: Range, mark: string): void => {
    for (let row = rowOf(range.high); row <= rowOf(range.low); row++) canvas[row]![column] = mark;
  };
  const draw = (
    times: Numbers,
    lowest: ArrayLike<number>,
    highest: ArrayLike<number>,
    mark: string,
  ): void => {
    const ranges = new Map<number, Range>();
    for (let i = 0; i < lowest.length; i++) {
      if (Number.isNaN(lowest[i]!)) continue;
      const column = columnOf(times[i]!);
      const range = ranges.get(column) ?? { low: Infinity, high: -Infinity };
      range.low = Math.min(range.low, lowest[i]!);
      range.high = Math.max(range.high, highest[i]!);
      ranges.set(column, range);
    }
    for (const [column, range] of ranges) fill(column, range, mark);
  };
  bands.forEach((band, i) => draw(median.times, band.low, band.high, MARKS.bands[i] ?? MARKS.bands[1]));
  draw(median.times, median.values, median.values, MARKS.median);
  draw(history.times, history.values, history.values, MARKS.history);
  const labels = labelsOf(low, high, rows);
  return canvas.map((cells, row) => `${labels[row]!} ${cells.join('')}`.trimEnd());
}

function extentOf(before: Numbers, ahead: Numbers) {
  const from = Math.min(before[0] ?? Infinity, ahead[0]!);
  return { from, to: ahead.at(-1)!, steps: new Set([...before, ...ahead]).size };
}

function labelsOf(low: number, high: number, rows: number): string[] {
  const decimals = decimalsOf((high / 2 - low / 2) / 50);
  const middle = Math.floor((rows - 1) / 2);
  const at = (row: number): string =>
    numberText(high - (high / 2 - low / 2) * 2 * (row / Math.max(1, rows - 1)), decimals);
  const texts = Array.from({ length: rows }, (_, row) =>
    row === 0 || row === middle || row === rows - 1 ? at(row) : '',
  );
  const widest = Math.max(...texts.map(text => text.length));
  return texts.map(text => `${text.padStart(widest)} │`);
}
