import { DAY, SECOND } from '../../time.js';
import { columnOfStream, inputsOf } from '../plan.js';
import type { Feature, FeatureKind, FeatureKinds, FeatureOf, Recipe } from '../recipe.js';

/** Signals beside the target of which features are tried. */
const MOST_INPUTS = 10;
const MOST_RATIOS = 3;
const MOST_ORDER = 2;
/** Days, weeks and years, in days. */
const CYCLES = [1, 7, 365.2425];
const LONGEST = 1_000;

/** Calendar parts that change from step to step of so many days, or sooner. */
const PARTS: readonly (readonly [FeatureKinds['calendar']['part'], number])[] = [
  ['hour', 0.5],
  ['day_of_week', 1],
  ['is_weekend', 1],
  ['day', 7],
  ['month', 184],
];

/** Whole cycles of a day, a week and a year, in steps. */
export const seasonsOf = (stepS: number): number[] =>
  CYCLES.map(days => Math.round(((days * DAY) / (stepS * SECOND)) * 1e6) / 1e6)
    .map(steps => (steps > 300 ? Math.round(steps) : steps))
    .filter(steps => Number.isInteger(steps) && steps >= 2 && steps <= LONGEST);

/**
 * Features that may help a recipe and are not in it: the usual ones of its target, inputs and streams, and of
 * its calendar. `name` tells them apart and is none that a column may have.
 */
export function candidatesOf(recipe: Recipe): Feature[] {
  const { target, split, step_s: step } = recipe;
  const others = [
    ...inputsOf(recipe)
      .filter(({ role }) => role !== 'static')
      .map(({ key }) => key),
    ...recipe.event_streams.map(columnOfStream),
  ].slice(0, MOST_INPUTS);
  const seasons = seasonsOf(step);
  const made = [
    ...ofTarget(target, seasons, split.horizon),
    ...others.flatMap(column => ofOther(column)),
    ...others.slice(0, MOST_RATIOS).map(column => part('ratio', { numerator: target, denominator: column })),
    ...ofCalendar(step),
  ];
  const known = new Set(recipe.features.map(textOf));
  const fresh = made.filter(each => !known.has(textOf(each)) && known.add(textOf(each)));
  return fresh.map((each, i) => ({ ...each, name: `\u0000${i}` }));
}

const textOf = ({ kind, params }: Feature): string =>
  JSON.stringify([kind, Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))]);

function part<K extends FeatureKind>(kind: K, params: FeatureKinds[K]): Feature {
  const made: FeatureOf<K> = { kind, params, name: '', enabled: true };
  return made as unknown as Feature;
}

/** What stood a season before the step that is forecast lies `season - horizon` steps back. */
function ofTarget(column: string, seasons: readonly number[], horizon: number): Feature[] {
  const back = seasons.flatMap(season => [season - horizon, 2 * season - horizon]).filter(steps => steps > 0);
  const windows = [...new Set([3, ...seasons])];
  return [
    ...[1, 2, 3, ...back].map(steps => part('lag', { column, steps })),
    ...[1, ...seasons].map(steps => part('diff', { column, steps })),
    ...windows.map(window => part('rolling', { column, window, fn: 'mean' })),
    ...windows.map(window => part('rolling', { column, window: Math.max(3, window), fn: 'std' })),
    ...[0.1, 0.3].map(alpha => part('ewm', { column, alpha })),
  ];
}

const ofOther = (column: string): Feature[] => [
  ...[1, 2, 3].map(steps => part('lag', { column, steps })),
  part('diff', { column, steps: 1 }),
  part('rolling', { column, window: 7, fn: 'mean' }),
  part('ewm', { column, alpha: 0.3 }),
];

function ofCalendar(stepS: number): Feature[] {
  const days = (stepS * SECOND) / DAY;
  const waves = CYCLES.flatMap(cycle => {
    const order = Math.min(MOST_ORDER, Math.floor(cycle / days / 2));
    return order > 0 ? [part('fourier', { period_s: cycle * 86_400, order })] : [];
  });
  return [
    ...waves,
    ...PARTS.filter(([, most]) => days <= most).map(([name]) => part('calendar', { part: name })),
  ];
}
