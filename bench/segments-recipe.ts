import {
  DEFAULTS,
  type Feature,
  type FeatureKind,
  type FeatureKinds,
  type Recipe,
} from '../domain/segments/recipe.js';

/** The signals of bench/segments.ts: the target and four inputs. */
export const COLUMNS = ['y', 'a', 'b', 'c', 'd'];
const DAY = 86_400;

let made = 0;
function feature<K extends FeatureKind>(kind: K, params: FeatureKinds[K]): Feature {
  return { name: `f${made++}`, kind, params, enabled: true } as unknown as Feature;
}

/** With the signals, 100 columns. */
export const features: readonly Feature[] = [
  ...COLUMNS.flatMap(column => [
    ...[1, 24, 168].map(steps => feature('lag', { column, steps })),
    ...[1, 24].map(steps => feature('diff', { column, steps })),
    ...[24, 168].map(window => feature('rolling', { column, window, fn: 'mean' })),
    ...(['std', 'min', 'max', 'median'] as const).map(fn => feature('rolling', { column, window: 24, fn })),
    feature('rolling', { column, window: 12, fn: 'sum' }),
    ...[0.1, 0.3].map(alpha => feature('ewm', { column, alpha })),
  ]),
  ...COLUMNS.slice(1).flatMap(column => [
    feature('ratio', { numerator: 'y', denominator: column }),
    feature('interaction', { columns: ['y', column] }),
  ]),
  ...(['hour', 'day_of_week', 'day', 'month', 'is_weekend'] as const).map(part =>
    feature('calendar', { part }),
  ),
  feature('fourier', { period_s: DAY, order: 3 }),
  feature('fourier', { period_s: 7 * DAY, order: 2 }),
  feature('expression', { expression: 'log(abs(y)) + lag(a, 3) * 2' }),
  feature('expression', { expression: 'max(a, b, c) - min(a, b, c) / 2' }),
];

export const recipe: Recipe = {
  target: 'y',
  inputs: COLUMNS.slice(1).map(key => ({ key, ...DEFAULTS.input })),
  event_streams: [],
  entity_mode: 'single',
  step_s: 3_600,
  timezone: 'UTC',
  from: null,
  to: null,
  fill: { method: 'ffill', max_gap_steps: 3 },
  aggregate: 'mean',
  normalization: DEFAULTS.normalization,
  features,
  split: DEFAULTS.split,
};
