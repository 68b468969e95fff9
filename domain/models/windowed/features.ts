import { localClock, numbersOf, wavesOf } from './calendar.js';
import { within, type WindowPlan } from './plan.js';
import { meanOfLast, placeOfReference, type Window } from './window.js';

/** One number of a row. `kind`: what people should know of where it comes from. */
export type Feature = {
  readonly name: string;
  readonly kind: 'step' | 'season' | 'lag' | 'window' | 'calendar' | 'input';
};

/** Of an input: its value at so many steps after the last value that is known, or before it. */
export type InputAt = (name: string, ahead: number) => number;

/** The row of a step ahead (from 1) whose time is given, epoch ms. */
export type RowOf = (step: number, time: number, input: InputAt) => Float64Array;

/** The same features in the same order for each window and step. */
export type Rows = { readonly features: readonly Feature[]; readonly from: (window: Window) => RowOf };

/** Seasons before the last one whose values are features. */
const SEASONS = 3;
/** Means are taken over so many seasons, or over so many values where there is none. */
const SPANS = { seasons: [1, 2, 4], values: [4, 8, 16, 32] };

export function rowsOf(plan: WindowPlan): Rows {
  const { period, lags, calendar, inputs, tellsStep } = plan;
  const clock = calendar && localClock(calendar.timezone);
  const dates = calendar && (calendar.kind === 'waves' ? wavesOf : numbersOf)(calendar.step);
  const spans = period > 1 ? SPANS.seasons.map(count => count * period) : SPANS.values;
  const seasons = period > 1 ? SEASONS : 0;
  const named = (kind: Feature['kind'], names: readonly string[]): Feature[] =>
    names.map(name => ({ name, kind }));
  const numbered = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, i) => `${name}_${i + 1}`);
  const features = [
    ...named('step', tellsStep ? ['step'] : []),
    ...named('season', numbered('season', seasons)),
    ...named('lag', numbered('last', lags)),
    ...named(
      'window',
      spans.map(span => `mean_${span}`),
    ),
    ...named('calendar', dates?.names ?? []),
    ...named(
      'input',
      inputs.flatMap(({ name, known }) => (known === 'ahead' ? [name, `${name}_change`] : [name])),
    ),
  ];
  function from({ values, level, size }: Window): RowOf {
    const scaled = (x: number): number => within((x - level) / size);
    const ofWindow = [
      ...Array.from({ length: lags }, (_, i) => scaled(values[Math.max(0, values.length - 1 - i)]!)),
      ...spans.map(span => scaled(meanOfLast(values, span))),
    ];
    return (step, time, input) => {
      const row = new Float64Array(features.length);
      let next = 0;
      if (tellsStep) row[next++] = step;
      for (let back = 0; back < seasons; back++)
        row[next++] = scaled(values[placeOfReference(values.length, step, period, back)]!);
      row.set(ofWindow, next);
      next += ofWindow.length;
      if (clock && dates) for (const said of dates.at(clock(time))) row[next++] = said;
      const reference = placeOfReference(values.length, step, period) - (values.length - 1);
      for (const { name, known, missing } of inputs) {
        const value = input(name, known === 'ahead' ? step : 0);
        row[next++] = or(value, missing);
        // What moves the target from its reference is what moved the input
        if (known === 'ahead') row[next++] = or(value - input(name, reference), missing === null ? null : 0);
      }
      return row;
    };
  }
  return { features, from };
}

const or = (x: number, missing: number | null): number => (Number.isNaN(x) ? (missing ?? NaN) : x);
