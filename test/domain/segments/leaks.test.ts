import * as assert from 'uvu/assert';
import { kinds } from '../../../domain/segments/features/kinds.js';
import type { Feature, Recipe } from '../../../domain/segments/recipe.js';
import { FILL_METHODS } from '../../../domain/segments/recipe.js';
import { randomOf, seedFrom, type Random } from '../../random.js';
import { suite } from '../../suite.js';
import { everyKindOf } from './every-kind.js';
import { built, input, recipeOf, sourcesOf, type Known, type Point, type Row } from './given.js';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);
const STEPS = 200;
const COLUMNS = ['y', 'x', 'plan', 'news:decay', 'news:response_curve'];
const RESPONSE = { stepS: 3_600, offsets: [0, 3_600, 14_400], effects: [1, 4, 2] };
const BY_VALUE = { by: 'value', mean: 5 } as const;

const points = (random: Random, steps = STEPS): Point[] =>
  Array.from({ length: steps }, (_, i) => ({
    time: START + i * HOUR + 60_000 * random.below(60),
    value: random.next() * 10,
  })).filter((_, i) => i === 0 || i === steps - 1 || random.chance(0.85));

const known = (random: Random): Known => ({
  signals: {
    y: points(random),
    x: points(random),
    plan: points(random, STEPS + 20),
    size: [{ time: START, value: 7 }],
  },
  events: { news: points(random) },
  responses: [{ stream: 'news', target: 'y', response: RESPONSE, weighing: BY_VALUE }],
  holidays: { DE: [19_723, 19_725] },
});

const features: readonly Feature[] = everyKindOf(COLUMNS);

const recipe = (method: Recipe['fill']['method'], plan: 'past' | 'known_future'): Recipe =>
  recipeOf({
    step_s: 3_600,
    inputs: [
      input('x', { lag_s: 5_400, transform: 'pct_change' }),
      input('plan', { role: plan, transform: 'diff' }),
      input('size', { role: 'static' }),
    ],
    event_streams: (['count', 'value', 'decay', 'response_curve'] as const).map(encoding => ({
      stream: 'news',
      encoding,
      half_life_s: 7_200,
    })),
    fill: { method, max_gap_steps: 3 },
    features,
  });

const until = (rows: readonly Row[], time: number): readonly Row[] =>
  rows.filter(({ ts }) => (ts as number) + HOUR <= time);
/** Of some signals and streams, what lies after a time. */
function poisoned(
  { signals, events, ...rest }: Known,
  names: readonly string[],
  after: (point: Point) => Point[],
): Known {
  const change = (all: Readonly<Record<string, readonly Point[]>>): Record<string, Point[]> =>
    Object.fromEntries(
      Object.entries(all).map(([name, own]) => [name, names.includes(name) ? own.flatMap(after) : [...own]]),
    );
  return { signals: change(signals), events: change(events!), ...rest };
}

suite('nothing of the future is in a row', test => {
  const random = randomOf(seedFrom('LEAKS_SEED'));

  test('each kind of feature is looked at', () => {
    const looked = new Set<string>(features.map(({ kind }) => kind));
    assert.equal(
      Object.keys(kinds).filter(kind => !looked.has(kind)),
      [],
    );
  });

  for (const method of FILL_METHODS.filter(each => each !== 'linear'))
    test(`other values after a time change no row before it (fill: ${method})`, async () => {
      for (let round = 0; round < 5; round++) {
        const [own, time] = [known(random), START + HOUR * (5 + random.below(STEPS - 10))];
        const before = await built(recipe(method, 'past'), sourcesOf(own));
        const wild = (point: Point): Point[] => [
          point.time < time ? point : { ...point, value: 1e6 * random.next() },
        ];
        const after = await built(
          recipe(method, 'past'),
          sourcesOf(poisoned(own, ['y', 'x', 'plan', 'size', 'news'], wild)),
        );
        assert.equal(until(after.rows, time), until(before.rows, time));
        assert.not.equal(after.rows, before.rows);
      }
    });

  for (const method of ['none', 'ffill'] as const)
    test(`points that come or go after a time change no row before it (fill: ${method})`, async () => {
      for (let round = 0; round < 5; round++) {
        const [own, time] = [known(random), START + HOUR * (5 + random.below(STEPS - 10))];
        const before = await built(recipe(method, 'past'), sourcesOf(own));
        const thinned = (point: Point): Point[] => (point.time < time || random.chance(0.5) ? [point] : []);
        const after = await built(
          recipe(method, 'past'),
          sourcesOf(poisoned(own, ['y', 'x', 'plan', 'size', 'news'], thinned)),
        );
        const rows = until(after.rows, time);
        assert.equal(rows, until(before.rows, time).slice(0, rows.length));
      }
    });

  test('what is known ahead changes its own column alone, and what is made of it', async () => {
    const [own, time] = [known(random), START + 100 * HOUR];
    const wild = (point: Point): Point[] => [point.time < time ? point : { ...point, value: 1e6 }];
    const before = await built(recipe('none', 'known_future'), sourcesOf(own));
    const after = await built(recipe('none', 'known_future'), sourcesOf(poisoned(own, ['plan'], wild)));
    const made = ['plan', ...features.map(({ name }) => name).filter(name => name.endsWith('2'))];
    const others = (rows: readonly Row[]): Row[] =>
      rows.map(row => Object.fromEntries(Object.entries(row).filter(([name]) => !made.includes(name))));
    assert.equal(others(after.rows), others(before.rows));
  });

  test('a line to the value after a hole is told as a leak', async () => {
    const { quality } = await built(recipe('linear', 'past'), sourcesOf(known(random)));
    const columns = (what: string) =>
      quality.leakage_warnings.filter(({ reason }) => reason.includes(what)).map(({ column }) => column);
    assert.equal(columns('on a line'), ['plan', 'x']);
    assert.equal(columns('its curve was measured'), ['news:response_curve', 'answer']);
  });

  test('what was recorded later is as if it were not there', async () => {
    const [own, moment] = [known(random), START + 10_000 * HOUR];
    const late = (point: Point): Point[] => [
      { ...point, recorded: random.chance(0.7) ? moment : moment + 1 },
    ];
    const [response] = own.responses!;
    const other = { ...RESPONSE, effects: [-9, 3, 1e6] };
    const mixed = {
      ...poisoned(own, ['y', 'x', 'plan', 'news'], late),
      responses: [
        { ...response!, recorded: moment },
        { ...response!, recorded: moment + 1, response: other },
        { ...response!, recorded: moment + 1, edgeId: 'edg_2', lift: 0.9, response: other },
      ],
    };
    const kept = {
      ...poisoned(mixed, ['y', 'x', 'plan', 'news'], point => (point.recorded! <= moment ? [point] : [])),
      responses: [response!],
    };
    const onlyNewer = { ...mixed, events: kept.events!, signals: kept.signals };
    const newer = await built(recipe('none', 'past'), sourcesOf(onlyNewer));
    const older = await built(recipe('none', 'past'), sourcesOf(kept));
    assert.not.equal(newer.rows, older.rows, 'a curve that is known now tells otherwise');
    for (const method of FILL_METHODS) {
      const then = await built(recipe(method, 'known_future'), sourcesOf(mixed, moment));
      const expected = await built(recipe(method, 'known_future'), sourcesOf(kept));
      assert.equal(then.rows, expected.rows);
      assert.is(then.table_hash, expected.table_hash);
      assert.not.equal(
        then.table_hash,
        (await built(recipe(method, 'known_future'), sourcesOf(mixed))).table_hash,
      );
    }
  });
});
