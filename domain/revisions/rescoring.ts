import type { InferenceSeries } from '../inference/forecasting.js';
import { placeIn } from '../forecasts/steps.js';
import type { Target } from '../forecasts/target.js';
import { SECOND } from '../time.js';
import { foldsOf, type Fold } from '../tournaments/folds.js';

/** A score that moved by more than this share says that models should compete again. */
export const MOVED = 0.05;
/** Fewer values before a forecast say nothing. */
const LEAST_KNOWN = 16;
const FOLDS = 5;

type Span = { readonly from: number; readonly to: number };
type OnSteps = Pick<Target, 'stepS' | 'stepMonths' | 'timezone'>;
type Both = { readonly before: InferenceSeries; readonly after: InferenceSeries };

/** How many steps after the beginning of what is known now that of what was known before lies. */
const offsetOf = ({ before, after }: Both, { stepS }: OnSteps): number =>
  Math.round((before.start - after.start) / (stepS * SECOND));

/** Whether a champion is another one, by its scores before and after; null: that cannot be told. */
export const hasMoved = (before: number | null, after: number | null): boolean =>
  before !== null && after !== null && Math.abs(after - before) > MOVED * Math.abs(before);

/** The same past moments, by what was known before and after; `before` null: too little was. */
export type Windows = { readonly before: readonly Fold[] | null; readonly after: readonly Fold[] };

/**
 * Folds that end a horizon behind what changed, or where the history ends that both know; where the change
 * lies at the beginning of it, the first that there can be. Null where not even those are left.
 */
export function windowsOf(
  series: Both,
  span: Span,
  of: OnSteps & { readonly horizon: number },
): Windows | null {
  const { before, after } = series;
  const { horizon } = of;
  const offset = offsetOf(series, of);
  const ends = Math.min(after.values.length, offset + before.values.length);
  const behind = placeIn(of, after)(span.to) + 1 + horizon;
  const end = Math.min(ends, Math.max(behind, LEAST_KNOWN + (FOLDS + 1) * horizon));
  if (end <= 0) return null;
  const folds = foldsOf(cut(after, end), { folds: FOLDS, horizon });
  if (!folds) return null;
  if (before === after) return { before: folds, after: folds };
  const same = folds.map(({ known, actual, cutoff }): Fold => {
    const origin = known.values.length - offset;
    return {
      known: { ...before, values: before.values.subarray(0, Math.max(0, origin)) },
      actual: before.values.slice(Math.max(0, origin), Math.max(0, origin) + actual.length),
      cutoff,
    };
  });
  const isEnough = same.every(({ known }) => known.values.length >= LEAST_KNOWN);
  return { before: isEnough ? same : null, after: folds };
}

const cut = (series: InferenceSeries, end: number): InferenceSeries => ({
  ...series,
  values: series.values.subarray(0, end),
});

/** How many steps of a window have another value, or none any more, or one now. */
export function changedSteps(series: Both, { from, to }: Span, of: OnSteps): number {
  const { before, after } = series;
  if (before === after) return 0;
  const offset = offsetOf(series, of);
  const placeOf = placeIn(of, after);
  const first = Math.max(0, placeOf(from));
  const last = Math.min(after.values.length - 1, placeOf(to));
  let changed = 0;
  for (let i = first; i <= last; i++)
    if (!Object.is(after.values[i], before.values[i - offset] ?? NaN)) changed++;
  return changed;
}

/** Whether what changed lies before all steps of a series, or behind them. */
export function isOutOfReach(series: InferenceSeries, { from, to }: Span, of: OnSteps): boolean {
  const placeOf = placeIn(of, series);
  return placeOf(from) >= series.values.length || placeOf(to) < 0;
}
