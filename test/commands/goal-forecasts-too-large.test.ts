import * as assert from 'uvu/assert';
import { issuing, type IssuingDeps } from '../../commands/forecasts/issuing.js';
import type { GoalForecastIssued } from '../../domain/forecasts/facts.js';
import type { AppliedEvent } from '../../domain/inference/moves.js';
import { fixed } from '../../domain/maths/series/grid.js';
import { Rejected } from '../../domain/rejected.js';
import { HOUR } from '../../domain/time.js';
import { goalSettings } from '../api/forecasts-world.js';
import { suite } from '../suite.js';

const values = Float64Array.from({ length: 100 }, (_, i) => 10 + (i % 24));
const ahead = Float64Array.from({ length: 6 }, () => 12);
const made = {
  ...{ id: 'sales', times: ahead, mean: ahead, period: 24, lookbackUsed: 100, filledPoints: 0 },
  quantiles: [0.1, 0.5, 0.9].map(level => ({ level, values: ahead })),
  ...{ calibration: { method: 'none' }, explanation: null, warnings: [] },
};
const event = (nth: number): AppliedEvent => ({
  ...{ eventId: `evt_${nth}`, stream: 'promotions of the shop', occurredAt: nth, edgeId: 'edg_1' },
  ...{ offsetS: nth, weight: 1.234_567_89, effectPeak: 12.345_678_9 },
});
const wanted = { goalId: 'goa_1', forecastId: 'fct_1', trigger: 'manual', dueAt: null } as const;

/** What becomes of a forecast that so many events move, and what was paid for and kept. */
async function issued(events: number, known: unknown = null, more: object = {}) {
  const done: string[] = [];
  let kept: GoalForecastIssued['data'] | null = null;
  const { issue } = issuing({
    goals: {
      state: async () => ({
        ...{ status: 'active', settings: goalSettings(), champion: null, runnerUp: null, reasons: [] },
      }),
      health: async () => undefined,
    },
    targetOf: async () => ({
      series: { id: 'sales', start: 0, step: fixed(HOUR), period: null, covariates: {}, values },
      ...{ cutoff: 99 * HOUR, upTo: 1, read: { points: 100 } },
    }),
    records: {
      state: async () => ({ status: 'none' }),
      async issue(_: string, data: GoalForecastIssued['data']) {
        done.push('kept');
        kept = data;
        return { position: 7 };
      },
    },
    before: async () => new Map(),
    credits: {
      priceOf: () => ({ amount: 1 }),
      async paid(
        _: string,
        __: object,
        work: () => Promise<unknown>,
        keep: (of: unknown) => Promise<unknown>,
      ) {
        done.push('paid');
        return keep(await work());
      },
    },
    forecastBy: async () => [made],
    ...{ generalist: async () => null, log: console },
    replaced: async (_: string, one: object) => ({ ...one, warnings: [] }),
    adjustments: [
      {
        known: async () => known,
        moved: async (__: object, before: object) => ({
          ...before,
          ...more,
          appliedEvents: Array.from({ length: events }, (_, i) => event(i)),
        }),
      },
    ],
  } as unknown as IssuingDeps);
  const [one] = await issue('w', [wanted], { at: 100 * HOUR } as never, new AbortController().signal);
  const data = kept as GoalForecastIssued['data'] | null;
  return { one: one!, done, data, follows: data?.follows };
}

suite('a forecast of a goal', test => {
  test('is paid for and kept', async () => {
    const { one, done } = await issued(100);
    assert.equal([one.status, done], ['issued', ['paid', 'kept']]);
  });

  test('says what it follows from, but for what was known where that is too much', async () => {
    const all = { calibration: 'conformal', scheduledEvents: true, timezone: 'UTC', steps: 100 };
    assert.equal((await issued(1, 'little')).follows, { ...all, known: ['little'] });
    const { one, follows } = await issued(1, 'much '.repeat(300_000));
    assert.equal([one.status, follows], ['issued', all]);
  });

  test('is of the same inputs whichever scorer said what events are, and whichever went on', async () => {
    const of = (impact: number, scorer: object, went: object = {}) => {
      const past = [{ ...went, edgeId: 'edg_1', occurredAt: 1, weight: 1, ...scorer }];
      return issued(1, { events: [{ eventId: 'evt_1', impact, ...scorer }], past }, scorer);
    };
    const [before, other] = [await of(1, {}), await of(2, {})];
    const now = await of(1, { scorerVersion: 'es-2' }, { eventId: 'evt_0' });
    assert.is(now.data!.scorerVersion, 'es-2');
    assert.equal([now.data!.inputsHash, now.data!.seed], [before.data!.inputsHash, before.data!.seed]);
    assert.not.equal(other.data!.inputsHash, before.data!.inputsHash);
  });

  test('that is too large to be kept is refused before it is paid for', async () => {
    const { one, done } = await issued(10_000);
    assert.equal(done, []);
    const error = one.status === 'failed' ? one.error : null;
    assert.instance(error, Rejected);
    assert.is((error as Rejected).code, 'payload_too_large');
  });
});
