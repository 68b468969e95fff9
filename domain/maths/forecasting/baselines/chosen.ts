import { arimaAmong, frozenArimaAmong, gapless, modelOf } from './arima/index.js';
import type { Orders } from './arima/fit.js';
import type { Baseline, Freeze } from './baseline.js';
import { bestOf, etsAmong, frozenEtsAmong } from './ets/index.js';
import type { Form } from './ets/model.js';
import { fromNumberToNumber } from './gaps.js';
import { localMethods } from './methods.js';

/**
 * What a method that tries many forms found on some series, so that it tries no others on the next: plain
 * data. Without these it tries all.
 */
export type Chosen = { readonly forms?: readonly Form[]; readonly orders?: readonly Orders[] };

/** So many are kept: those that most of the series took. */
const KEPT = 3;

const chosenForms = (series: readonly Float64Array[], period: number): Chosen => ({
  forms: mostTaken(series.map(values => bestOf(values, period)?.form)),
});
const chosenOrders = (series: readonly Float64Array[], period: number): Chosen => ({
  orders: mostTaken(series.map(values => modelOf(gapless(values, period), period)?.fit.orders)),
});
const choosing: Readonly<Record<string, typeof chosenForms>> = { ets: chosenForms, arima: chosenOrders };

/** What a method takes for most of some series; nothing where it has nothing to choose. */
export function chosenBy(method: string, series: readonly Float64Array[], period: number): Chosen {
  const numbers = series.map(fromNumberToNumber).filter(({ length }) => length > 0);
  return choosing[method]?.(numbers, period) ?? {};
}

/** Whether a method chooses among many. */
export const chooses = (method: string): boolean => method in choosing;

/** A local method with what was chosen for it, if anything was. */
export function methodWith(method: string, { forms, orders }: Chosen): Baseline {
  if (method === 'ets' && forms) return etsAmong(forms);
  return method === 'arima' && orders ? arimaAmong(orders) : localMethods[method]!;
}
/** The same, frozen; null: nothing was chosen. */
export function freezeWith(method: string, { forms, orders }: Chosen): Freeze | null {
  if (method === 'ets' && forms) return frozenEtsAmong(forms);
  return method === 'arima' && orders ? frozenArimaAmong(orders) : null;
}

/** Those that were taken most often, of equals those that were taken first. */
function mostTaken<T extends object>(taken: readonly (T | undefined)[]): readonly T[] {
  const counts = new Map<string, number>();
  for (const one of taken)
    if (one) counts.set(JSON.stringify(one), (counts.get(JSON.stringify(one)) ?? 0) + 1);
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, KEPT);
  return most.map(([one]) => JSON.parse(one) as T);
}
