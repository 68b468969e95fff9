import * as assert from 'uvu/assert';
import { baseEvents } from '../../domain/scenarios/base-events.js';
import type { Rejected } from '../../domain/rejected.js';
import { responseOf } from '../../domain/maths/effects/applied.js';
import type { Assumption } from '../../domain/scenarios/assumptions.js';
import { suite } from '../suite.js';
import { AHEAD, edges, HORIZON, HOUR, imagined, issued } from './scenarios-world.js';

type Issued = typeof issued;
const SHARE = 0.35;
const response = responseOf(edges[1]!.curve);
const cause = (eventId: string, over: object = {}) => ({
  ...{ eventId, stream: 'news', edgeId: 'edg_news', importance: 0.9, occurredAt: AHEAD - HOUR },
  ...{ weight: 1, response, halfLifeS: 3_600, scheduled: false, removed: null, ...over },
});
const weights = { champion: 0.4, generalist: 0.25, response: SHARE };
const shock = { episodeId: 'shk_1', state: 'shock', since: AHEAD - HOUR, weights, remaining: 1 };
const inShock = (causes: readonly object[], over: object = {}): Issued =>
  ({
    ...{ ...issued, shock },
    follows: { known: [{ events: [], edges: [], shock: { episode: { episodeId: 'shk_1', causes } } }] },
    ...over,
  }) as unknown as Issued;
const would = (base: Issued, ...assumptions: readonly Assumption[]) => imagined(assumptions, HORIZON, base);
const remove = (eventId: string): Assumption => ({
  ...{ kind: 'event_remove', eventId, stream: null, from: null, to: null },
});
const move = (eventId: string): Assumption => ({ kind: 'event_move', eventId, occurredAt: AHEAD + HOUR });
const OFF: Assumption = { kind: 'edge_off', edgeId: 'edg_news' };
const carried = (weight: number, over: object = {}) => ({
  ...{ edgeId: 'edg_news', occurredAt: AHEAD - HOUR, weight, ...over },
});
/** A base that events moved which had happened, and no shock. */
const carrying = (past: readonly object[]): Issued =>
  inShock([], {
    ...{ shock: null, carriedEvents: past.length },
    follows: { known: [{ events: [], past, edges, shock: null }] },
  });
/** Where an assumption is refused. */
const refused = (base: Issued, one: Assumption): Promise<unknown> =>
  would(base, one).then(
    () => 'taken',
    ({ details }: Rejected) => (details['detail'] as { loc: unknown }[])[0]!.loc,
  );
const near = (is: readonly number[], expected: readonly number[]): void =>
  is.forEach((value, h) => assert.ok(Math.abs(value - (expected[h] ?? 0)) < 1e-9, `${h}: ${is.join(' ')}`));
const codes = (warnings: readonly { readonly code: string }[]) => warnings.map(({ code }) => code);

suite('what would be, without a cause of a shock', test => {
  test('what a cause did goes: by its weight and by the share of responses in the blend', async () => {
    const base = inShock([cause('evt_past', { weight: 2 }), cause('evt_1', { removed: 'event' })]);
    const { delta, warnings } = await would(base, remove('evt_past'));
    near(delta.mean, [-SHARE * 4, -SHARE * 2]);
    assert.equal(warnings, []);
  });

  test('causes are bounded together, and not with events that lie ahead', async () => {
    const four = ['evt_past', 'b', 'c', 'd'].map(id => cause(id));
    // 2 of each in the first step; the most is 3 times 4
    near((await would(inShock(four), remove('evt_past'))).delta.mean, [-SHARE * 2, -SHARE]);
    const eight = [...four, ...['e', 'f', 'g', 'h'].map(id => cause(id))];
    near((await would(inShock(eight), remove('evt_past'))).delta.mean, [0, -SHARE]);
    const added: Assumption = {
      ...{ kind: 'event_add', stream: 'news', occurredAt: AHEAD, importance: 0.5 },
      ...{ impact: null, value: null, count: 1 },
    };
    near((await would(inShock(eight), added)).delta.mean, [4, 2, 1]);
  });

  test('one that is over, or whose response has no weight, moved nothing', async () => {
    const over = inShock([cause('evt_past', { occurredAt: AHEAD - 3 * HOUR })]);
    const without = { ...shock, weights: { champion: 0.7, generalist: 0.3, response: 0 } };
    for (const base of [over, inShock([cause('evt_past')], { shock: without })]) {
      const { totalDelta, warnings } = await would(base, remove('evt_past'));
      assert.equal([totalDelta, codes(warnings)], [0, ['no_effect']]);
    }
  });

  test('a base that does not say its causes refuses to move one, and warns of what stays', async () => {
    const untold = inShock([], { follows: undefined });
    assert.equal(await refused(untold, move('evt_past')), ['body', 'assumptions', 0, 'event_id']);
    const stream: Assumption = {
      ...{ kind: 'event_remove', eventId: null, stream: 'news' },
      from: null,
      to: null,
    };
    for (const one of [remove('evt_past'), stream, OFF])
      assert.equal(codes((await would(untold, one)).warnings), ['response_unknown'], one.kind);
    // What lay ahead is known all the same
    const ahead = await would(untold, remove('evt_1'));
    near(ahead.delta.mean, [0, 0, 0, -4, -2, -1]);
    assert.equal(ahead.warnings, []);
  });

  test('events that went on without a shock are known by their edge, time and weight', async () => {
    const base = carrying([1, 1, 2].map(weight => carried(weight)));
    assert.is(baseEvents(base, new Map(), time => time).carried?.length, 3);
    near((await would(base, remove('evt_past'))).delta.mean, [-2, -1]);
    const twins = await would(base, remove('evt_past'), remove('evt_twin'));
    near(twins.delta.mean, [-4, -2]);
    near((await would(base, move('evt_past'))).delta.mean, [-2, 4 - 1, 2, 1]);
    near((await would(base, OFF)).delta.mean, [-8, -4, 0, -4, -2, -1]);
  });

  test('a strong one that is over bounds the others as it did, and is not missed itself', async () => {
    const at = { occurredAt: AHEAD - 50 * HOUR };
    const ids = ['evt_past', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const past = [carried(3, { ...at, eventId: 'evt_over' }), ...ids.map(eventId => carried(1, { eventId }))];
    const nameless = past.map(one => ({ ...one, eventId: undefined }));
    const causes = [cause('evt_over', { ...at, weight: 3 }), ...ids.map(id => cause(id))];
    const bases: [Issued, number][] = [
      [carrying(past), 1],
      [carrying(nameless), 1],
      [inShock(causes), SHARE],
    ];
    for (const [base, share] of bases) {
      // Eight times 2 is below 3 times 12, and was not cut to 3 times 4
      near((await would(base, OFF)).delta.mean, [-16 * share, -8 * share, 0, -4, -2, -1]);
      near((await would(base, remove('evt_past'))).delta.mean, [-2 * share, -share]);
      const { totalDelta, warnings, edgeIds } = await would(base, remove('evt_over'));
      assert.equal([totalDelta, codes(warnings), edgeIds], [0, ['no_effect'], []]);
    }
  });

  test('one that went on is known by its id, whatever is like it or was corrected since', async () => {
    const at = { occurredAt: AHEAD - 2 * HOUR };
    const ids = ['evt_twin', 'evt_past'];
    const base = carrying([carried(1, { eventId: ids[0] }), carried(2, { ...at, eventId: ids[1] })]);
    const other = await would(base, remove('evt_unscored'));
    assert.equal([other.totalDelta, codes(other.warnings)], [0, ['no_effect']]);
    const corrected = await would(base, remove('evt_past'));
    near(corrected.delta.mean, [-2]);
    assert.equal(corrected.warnings, []);
    near((await would(base, move('evt_past'))).delta.mean, [-2, 8, 4, 2]);
    near((await would(base, remove('evt_twin'))).delta.mean, [-2, -1]);
  });

  test('where ids were not kept, and none is of its time and weight, the base does not say', async () => {
    const corrected = carrying([carried(1, { occurredAt: AHEAD - 2 * HOUR })]);
    const scoredAnew = carrying([carried(2)]);
    for (const base of [corrected, scoredAnew]) {
      const { totalDelta, warnings } = await would(base, remove('evt_past'));
      assert.equal([totalDelta, codes(warnings)], [0, ['response_unknown']]);
      assert.equal(await refused(base, move('evt_past')), ['body', 'assumptions', 0, 'event_id']);
    }
    const unscored = await would(carrying([carried(1)]), remove('evt_unscored'));
    assert.equal([unscored.totalDelta, codes(unscored.warnings)], [0, ['response_unknown']]);
  });

  test('a cause that goes leaves no doubt where the base does not say what else had happened', async () => {
    const base = inShock([cause('evt_past')], { carriedEvents: 2 });
    const known = { edges: async () => edges.map(edge => ({ ...edge, knownInAdvance: true })) };
    const { delta, warnings } = await imagined([remove('evt_past')], HORIZON, base, known);
    near(delta.mean, [-SHARE * 2, -SHARE]);
    assert.equal(warnings, []);
    const twin = await imagined([remove('evt_twin')], HORIZON, base, known);
    assert.equal([twin.totalDelta, codes(twin.warnings)], [0, ['response_unknown']]);
  });
});
