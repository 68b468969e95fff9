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
    const move: Assumption = { kind: 'event_move', eventId: 'evt_past', occurredAt: AHEAD + HOUR };
    const refused = await would(untold, move).then(
      () => 'taken',
      ({ kind, details }: Rejected) => [kind, (details['detail'] as { loc: unknown }[])[0]!.loc],
    );
    assert.equal(refused, ['unprocessable', ['body', 'assumptions', 0, 'event_id']]);
    const stream: Assumption = {
      ...{ kind: 'event_remove', eventId: null, stream: 'news' },
      from: null,
      to: null,
    };
    for (const one of [remove('evt_past'), stream, { kind: 'edge_off', edgeId: 'edg_news' } as const])
      assert.equal(codes((await would(untold, one)).warnings), ['response_unknown'], one.kind);
    // What lay ahead is known all the same
    const ahead = await would(untold, remove('evt_1'));
    near(ahead.delta.mean, [0, 0, 0, -4, -2, -1]);
    assert.equal(ahead.warnings, []);
  });

  test('events that went on without a shock are known by their edge, time and weight', async () => {
    const past = [1, 1, 2].map(weight => ({ edgeId: 'edg_news', occurredAt: AHEAD - HOUR, weight }));
    const base = inShock([], {
      ...{ shock: null, carriedEvents: 3 },
      follows: { known: [{ events: [], past, edges, shock: null }] },
    });
    assert.is(baseEvents(base, new Map(), time => time).carried?.length, 3);
    near((await would(base, remove('evt_past'))).delta.mean, [-2, -1]);
    const twins = await would(base, remove('evt_past'), remove('evt_twin'));
    near(twins.delta.mean, [-4, -2]);
    const move: Assumption = { kind: 'event_move', eventId: 'evt_past', occurredAt: AHEAD + HOUR };
    near((await would(base, move)).delta.mean, [-2, 4 - 1, 2, 1]);
    near((await would(base, { kind: 'edge_off', edgeId: 'edg_news' })).delta.mean, [-8, -4, 0, -4, -2, -1]);
  });
});
