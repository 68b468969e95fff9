import * as assert from 'uvu/assert';
import type { Known, Measured, Point, Row } from './given.js';
import type { Checkpoint } from '../../../domain/segments/ports.js';
import type { Feature, Recipe } from '../../../domain/segments/recipe.js';
import {
  AGGREGATES,
  CALENDAR_PARTS,
  FILL_METHODS,
  ROLLING_FUNCTIONS,
  TRANSFORMS,
} from '../../../domain/segments/recipe.js';
import { randomOf, seedFrom, type Random } from '../../random.js';
import { suite } from '../../suite.js';
import { ALIKE, built, feature, input, recipeOf, sourcesOf } from './given.js';
import { EXPRESSIONS, naiveTable } from './naive.js';

const MINUTE = 60_000;
const START = Date.UTC(2024, 2, 28);
/** Lengths of steps, after how many of them things repeat, and how many hours make some of them. */
const LENGTHS = [
  { step_s: 3_600, season: 24, hours: 300 },
  { step_s: 86_400, season: 7, hours: 1_500 },
  { step_s: 3 * 86_400, season: 122, hours: 1_500 },
  { step_s: 7 * 86_400, season: 52, hours: 2_000 },
];
const HOURLY = LENGTHS[0]!;
const HOUR = 60 * MINUTE;

/** Points here and there in hourly steps, several in some and none in others; holes of all lengths. */
function signal(random: Random, steps: number): Point[] {
  const points: Point[] = [];
  for (let step = random.below(20); step < steps; step++) {
    if (random.chance(0.05)) step += random.below(12);
    const count = random.chance(0.2) ? 1 + random.below(3) : 1;
    for (let i = 0; i < count; i++)
      points.push({
        time: START + step * HOUR + i * 10 * MINUTE,
        // Eighths above 0: their sums are exact, and what is divided by them does not hang on rounding
        value: (1 + random.below(2_000)) / 8,
      });
  }
  return points;
}

function features(random: Random): Feature[] {
  const column = (): string => random.pick(['y', 'x', 'news:count']);
  const steps = (): number => 1 + random.below(random.chance(0.2) ? 200 : 9);
  return [
    feature('lag', 'lag', { column: column(), steps: steps() }),
    feature('diff', 'diff', { column: 'lag', steps: steps() }),
    ...ROLLING_FUNCTIONS.map(fn =>
      feature(`rolling ${fn}`, 'rolling', { column: column(), window: 2 + random.below(40), fn }),
    ),
    feature('ewm', 'ewm', { column: column(), alpha: 0.01 + 0.99 * random.next() }),
    ...CALENDAR_PARTS.map(part => feature(part, 'calendar', { part })),
    feature('ratio', 'ratio', { numerator: column(), denominator: column() }),
    feature('product', 'interaction', { columns: ['y', 'rolling mean'] }),
    ...Object.keys(EXPRESSIONS).map((expression, i) => feature(`e${i}`, 'expression', { expression })),
  ];
}

const recipe = (random: Random, step_s = HOURLY.step_s): Recipe =>
  recipeOf({
    step_s,
    timezone: random.pick(['UTC', 'Europe/Berlin', 'America/New_York']),
    inputs: [
      input('x', {
        lag_s: random.pick([0, 3_600, 9_000]),
        role: random.pick(['past', 'known_future']),
        transform: random.pick(TRANSFORMS),
      }),
    ],
    event_streams: (['count', 'decay', 'value', 'response_curve'] as const).map(encoding => ({
      stream: 'news',
      encoding,
      half_life_s: 20_000,
    })),
    fill: { method: random.pick(FILL_METHODS), max_gap_steps: 1 + random.below(10) },
    aggregate: random.pick(AGGREGATES),
    from: random.chance(0.3) ? START + 30 * HOUR : null,
    to: random.chance(0.3) ? START + 200 * HOUR + 1 : null,
    features: features(random),
  });

/** The curve of one of several edges: those of other steps, or of less lift, are not taken. */
const responses = (random: Random): Measured[] => {
  const offsets = [0, 3_600, 7_200, 5 * 3_600, 30 * 3_600].slice(random.below(2));
  const response = { stepS: 3_600, offsets, effects: offsets.map(() => 5 * random.next() - 2) };
  const weighing = random.pick([ALIKE, { by: 'value', mean: 100 } as const]);
  const other = { ...response, effects: offsets.map(() => 1e6) };
  return [
    { stream: 'news', target: 'y', edgeId: 'a', stepS: 1, lift: 0.3, response: other },
    { stream: 'news', target: 'y', edgeId: 'b', stepS: 1, lift: 0.5, response, weighing },
  ];
};
const knownOf = (random: Random, steps: number): Known => ({
  responses: responses(random),
  signals: { y: signal(random, steps), x: signal(random, steps) },
  events: {
    news: signal(random, steps).map(point => ({ ...point, value: random.chance(0.3) ? NaN : point.value })),
  },
});

function assertSame(rows: readonly Row[], expected: readonly Row[]): void {
  assert.is(rows.length, expected.length);
  rows.forEach((row, i) => {
    for (const [name, value] of Object.entries(expected[i]!)) {
      const got = row[name];
      if (typeof value !== 'number' || typeof got !== 'number') assert.is(got, value, `${name} of row ${i}`);
      else
        assert.ok(
          Math.abs(got - value) <= 1e-11 * Math.max(1, Math.abs(value)),
          `${name} of row ${i}: ${got}, not ${value}`,
        );
    }
  });
}

suite('tables of segments, whatever the recipe', test => {
  const random = randomOf(seedFrom('SEGMENTS_SEED'));

  test('a table is what the slow and plain way makes', async () => {
    for (let round = 0; round < 40; round++) {
      const { step_s, season, hours } = random.pick(LENGTHS);
      const [own, known] = [recipe(random, step_s), knownOf(random, hours)];
      const table = await built(own, sourcesOf(known, Infinity, 1 + random.below(50)));
      assertSame(table.rows, naiveTable(own, known, season));
    }
  });

  test('a table of several blocks, too', async () => {
    const [own, known] = [{ ...recipe(random), to: null }, knownOf(random, 5_000)];
    const table = await built(own, sourcesOf(known, Infinity, 1_000));
    assertSame(table.rows, naiveTable(own, known, HOURLY.season));
    assert.is(table.checkpoints.length, 1);
  });

  test('a build that goes on from a checkpoint has the bits of one from nothing', async () => {
    for (let round = 0; round < 3; round++) {
      const own = { ...recipe(random), to: null };
      const known = knownOf(random, 12_000);
      const before = await built(own, sourcesOf(known, Infinity, 1_000));
      const checkpoint = random.pick(before.checkpoints);
      const changed = changedAfter(random, known, checkpoint.readTo);
      const whole = await built(own, sourcesOf(changed, Infinity, 1_000));
      const rest = await built(own, sourcesOf(changed, Infinity, 77), before.checkpoints);
      assert.is(rest.from.row, checkpoint.row);
      assert.equal(rest.rows, whole.rows.slice(checkpoint.row));
      assert.is(rest.table_hash, whole.table_hash);
      assert.equal(rest.quality, whole.quality);
      assert.equal(rest.columns, whole.columns);
    }
  });
});

suite('tables of segments, whatever happens between builds', test => {
  const random = randomOf(seedFrom('SEGMENTS_SEED'));

  test('builds that go on from one another have the bits of those from nothing', async () => {
    for (let round = 0; round < 3; round++) {
      const own = { ...recipe(random), to: null, features: features(random).slice(0, 8) };
      let known = knownOf(random, 10_000);
      let checkpoints: readonly Checkpoint[] = [];
      for (let build = 0; build < 5; build++) {
        const whole = await built(own, sourcesOf(known, Infinity, 1_000));
        const again = await built(own, sourcesOf(known, Infinity, 300), checkpoints);
        assert.is(again.table_hash, whole.table_hash);
        assert.equal(again.rows, whole.rows.slice(again.from.row));
        assert.equal([again.quality, again.columns], [whole.quality, whole.columns]);
        checkpoints = [...checkpoints.filter(({ block }) => block <= again.from.block), ...again.checkpoints];
        known = changedOnce(random, known);
      }
    }
  });
});

/** One point or event is another, gone or new, anywhere in a table; or a curve is; or nothing is. */
function changedOnce(random: Random, { signals, events, ...rest }: Known): Known {
  const changed = (points: readonly Point[]): Point[] => {
    const place = random.below(points.length);
    const value = (1 + random.below(2_000)) / 8;
    const one = random.pick(['revised', 'gone', 'added', 'later']);
    if (one === 'revised') return points.toSpliced(place, 1, { ...points[place]!, value });
    if (one === 'gone') return points.toSpliced(place, 1);
    if (one === 'added') return [...points, { time: points[place]!.time + 1, value }];
    return [...points, { time: points.at(-1)!.time + HOUR, value }];
  };
  switch (random.below(5)) {
    case 0:
      return { ...rest, signals: { ...signals, y: changed(signals['y']!) }, events: events! };
    case 1:
      return { ...rest, signals: { ...signals, x: changed(signals['x']!) }, events: events! };
    case 2:
      return { ...rest, signals, events: { news: changed(events!['news']!) } };
    case 3:
      return { signals, events: events!, responses: responses(random) };
    default:
      return { ...rest, signals, events: events! };
  }
}

/** Some points revised, some gone, and a day more of all. */
function changedAfter(random: Random, { signals, events, ...rest }: Known, time: number): Known {
  const changed = (points: readonly Point[]): Point[] => {
    const kept = points.filter(point => point.time < time || random.chance(0.9));
    const last = points.at(-1)!.time;
    const more = Array.from({ length: 24 }, (_, i) => ({
      time: last + (i + 1) * HOUR,
      value: random.next(),
    }));
    return [
      ...kept.map(point =>
        point.time < time || random.chance(0.5) ? point : { ...point, value: random.next() },
      ),
      ...more,
    ];
  };
  const each = (all: Readonly<Record<string, readonly Point[]>>): Record<string, Point[]> =>
    Object.fromEntries(Object.entries(all).map(([key, points]) => [key, changed(points)]));
  return { ...rest, signals: each(signals), events: each(events!) };
}
