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
  const steps = history.values.length + median.values.length;
  const width = Math.min(columns, steps);
  const canvas = Array.from({ length: rows }, () => new Array<string>(width).fill(' '));
  const columnOf = (step: number): number => Math.floor((step * width) / steps);
  const fill = (column: number, range: Range, mark: string): void => {
    for (let row = rowOf(range.high); row <= rowOf(range.low); row++) canvas[row]![column] = mark;
  };
  const draw = (first: number, lowest: ArrayLike<number>, highest: ArrayLike<number>, mark: string): void => {
    const ranges = new Map<number, Range>();
    for (let i = 0; i < lowest.length; i++) {
      if (Number.isNaN(lowest[i]!)) continue;
      const column = columnOf(first + i);
      const range = ranges.get(column) ?? { low: Infinity, high: -Infinity };
      range.low = Math.min(range.low, lowest[i]!);
      range.high = Math.max(range.high, highest[i]!);
      ranges.set(column, range);
    }
    for (const [column, range] of ranges) fill(column, range, mark);
  };
  bands.forEach((band, i) =>
    draw(history.values.length, band.low, band.high, MARKS.bands[i] ?? MARKS.bands[1]),
  );
  draw(history.values.length, median.values, median.values, MARKS.median);
  draw(0, history.values, history.values, MARKS.history);
  const labels = labelsOf(low, high, rows);
  return canvas.map((cells, row) => `${labels[row]!} ${cells.join('')}`.trimEnd());
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
