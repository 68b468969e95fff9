import { together } from '../../../domain/maths/effects/applied.js';
import { clockAt } from '../../../domain/local-time.js';
import type { Feature, Recipe, Transform } from '../../../domain/segments/recipe.js';
import type { Known, Point, Row } from './given.js';

// A table made the slow and plain way, all of it at once, for one target.

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

const TRANSFORMED: Readonly<Record<Transform, (value: number, before: number) => number>> = {
  none: value => value,
  log: Math.log,
  log1p: Math.log1p,
  asinh: Math.asinh,
  diff: (value, before) => value - before,
  pct_change: (value, before) => value / before - 1,
};
const transformed = (values: Values, how: Transform): Values =>
  values.map((value, i) => finite(TRANSFORMED[how](value ?? NaN, values[i - 1] ?? NaN)));

const QUARTER = 900_000;

/** Beginnings of steps from the one that a time lies in to the first after another. */
function beginnings({ step_s: seconds, timezone }: Recipe, from: number, to: number): number[] {
  const days = seconds / 86_400;
  const isOfDays = Number.isInteger(days);
  // Steps of days are told by the dates that clocks show each quarter of an hour
  const numberAt = (time: number): number =>
    isOfDays
      ? Math.floor((Math.floor(clockAt(time, timezone) / 86_400_000) - 4) / days)
      : Math.floor((time - 4 * 86_400_000) / (seconds * 1_000));
  const look = isOfDays ? QUARTER : seconds * 1_000;
  let at = Math.floor(from / look) * look;
  for (const first = numberAt(at); numberAt(at - look) === first; ) at -= look;
  const edges = [at];
  for (let number = numberAt(at); edges.at(-1)! <= to; at += look)
    if (numberAt(at) !== number) {
      edges.push(at);
      number = numberAt(at);
    }
  return edges;
}

/** What the events of a stream do in each row, by the curve of the largest lift. */
function answered(recipe: Recipe, known: Known, stream: string, edges: readonly number[]): Values {
  const { response, weighing } = known.responses!.toSorted((a, b) => b.lift! - a.lift!)[0]!;
  const reach = response.offsets.at(-1)! + response.stepS;
  const events = known
    .events![stream]!.filter(({ time }) => time < (recipe.to ?? Infinity))
    .filter(({ time }) => time > edges[0]! - 2 * reach * 1_000 && time < edges.at(-1)!)
    .map(({ time, value }) => {
      const weight = weighing!.by === 'none' || Number.isNaN(value) ? 1 : value / weighing!.mean;
      const start = edges.findLast(edge => edge <= time) ?? beginnings(recipe, time, time)[0]!;
      return { start, weight: Math.max(-3, Math.min(3, weight)) };
    });
  return edges.slice(0, -1).map(edge => {
    const acting = events.flatMap(({ start, weight }) => {
      const offset = (edge - start) / 1_000;
      return offset < 0 || offset >= reach ? [] : [{ response, weight, at: start }];
    });
    return together(acting, [edge])[0]!;
  });
}

export function naiveTable(recipe: Recipe, known: Known, season: number): Row[] {
  const inWindow = (point: Point): boolean =>
    point.time >= (recipe.from ?? -Infinity) && point.time < (recipe.to ?? Infinity);
  const target = known.signals[recipe.target]!.filter(inWindow);
  const ahead = recipe.inputs
    .filter(({ role }) => role === 'known_future')
    .map(({ key, lag_s }) => known.signals[key]!.filter(inWindow).at(-1)!.time + lag_s * 1_000);
  const last = target.at(-1)!.time;
  const edges = beginnings(
    recipe,
    target[0]!.time,
    Math.max(last, ahead.length > 0 ? Math.min(...ahead) : last),
  );
  const times = edges.slice(0, -1);
  const past = edges.findIndex(edge => edge > last);
  const stepOf = (time: number): number =>
    time < edges[0]! ? -1 : edges.findIndex((edge, i) => time >= edge && time < (edges[i + 1] ?? -Infinity));
  const onSteps = (key: string, lag: number, end: number): Values => {
    const steps = times.map((): number[] => []);
    for (const point of known.signals[key]!.filter(inWindow))
      if (point.time < end) steps[stepOf(point.time + lag)]?.push(point.value);
    return steps.map(values => finite(aggregate(recipe.aggregate, values)));
  };
  const columns: Record<string, Values> = { [recipe.target]: onSteps(recipe.target, 0, edges[past]!) };
  for (const { key, lag_s: lag, role, transform } of recipe.inputs) {
    const end = role === 'known_future' ? Infinity : edges[past]!;
    columns[key] = transformed(filled(onSteps(key, lag * 1_000, end), recipe.fill, season), transform);
  }
  for (const { stream, encoding, half_life_s: half } of recipe.event_streams) {
    const events = known.events?.[stream] ?? [];
    if (encoding === 'response_curve') {
      columns[`${stream}:${encoding}`] = answered(recipe, known, stream, edges);
      continue;
    }
    columns[`${stream}:${encoding}`] = times.map((time, i) => {
      const end = edges[i + 1]!;
      const inside = events.filter(event => inWindow(event) && event.time >= time && event.time < end);
      if (encoding === 'count') return inside.length;
      if (encoding === 'value') return inside.reduce((sum, { value }) => sum + (value || 0), 0);
      const before = events.filter(event => event.time < Math.min(end, recipe.to ?? Infinity));
      return before.reduce((sum, event) => sum + 2 ** (-(end - event.time) / (half * 1_000)), 0);
    });
  }
  for (const feature of recipe.features)
    columns[feature.name] = featureOf(feature, columns, times, recipe.timezone).map(finite);
  return times.map((ts, i) => ({
    ts,
    ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]!])),
  }));
}
