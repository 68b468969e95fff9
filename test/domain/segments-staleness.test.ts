import * as assert from 'uvu/assert';
import type { Change, ResponseChange, SegmentCommand } from '../../domain/segments/commands.js';
import { segments } from '../../domain/segments/decider.js';
import type { KeptRecipe, SegmentFact } from '../../domain/segments/facts.js';
import { changedRows, type Span } from '../../domain/segments/reach.js';
import { fold } from '../../domain/decider.js';
import { given, stored } from '../spec.js';
import { suite } from '../suite.js';
import {
  built,
  created,
  failed,
  hour,
  id,
  input,
  lag,
  of,
  recipe,
  rebuildRequested,
  started,
} from './segments-given.js';

/** Facts of the past stand at the positions 0, 1, 2; changes come after, or where it is said. */
const ready = [created(), started(), built()];
const points = (from: number, to: number, upTo = 10): Change => ({
  read: { kind: 'signal', key: 'orders' },
  times: { from: hour(from), to: hour(to) },
  ...{ entity: null, upTo },
});
const mark = (changes: readonly Change[], at = 1_000): SegmentCommand => ({
  type: 'MarkStale',
  data: { ...of, changes, at },
});
const stale = (from: number, to: number, upTo = 10, changedRows = to - from): SegmentFact => ({
  type: 'SegmentWentStale',
  data: { segmentId: id, from: hour(from), to: hour(to), entity: null, upTo, changedRows },
});

suite('segments that go stale', test => {
  test('many changes are one fact, which says how many rows they change', () => {
    given(segments, ...ready)
      .when(mark([points(100, 100), points(101, 104), points(90, 91, 9)]))
      .then(stale(90, 105));
  });

  test('what is told already is not told again, more is', () => {
    given(segments, ...ready, stale(90, 105))
      .when(mark([points(95, 99, 11)]))
      .thenNothing();
    given(segments, ...ready, stale(90, 105))
      .when(mark([points(95, 109, 11)]))
      .then(stale(90, 110, 11));
  });

  test('after ten at once further ones wait, longer each time', () => {
    const many = Array.from({ length: 11 }, (_, i) => stale(100, 101 + i));
    given(segments, ...ready, ...many)
      .when(mark([points(100, 150, 20)], 13 + 1_999))
      .thenNothing();
    given(segments, ...ready, ...many)
      .when(mark([points(100, 150, 20)], 13 + 2_000))
      .then(stale(100, 151, 20));
  });

  test('what the build has read, or the next one reads, makes nothing stale', () => {
    given(segments, ...ready)
      .when(mark([points(1, 2, 1)]))
      .thenNothing();
    given(segments, ...ready, rebuildRequested(2))
      .when(mark([points(1, 2)]))
      .thenNothing();
    given(segments, created(), started(), failed)
      .when(mark([points(1, 2)]))
      .thenNothing();
    given(segments, created())
      .when(mark([points(1, 2)]))
      .thenNothing();
  });

  test('what changes while a table is built makes it stale when it is there', () => {
    const past = [...ready, rebuildRequested(2), started({ build: 2 })];
    given(segments, ...past)
      .when(mark([points(1, 2)]))
      .then(stale(1, 3));
    const told = fold(segments, segments.initialState, stored(...past, stale(1, 3), built({}, 2)));
    assert.is(told.status, 'stale');
  });
});

const event_streams = [{ stream: 'news', encoding: 'response_curve', half_life_s: 60 }] as const;
const by = (weighedBy: 'none' | 'importance') => ({
  ...{ stream: 'news', entity: null, edgeId: 'edg_1', goalId: 'goa_1', checkId: 'dis_1', checkedAt: 0 },
  weighedBy,
});
const answered = (weighedBy: 'none' | 'importance' = 'none'): SegmentFact[] => [
  created({ event_streams }),
  started(),
  built({ responses: [by(weighedBy)] }),
];
const response = (why: ResponseChange, { key = 'news', upTo = 10 } = {}): Change => ({
  read: { kind: 'response', key },
  ...{ times: null, entity: null, upTo, by: why },
});
const edge = (of: Partial<Extract<ResponseChange, { what: 'edge' }>>): ResponseChange => ({
  ...{ what: 'edge', edgeId: 'edg_1', goalId: 'goa_1', target: null },
  ...of,
});
const isStale = (past: readonly SegmentFact[], change: Change): boolean =>
  segments.decide(mark([change]), fold(segments, segments.initialState, stored(...past))).length > 0;

suite('segments whose responses are others', test => {
  test('the edge that was used is another, is gone, or its goal is', () => {
    given(segments, ...answered())
      .when(mark([response(edge({}))]))
      .then(stale(0, 100));
    assert.ok(isStale(answered(), response(edge({ edgeId: null }))), 'the goal is gone');
    assert.not(isStale(answered(), response(edge({ edgeId: 'edg_2' }))), 'another that acts on nothing');
    assert.not(isStale(answered(), response(edge({ edgeId: null, goalId: 'goa_2' }))), 'another goal');
  });

  test('another edge that acts on its target, and on no other', () => {
    const on = (target: string) => response(edge({ edgeId: 'edg_2', goalId: 'goa_2', target }));
    assert.ok(isStale(answered(), on('orders')));
    assert.not(isStale(answered(), on('visits')));
    const entities = [created({ event_streams, entity_mode: 'per_entity' }), started(), built()];
    assert.ok(isStale(entities, on('orders__berlin')));
    assert.not(isStale(entities, on('orders')));
  });

  test('scores, where events are weighed by them', () => {
    assert.ok(isStale(answered('importance'), response({ what: 'scores' })));
    assert.not(isStale(answered('none'), response({ what: 'scores' })));
  });

  test('not where no column hangs on the stream, and always while a table is built', () => {
    assert.not(isStale(answered(), response(edge({}), { key: 'others' })));
    assert.not(isStale(ready, response(edge({ target: 'orders' }))));
    const building = [...answered(), rebuildRequested(2), started({ build: 2 })];
    assert.ok(isStale(building, response(edge({ edgeId: 'edg_2' }))));
    assert.not(isStale(building, response(edge({ edgeId: 'edg_2' }), { upTo: 4 })), 'it reads that');
  });
});

const table: Span = { from: hour(0), to: hour(100) };
const over = (i: number, j: number): Span => ({ from: hour(i), to: hour(j) });
const of1 = (
  kept: Partial<KeptRecipe>,
  key: string,
  i: number,
  j = i,
  kind: 'signal' | 'stream' | 'response' = 'signal',
) => changedRows(recipe(kept), { kind, key }, { from: hour(i) + 7, to: hour(j) + 7 }, table);

suite('rows that a change may touch', test => {
  const inputs = [input('a')];
  test('the row of the point, alone', () => {
    assert.equal(of1({}, 'orders', 5), over(5, 6));
    assert.equal(of1({ inputs }, 'a', 5, 7), over(5, 8));
    assert.is(of1({}, 'others', 5), null);
  });

  test('months are as long as the calendar has them', () => {
    const day = (month: number, date = 1): number => Date.UTC(2026, month, date);
    const span = { from: day(0), to: day(12), steps: 12 };
    const fill = { method: 'zero', max_gap_steps: 1 } as const;
    const kept = { step_s: 2_629_746, step_months: 1, inputs, fill };
    const touched = (key: string, at: number) =>
      changedRows(recipe(kept), { kind: 'signal', key }, { from: at, to: at }, span);
    assert.equal(touched('orders', day(6, 20)), { from: day(6), to: day(7) });
    assert.equal(touched('a', day(7, 1))!.from, day(6));
    assert.is(touched('a', day(6, 20))!.from, day(4), 'one more where the months before are short');
    const isStale: SegmentFact = {
      type: 'SegmentWentStale',
      data: { segmentId: id, from: day(6), to: day(8), entity: null, upTo: 10, changedRows: 2 },
    };
    const times = { from: day(6, 20), to: day(7, 20) };
    given(segments, created({ step_s: 2_629_746, step_months: 1 }), started(), built({ span }))
      .when(mark([{ read: { kind: 'signal', key: 'orders' }, times, entity: null, upTo: 10 }]))
      .then(isStale);
  });

  test('months far ahead are counted, not walked', () => {
    const { formatToParts } = Intl.DateTimeFormat.prototype;
    let asked = 0;
    Intl.DateTimeFormat.prototype.formatToParts = function (at) {
      asked++;
      return formatToParts.call(this, at);
    };
    try {
      const from = Date.parse('2025-12-31T23:00:00Z');
      const to = Date.parse('9999-12-01T12:00:00Z');
      const span = { from, to: Date.parse('2026-12-31T23:00:00Z'), steps: 12 };
      const kept = { step_s: 2_629_746, step_months: 1, timezone: 'Europe/Berlin' };
      given(segments, created(kept), started(), built({ span }))
        .when(mark([{ ...points(0, 0), times: { from, to } }]))
        .then({
          type: 'SegmentWentStale',
          data: {
            ...{ segmentId: id, from, to: Date.parse('9999-12-31T23:00:00Z'), entity: null, upTo: 10 },
            changedRows: (9999 - 2026 + 1) * 12,
          },
        });
    } finally {
      Intl.DateTimeFormat.prototype.formatToParts = formatToParts;
    }
    assert.ok(asked < 200, `${asked}`);
  });

  test('as far as features look back, through those they are made of', () => {
    const features = [lag('x', 'a', 3), lag('y', 'x', 4)];
    assert.equal(of1({ inputs, features }, 'a', 5), over(5, 13));
    assert.equal(of1({ inputs, features }, 'orders', 5), over(5, 6));
    assert.equal(of1({ inputs, features }, 'a', 95), over(95, 100), 'and no further than the table');
  });

  test('what is recursive or decays goes on to the end', () => {
    const ewm = { feature_id: 'f', name: 'e', kind: 'ewm', enabled: true } as const;
    const features = [{ ...ewm, params: { column: 'orders', alpha: 0.5 } }];
    assert.equal(of1({ features }, 'orders', 5), over(5, 100));
    const streams = (encoding: 'decay' | 'count') => [{ stream: 'news', encoding, half_life_s: 60 }];
    assert.equal(of1({ event_streams: streams('decay') }, 'news', 5, 5, 'stream'), over(5, 100));
    assert.equal(of1({ event_streams: streams('count') }, 'news', 5, 5, 'stream'), over(5, 6));
    assert.is(of1({ event_streams: streams('decay') }, 'news', 5, 5, 'response'), null);
    const answer = {
      feature_id: 'f',
      name: 'e',
      kind: 'event_response',
      params: { stream: 'news' },
    } as const;
    for (const kind of ['stream', 'response'] as const) {
      assert.equal(of1({ event_streams }, 'news', 5, 5, kind), over(5, 100));
      assert.equal(of1({ features: [{ ...answer, enabled: true }] }, 'news', 5, 5, kind), over(5, 100));
    }
    assert.is(of1({ features: [{ ...answer, enabled: false }] }, 'news', 5, 5, 'response'), null);
  });

  test('holes that are filled change with the points around them', () => {
    const fill = (method: 'ffill' | 'linear') => ({ method, max_gap_steps: 4 });
    assert.equal(of1({ inputs, fill: fill('ffill') }, 'a', 50), over(50, 55));
    assert.equal(of1({ inputs, fill: fill('linear') }, 'a', 50), over(46, 55));
    assert.equal(
      of1({ inputs, fill: fill('linear') }, 'orders', 50),
      over(50, 51),
      'the target is not filled',
    );
  });

  test('targets beyond the table make rows from its end on, inputs beyond it none', () => {
    assert.equal(of1({}, 'orders', 110), over(100, 111));
    assert.equal(of1({}, 'orders', -5), over(-5, 0));
    assert.is(of1({ inputs }, 'a', 110), null);
    assert.equal(of1({ inputs: [input('a', { role: 'known_future' })] }, 'a', 110), over(110, 111));
    assert.equal(of1({ inputs: [input('a', { lag_s: 7_200 })] }, 'a', 50), over(52, 53));
    assert.equal(of1({ inputs: [input('a', { role: 'static' })] }, 'a', 50), table);
    assert.is(of1({ to: hour(100) }, 'orders', 110), null);
  });
});
