import * as assert from 'uvu/assert';
import { analyseRelevance } from '../../../../domain/maths/relevance/analysis.js';
import type { Candidate, RelevanceInput, RelevanceRow } from '../../../../domain/maths/relevance/answer.js';
import { DAY } from '../../../../domain/time.js';
import { randomOf } from '../../../random.js';
import { gasoline, harbour, houses, webSales } from '../series/extracts.js';
import { near } from '../series/some.js';
import { suite } from '../../../suite.js';
import { column, drivenBy, rare, regressive, seasonal, trending, white } from './made.js';

const signal = (key: string, values: Float64Array): Candidate => ({ key, type: 'signal', values });
const asked = (
  target: Float64Array,
  candidates: readonly Candidate[],
  changes: Partial<RelevanceInput> = {},
) => analyseRelevance({ target, candidates, step: DAY, horizon: 1, season: null, ...changes });
const days = ({ lag_s }: RelevanceRow): number => (lag_s! * 1000) / DAY;

suite('relevance, against numpy 2.4.6', test => {
  const pump = Float64Array.from(gasoline.values);
  const port = Float64Array.from(harbour.values);
  const starts = Float64Array.from(houses.values);
  const sales = Float64Array.from(webSales.values);
  // test/domain/maths/relevance/reference.py, a second implementation, printed these
  const baselines: [string, Float64Array, number, number | null, number][] = [
    ['gasoline', pump, 1, null, 0.16865320542577672],
    ['gasoline, 3 months ahead', pump, 3, null, 0.509544205793645],
    ['houses', starts, 1, 12, 11.229139287407142],
    ['houses, 14 months ahead', starts, 14, 12, 37.182126035699405],
    ['houses of 70 months, 2 ahead', starts.slice(0, 70), 2, 12, 12.880314645221606],
    ['sales on the web', sales, 1, 4, 2948.033790459655],
  ];
  for (const [what, target, horizon, season, expected] of baselines) {
    test(`error of the baseline: ${what}`, () => {
      const { baseline_error: error } = asked(target, [], { horizon, season });
      assert.ok(near(error!, expected, 1e-9), `${error}`);
    });
  }

  const foreseen = column(120, t => starts[(t + 1) % 120]! + 10 * Math.sin(t ** 2));
  const far = column(120, t => starts[(t + 6) % 120]! + 10 * Math.sin(t ** 2));
  const lifts: [string, Float64Array, Float64Array, number, number | null, number, number, boolean][] = [
    [
      'the price in the harbour leads that at the pump',
      pump,
      port,
      1,
      null,
      0.23211082162772767,
      0.3187027020801133,
      true,
    ],
    ['but does not tell two months ahead', pump, port, 2, null, -0.05263429498957123, 0, false],
    ['next month known roughly', starts, foreseen, 1, 12, 0.3604557154378497, 0.4929933608643091, true],
    ['half a year ahead', starts, far, 6, 12, 0.2394388596538685, 0.2554758519222049, false],
  ];
  for (const [what, target, key, horizon, season, lift, relevance, stable] of lifts) {
    test(`lift: ${what}`, () => {
      const [row] = asked(target, [signal('key', key)], { horizon, season }).rows;
      assert.ok(near(row!.lift, lift, 1e-9), `lift ${row!.lift}`);
      assert.ok(near(row!.relevance, relevance, 1e-9), `relevance ${row!.relevance}`);
      assert.equal([row!.stable, days(row!), row!.method, row!.n], [stable, horizon, 'level', 120]);
    });
  }
  test('and not the other way round', () => {
    const [row] = asked(port, [signal('pump', pump)]).rows;
    assert.is(row!.relevance, 0);
  });
});

suite('relevance of planted drivers', test => {
  const random = randomOf(11);
  const others = (length: number) =>
    ['n1', 'n2', 'n3', 'n4'].map(key => signal(key, regressive(0.8)(length, random)));
  for (const lag of [1, 3, 7, 20]) {
    test(`a driver ${lag} days before is first, at its lag`, () => {
      const x = regressive(0.8)(300, random);
      const { rows } = asked(drivenBy(x, lag, 0.7, random), [...others(300), signal('x', x)]);
      assert.is(rows[0]!.key, 'x');
      assert.equal([days(rows[0]!), rows[0]!.method, rows[0]!.stable], [lag, 'level', true]);
      assert.ok(rows[0]!.relevance > 0.2);
      for (const { key, relevance } of rows.slice(1)) assert.ok(relevance < 0.05, `${key} ${relevance}`);
    });
  }
  test('one that counts by its change, among random walks', () => {
    const walk = regressive(1);
    const x = walk(300, random);
    const changes = column(300, t => x[t]! - (x[t - 1] ?? 0));
    const { rows } = asked(drivenBy(changes, 2, 0.8, random), [
      signal('n', walk(300, random)),
      signal('x', x),
    ]);
    assert.equal([rows[0]!.key, days(rows[0]!), rows[0]!.method, rows[0]!.stable], ['x', 2, 'change', true]);
    assert.ok(rows[0]!.relevance > 0.2 && rows[1]!.relevance < 0.05);
  });
  test('an event stream that moves the target', () => {
    const events = rare(400, random);
    const quiet = rare(400, random);
    const { rows } = asked(drivenBy(events, 2, 3, random), [
      { key: 'quiet', type: 'event', values: quiet },
      ...others(400),
      { key: 'loud', type: 'event', values: events },
    ]);
    assert.equal([rows[0]!.key, rows[0]!.type, days(rows[0]!), rows[0]!.stable], ['loud', 'event', 2, true]);
    assert.ok(rows[0]!.relevance > 0.05);
    assert.is(rows.find(({ key }) => key === 'quiet')!.relevance, 0);
  });
  test('under a season that both know', () => {
    const x = regressive(0.5)(240, random);
    const y = drivenBy(x, 3, 1, random);
    const waved = (values: Float64Array, from: number) =>
      values.map((value, t) => value + 5 * Math.sin((2 * Math.PI * (t + from)) / 12));
    const { rows } = asked(waved(y, 0), [signal('x', waved(x, 4))], { season: 12 });
    assert.is(days(rows[0]!), 3);
    assert.ok(rows[0]!.relevance > 0.2);
  });
  test('two strengths are ranked by strength, and both found', () => {
    const a = white(500, random);
    const b = white(500, random);
    const both = drivenBy(a, 2, 1, random);
    const more = drivenBy(b, 4, 0.5, random);
    const { rows } = asked(
      both.map((value, t) => value + more[t]!),
      [signal('b', b), signal('a', a)],
    );
    assert.equal(
      rows.map(row => [row.key, days(row)]),
      [
        ['a', 2],
        ['b', 4],
      ],
    );
    assert.ok(rows[1]!.relevance > 0.02);
  });
  test('what reaches the target sooner than the horizon does not help', () => {
    const x = white(300, random);
    const y = drivenBy(x, 2, 2, random);
    assert.ok(asked(y, [signal('x', x)], { horizon: 2 }).rows[0]!.relevance > 0.5);
    assert.is(asked(y, [signal('x', x)], { horizon: 6 }).rows[0]!.relevance, 0);
  });
  test('what moves in the same step, but not before, tells nothing; nor does the target itself', () => {
    const shocks = white(300, random);
    const y = drivenBy(shocks, 0, 5, random);
    const { rows } = asked(y, [signal('shocks', shocks), signal('itself', y)]);
    assert.equal(
      rows.map(({ relevance }) => relevance),
      [0, 0],
    );
  });
});

suite('relevance of noise', test => {
  const kinds = {
    white,
    trending,
    seasonal,
    autoregressive: regressive(0.8),
    'random walks': regressive(1),
    'walks with drift': regressive(1, 0.3),
  };
  for (const [kind, make] of Object.entries(kinds)) {
    test(`${kind}: at most 4 of 100 unrelated pairs are above 0, at most 2 above 0.05`, () => {
      const random = randomOf(5);
      const season = make === seasonal ? 12 : null;
      const found: number[] = [];
      for (let i = 0; i < 100; i++) {
        const length = [60, 120, 240][i % 3]!;
        const horizon = i % 2 ? 8 : 1;
        const { rows } = asked(make(length, random), [signal('x', make(length, random))], {
          horizon,
          season,
        });
        if (rows[0]!.relevance > 0) found.push(rows[0]!.relevance);
      }
      assert.ok(found.length <= 4 && found.filter(relevance => relevance > 0.05).length <= 2, `${found}`);
    });
  }
});
