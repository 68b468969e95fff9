import * as assert from 'uvu/assert';
import { answeringOf, type AnsweringDeps } from '../../commands/forecasts/answering.js';
import {
  movedAs,
  onStepsAgain,
  type Follows,
  type MovingDeps,
} from '../../commands/forecasts/target-asked.js';
import type { AskedOfGoal } from '../../commands/inference/goals.js';
import type { Adjustment, Making } from '../../domain/forecasts/composing.js';
import { onSteps } from '../../domain/forecasts/target.js';
import { NOTHING_TRACKED } from '../../domain/forecasts/tracker.js';
import type { Champion } from '../../domain/goals/model.js';
import type { GoalState, LiveGoal } from '../../domain/goals/state.js';
import { stepAsked } from '../../domain/goals/steps.js';
import { actualsOf } from '../../domain/inference/arrived.js';
import type { KeptForecast, KeptForecasts } from '../../domain/inference/kept-forecast.js';
import type { InferenceRequest } from '../../domain/inference/request.js';
import { fixed } from '../../domain/maths/series/grid.js';
import { Rejected } from '../../domain/rejected.js';
import { goalSettings } from '../api/forecasts-world.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 10);
const settings = goalSettings({ horizon: 2 });

const champion = (model: Champion['model'], name: string): Champion => ({
  ...{ model, name, score: null, since: 0, tournamentId: null },
});
const deployed = champion(
  { kind: 'served', promotionId: 'prm_1', model: { family: 'presage', slug: 'nano', version: '1' } },
  'nano',
);
const active = (over: Partial<LiveGoal> = {}): LiveGoal => ({
  ...{ status: 'active', settings, owner: 'usr_1', fleetId: null, version: 1, champion: deployed },
  ...{ runnerUp: champion({ kind: 'local', method: 'theta' }, 'theta'), reasons: [], activatedAt: 0 },
  ...over,
});
const points = {
  times: Array.from({ length: 60 }, (_, i) => NOW - (60 - i) * HOUR),
  values: [...Array(60).keys()],
};
const gone = () => new Rejected('gone', 'deployment_retired', 'It is retired');

const depsOf = (goal: GoalState, over: Partial<AnsweringDeps> = {}): AnsweringDeps => ({
  served: () => Promise.reject(gone()),
  inAnyState: () => Promise.reject(gone()),
  zeroShot: () => Promise.reject(gone()),
  compute: { run: () => Promise.reject(new Error('nothing is computed')) },
  remembered: (_, forecast) => forecast,
  generalist: async () => null,
  replaced: async (_, one) => ({ ...one, warnings: [] }),
  log: quiet,
  adjustments: [],
  forecastBy: () => Promise.reject(new Error('nothing else is forecast')),
  record: async () => NOTHING_TRACKED,
  goal: async () => goal,
  targetOf: async (_, target, { most, now }) => {
    const { series, points: read, cutoff } = onSteps(target, points, { most, now: now! })!;
    const { length } = read.times;
    return {
      ...{ series, cutoff, upTo: 7 },
      read: {
        key: 'sales',
        of: null,
        revision: 1,
        asOf: null,
        from: read.times[0]!,
        points: length,
        hash: 'h',
      },
    };
  },
  ...over,
});
const asking = (deps: AnsweringDeps, request: InferenceRequest = {}, asOf: number | null = null) =>
  answeringOf(deps).serving('w', { goal_id: 'goa_1', ...request }, { now: NOW, asOf });
const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Rejected ? [error.kind, error.code, error.details] : error),
  );

suite('what serves a goal', test => {
  test('one after the other, as far as it may fall back, each saying why not those before', async () => {
    const serving = asking(depsOf(active()));
    const { value: second } = await serving.next();
    assert.equal([second.forGoal.servedBy, second.answering.model.slug], ['runner_up', 'theta']);
    assert.equal(
      second.forGoal.warnings.map(({ code }) => code),
      ['champion_unavailable'],
    );
    const { value: third } = await serving.next(new Error('a fault'));
    assert.is(third.forGoal.servedBy, 'seasonal_naive');
    assert.equal(
      third.forGoal.warnings.map(({ code, message }) => [code, message]),
      [
        ['champion_unavailable', 'nano could not forecast it: It is retired'],
        ['runner_up_unavailable', 'theta could not forecast it: Internal error'],
      ],
    );
    assert.is(second.forGoal.warnings.length, 1, 'what was told stays');
    assert.equal(await codeOf(serving.next(gone())), ['gone', 'deployment_retired', {}]);
  });

  test('the option of falling back ends it, and what is forbidden does', async () => {
    const none = { ...settings, options: { ...settings.options, fallback: 'none' as const } };
    const code = await codeOf(asking(depsOf(active({ settings: none }))).next());
    assert.equal(code, ['gone', 'deployment_retired', {}]);
    const nobody = active({ settings: none, champion: null });
    assert.equal(await codeOf(asking(depsOf(nobody)).next()), ['conflict', 'no_champion', {}]);
    const closed = () => Promise.reject(new Rejected('forbidden', 'workspace_archived', 'It is archived'));
    const archived = await codeOf(asking(depsOf(active(), { served: closed })).next());
    assert.equal(archived, ['forbidden', 'workspace_archived', {}]);
  });

  test('without a champion it says so', async () => {
    const { value } = await asking(depsOf(active({ champion: null, runnerUp: null }))).next();
    assert.equal(
      [value.forGoal.servedBy, value.forGoal.warnings[0]!.code],
      ['seasonal_naive', 'no_champion'],
    );
  });

  test('goals that are not there, and that are not served', async () => {
    const found = (goal: GoalState) => codeOf(asking(depsOf(goal)).next());
    assert.equal(await found({ status: 'none' }), ['missing', 'not_found', { goal_id: 'goa_1' }]);
    const details = { field: 'goal_id', goal_id: 'goa_1' };
    for (const status of ['draft', 'paused', 'archived'] as const)
      assert.equal(await found(active({ status })), ['conflict', 'invalid_state', { ...details, status }]);
    for (const status of ['discovering', 'competing'] as const)
      assert.equal(await found(active({ status })), [
        ...['conflict', 'deployment_not_ready'],
        { ...details, status, retry_after_s: 30 },
      ]);
  });

  test('what the goal says counts where the request does not', async () => {
    const asked = async (request: InferenceRequest): Promise<AskedOfGoal> =>
      (await asking(depsOf(active({ champion: null })), request).next()).value;
    const { request, histories, target } = await asked({});
    assert.equal([request.horizon, request.key], [2, 'sales']);
    assert.equal(request.quantiles, settings.options.quantiles);
    assert.equal([histories!.given[0]!.count, histories!.upTo], [60, 7]);
    assert.ok(target);
    const own = await asked({ horizon: 5, quantiles: [0.3], key: 'sales' });
    assert.equal([own.request.horizon, own.request.quantiles], [5, [0.1, 0.3, 0.5, 0.9]]);
    for (const other of [{ key: 'stock' }, { series: [{ values: [1, 2] }] }]) {
      const found = await asked({ ...other, quantiles: [0.3] });
      assert.equal([found.target, found.histories, found.request.quantiles], [null, null, [0.3]]);
    }
    const code = await codeOf(asked({ horizon: 1_001 }));
    assert.equal(code, ['invalid', 'horizon_above_cap', { field: 'horizon', cap: 1_000, given: 1_001 }]);
  });

  test('a deployment that is retired just then is answered by what took its place', async () => {
    const by = (promotionId: string) => ({ ...deployed.model, promotionId }) as typeof deployed.model;
    const told = [{ code: 'champion_replaced', message: 'prm_2 forecasts' }];
    let isRetired = false;
    const { value } = await asking(
      depsOf(active(), {
        replaced: async (_, one) =>
          isRetired ? { model: by('prm_2'), name: 'mini', warnings: told } : { ...one, warnings: [] },
        async served(_, promotionId) {
          isRetired ||= promotionId === 'prm_1';
          if (promotionId === 'prm_2') return { promotionId, maxHorizon: 9 } as never;
          throw new Rejected('gone', 'deployment_retired', 'It is retired', { replacement: 'prm_2' });
        },
      }),
    ).next();
    const { servedBy, warnings, follows } = value.forGoal;
    assert.equal([value.answering.promotionId, servedBy, warnings], ['prm_2', 'champion', told]);
    assert.equal((follows as Follows).model, by('prm_2'));
  });

  test('one that does not go so far is passed by', async () => {
    const short = { ...depsOf(active()), served: async () => ({ maxHorizon: 1 }) as never };
    const { value } = await asking(short).next();
    assert.is(value.forGoal.servedBy, 'runner_up');
    assert.ok(/horizon 2 is above the cap of 1/.test(value.forGoal.warnings[0]!.message));
  });
});

const kept: KeptForecast = {
  ...{ id: 'sales', start: NOW, step: fixed(HOUR), mean: null },
  quantiles: [
    [1, 2],
    [3, 4],
    [6, 7],
  ],
  ...{ period: 1, lookbackUsed: 60, filledPoints: 0, warnings: [], cutoff: NOW - HOUR },
  explanation: { components: [{ name: 'level', points: [3, 4] }], drivers: [] },
  calibration: { method: 'model', level: 0.8, coverageRecent: null, n: 0, widenedBy: 1 },
  scales: { seasonal: 1, squaredChange: 1 },
};
const made: KeptForecasts = { levels: [0.1, 0.5, 0.9], forecasts: [kept] };
const target = { target: 'sales', stepS: 3_600, timezone: 'UTC', scheduledEvents: true, at: NOW, asOf: null };
const follows: Follows = {
  ...{ model: { kind: 'local', method: 'theta' }, name: 'theta' },
  ...{ horizon: 2, quantiles: [0.5, 0.9], calibration: 'conformal' },
  target: { ...target, steps: 60 },
};
const of = { workspace: 'w', goalId: 'goa_1', target: { ...target, steps: 60 }, follows };
const given = onStepsAgain(of.target, points);

const forecastBy: MovingDeps['forecastBy'] = () => Promise.reject(new Error('nothing else is forecast'));

/** Adds what is known to everything. */
const adding = (known: () => number): Adjustment<number> => ({
  known: async (_: Making) => known(),
  moved: async (_, before, by) => ({
    ...before,
    mean: before.mean.map(value => value + by),
    quantiles: before.quantiles.map(column => column.map(value => value + by)),
    skippedEvents: by,
  }),
});

suite("a forecast of a goal's target", test => {
  test('moved by what is known, then widened by the record, at the levels that were asked for', async () => {
    const deps: MovingDeps = {
      forecastBy,
      adjustments: [adding(() => 10), adding(() => 100)],
      record: async () => ({ logs: [0, Math.log(2)], coverage: 0.7, n: 9 }),
    };
    const { levels, forecasts, moves } = await movedAs(deps, of, made, given, undefined);
    assert.equal(levels, [0.5, 0.9]);
    const [one] = forecasts;
    assert.equal(one!.quantiles, [
      [113, 114],
      [116, 120],
    ]);
    assert.equal([one!.mean, one!.start, one!.holds, one!.times], [null, NOW, true, undefined]);
    assert.equal(one!.explanation!.components.at(-1), { name: 'events', points: [110, 110] });
    assert.equal(moves!.known, [10, 100]);
    assert.equal([moves!.widened, moves!.record], [[1, 2], { coverage: 0.7, n: 9 }]);
    assert.is(moves!.skippedEvents, 100);
  });

  test('by what was known once it is the same once more', async () => {
    let known = 10;
    const deps = { forecastBy, adjustments: [adding(() => known)], record: async () => NOTHING_TRACKED };
    const first = await movedAs(deps, of, made, given, undefined);
    known = 99;
    const unread = () => Promise.reject(new Error('what is known now does not count'));
    const moves = JSON.parse(JSON.stringify(first.moves)) as typeof first.moves;
    const again = await movedAs({ ...deps, record: unread }, of, made, given, moves);
    assert.equal(again, first);
    assert.not.equal((await movedAs(deps, of, made, given, undefined)).forecasts, first.forecasts);
  });

  test('bands of the model stay as they are', async () => {
    const deps = { forecastBy, adjustments: [], record: async () => ({ logs: [1], coverage: 0.1, n: 50 }) };
    const own = { ...of, follows: { ...follows, calibration: 'model' as const } };
    const { moves } = await movedAs(deps, own, made, given, undefined);
    assert.equal(moves!.widened, [1, 1]);
  });

  const unmoved = { forecastBy, adjustments: [], record: async () => NOTHING_TRACKED };
  test('without the median among the levels its mean is kept', async () => {
    const high = { ...of, follows: { ...follows, quantiles: [0.9] } };
    const { forecasts } = await movedAs(unmoved, high, made, given, undefined);
    assert.equal([forecasts[0]!.mean, forecasts[0]!.quantiles], [[3, 4], [[6, 7]]]);
  });

  test('days are days of the zone', async () => {
    const days = { ...target, stepS: 86_400, timezone: 'Europe/Berlin', steps: 3 };
    const newest = Date.UTC(2026, 2, 27, 23);
    const daily = { times: [newest - 48 * HOUR, newest - 24 * HOUR, newest], values: [1, 2, 3] };
    const read = onStepsAgain(days, daily);
    const { forecasts } = await movedAs(unmoved, { ...of, target: days }, made, read, undefined);
    assert.is(forecasts[0]!.start, newest + 24 * HOUR);
    assert.equal(
      forecasts[0]!.times!.map(time => (time - newest) / HOUR),
      [24, 47],
    );
  });

  test('months say when the last ends, and are graded by their own points alone', async () => {
    const first = (month: number) => Date.UTC(2026, month, 1, 5);
    const months = { ...target, ...stepAsked(2_629_746), timezone: 'America/New_York', steps: 2 };
    const read = onStepsAgain(months, { times: [first(-2), first(-1)], values: [1, 2] });
    const { forecasts } = await movedAs(unmoved, { ...of, target: months }, made, read, undefined);
    const came = { times: [first(0), first(1), first(2)], values: [7, 8, 99] };
    assert.equal([...actualsOf(forecasts[0]!, came)], [7, 8]);
  });

  test('steps before the first point that was read are there again', () => {
    const early = { times: [NOW - 20 * HOUR, NOW - 2 * HOUR, NOW - HOUR], values: [1, 2, 3] };
    const first = onSteps(target, early, { most: 10, now: NOW })!;
    const again = onStepsAgain({ ...target, steps: 10 }, first.points);
    assert.is(first.series.values.length, 10);
    assert.ok(Number.isNaN(first.series.values[0]));
    const plain = (series: typeof first.series) => ({ ...series, values: [...series.values] });
    assert.equal(plain(again.series), plain(first.series));
    assert.equal([again.count, again.cutoff], [2, first.cutoff]);
  });
});
