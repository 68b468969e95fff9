import { clockAt } from '../../../domain/local-time.js';
import type { Feature, Recipe } from '../../../domain/segments/recipe.js';
import type { Known, Point, Row } from './given.js';

// A table made the slow and plain way, all of it at once, for fixed steps of UTC and one target.

type Values = (number | null)[];

const finite = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) ? value + 0 : null;

function aggregate(how: Recipe['aggregate'], values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sum = values.reduce((a, b) => a + b, 0);
  if (how === 'sum') return sum;
  if (how === 'mean') return sum / values.length;
  if (how === 'last') return values.at(-1)!;
  return how === 'min' ? Math.min(...values) : Math.max(...values);
}

function filled(values: Values, { method, max_gap_steps: most }: Recipe['fill'], season: number): Values {
  const out = [...values];
  for (let i = 0; i < values.length; i++) {
    if (values[i] !== null) continue;
    let begin = i;
    while (begin > 0 && values[begin - 1] === null) begin--;
    let end = i;
    while (end < values.length && values[end] === null) end++;
    const isShort = end - begin <= most;
    const before = begin > 0 ? values[begin - 1]! : null;
    const after = end < values.length ? values[end]! : null;
    if (method === 'ffill' && i - begin < most) out[i] = before;
    if (method === 'zero' && isShort) out[i] = 0;
    if (method === 'linear' && isShort && before !== null && after !== null)
      out[i] = before + ((after - before) * (i - begin + 1)) / (end - begin + 1);
    if (method === 'seasonal' && isShort)
      for (let back = i - season; back >= 0 && out[i] === null; back -= season) out[i] = values[back]!;
  }
  return out;
}

const windowAt = (values: Values, i: number, window: number): number[] | null => {
  const found = i + 1 >= window ? values.slice(i + 1 - window, i + 1) : [null];
  return found.includes(null) ? null : (found as number[]);
};

function overWindow(fn: string, values: readonly number[]): number {
  const n = values.length;
  const mean = values.reduce((a, b) => a + b, 0) / n;
  const sorted = [...values].sort((a, b) => a - b);
  if (fn === 'sum') return values.reduce((a, b) => a + b, 0);
  if (fn === 'mean') return mean;
  if (fn === 'min') return sorted[0]!;
  if (fn === 'max') return sorted[n - 1]!;
  if (fn === 'median') return (sorted[(n - 1) >> 1]! + sorted[n >> 1]!) / 2;
  return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1));
}

function ewm(values: Values, alpha: number): Values {
  let mean: number | null = null;
  let weight = 1;
  return values.map(value => {
    weight *= 1 - alpha;
    if (value === null) return null;
    mean = mean === null ? value : (weight * mean + alpha * value) / (weight + alpha);
    weight = 1;
    return mean;
  });
}

/** Expressions of the tests, as functions of a row. */
export const EXPRESSIONS: Readonly<
  Record<string, (column: (name: string, back: number) => number) => number>
> = {
  'log(abs(y)) + lag(y, 3) * 2': at => Math.log(Math.abs(at('y', 0))) + at('y', 3) * 2,
  'min(y, x, 1) / -max(lag(x, 2), lag(lag(y, 1), 4))': at =>
    Math.min(at('y', 0), at('x', 0), 1) / -Math.max(at('x', 2), at('y', 5)),
};

function featureOf(
  { kind, params }: Feature,
  columns: Readonly<Record<string, Values>>,
  times: readonly number[],
  zone: string,
): Values {
  const of = (name: string): Values => columns[name]!;
  if (kind === 'lag') return times.map((_, i) => of(params.column)[i - params.steps] ?? null);
  if (kind === 'diff')
    return of(params.column).map((value, i) => {
      const before = of(params.column)[i - params.steps] ?? null;
      return value === null || before === null ? null : value - before;
    });
  if (kind === 'rolling')
    return times.map((_, i) => {
      const found = windowAt(of(params.column), i, params.window);
      return found && overWindow(params.fn, found);
    });
  if (kind === 'ewm') return ewm(of(params.column), params.alpha);
  if (kind === 'calendar')
    return times.map(time => {
      const local = new Date(clockAt(time, zone));
      const day = (local.getUTCDay() + 6) % 7;
      const parts = { hour: local.getUTCHours(), day_of_week: day, day: local.getUTCDate() };
      return { ...parts, month: local.getUTCMonth() + 1, is_weekend: Number(day > 4) }[params.part];
    });
  if (kind === 'ratio' || kind === 'interaction') {
    const [a, b] = kind === 'ratio' ? [params.numerator, params.denominator] : params.columns;
    return times.map((_, i) => {
      const [x, y] = [of(a!)[i]!, of(b!)[i]!];
      if (x === null || y === null) return null;
      return kind === 'ratio' ? x / y : x * y;
    });
  }
  if (kind !== 'expression') throw new Error(`the naive table has no ${kind}`);
  return times.map((_, i) => EXPRESSIONS[params.expression]!((name, back) => of(name)[i - back] ?? NaN));
}

export function naiveTable(recipe: Recipe, known: Known, season: number): Row[] {
  const step = recipe.step_s * 1_000;
  const inWindow = (point: Point): boolean =>
    point.time >= (recipe.from ?? -Infinity) && point.time < (recipe.to ?? Infinity);
  const target = known.signals[recipe.target]!.filter(inWindow);
  const monday = 4 * 86_400_000;
  const startOf = (time: number): number => Math.floor((time - monday) / step) * step + monday;
  const start = startOf(target[0]!.time);
  const end = startOf(target.at(-1)!.time) + step;
  const times = Array.from({ length: (end - start) / step }, (_, i) => start + i * step);
  const onSteps = (key: string, lag: number): Values => {
    const steps = times.map((): number[] => []);
    for (const point of known.signals[key]!.filter(inWindow)) {
      const at = (startOf(point.time + lag) - start) / step;
      if (point.time < end) steps[at]?.push(point.value);
    }
    return steps.map(values => finite(aggregate(recipe.aggregate, values)));
  };
  const columns: Record<string, Values> = { [recipe.target]: onSteps(recipe.target, 0) };
  for (const { key, lag_s: lag } of recipe.inputs)
    columns[key] = filled(onSteps(key, lag * 1_000), recipe.fill, season);
  for (const { stream, encoding, half_life_s: half } of recipe.event_streams) {
    const events = known.events?.[stream] ?? [];
    columns[`${stream}:${encoding}`] = times.map(time => {
      const inside = events.filter(
        event => inWindow(event) && event.time >= time && event.time < time + step,
      );
      if (encoding === 'count') return inside.length;
      if (encoding === 'value') return inside.reduce((sum, { value }) => sum + (value || 0), 0);
      const before = events.filter(event => event.time < Math.min(time + step, recipe.to ?? Infinity));
      return before.reduce((sum, event) => sum + 2 ** (-(time + step - event.time) / (half * 1_000)), 0);
    });
  }
  for (const feature of recipe.features)
    columns[feature.name] = featureOf(feature, columns, times, recipe.timezone).map(finite);
  return times.map((ts, i) => ({
    ts,
    ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]!])),
  }));
}
