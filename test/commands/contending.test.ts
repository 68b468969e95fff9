import * as assert from 'uvu/assert';
import { forecastBy } from '../../commands/forecasts/forecast-by.js';
import { contend, type ContendingDeps, type Held } from '../../commands/tournaments/contending.js';
import type { LocalMethod } from '../../domain/goals/model.js';
import type { RunOptions } from '../../domain/maths/compute.js';
import { TookTooLong } from '../../domain/maths/compute.js';
import { localForecasts } from '../../domain/maths/forecasting/baselines/methods.js';
import { fixed } from '../../domain/maths/series/grid.js';
import { Rejected } from '../../domain/rejected.js';
import { HOUR } from '../../domain/time.js';
import type { ContestantFailed, ContestantScored } from '../../domain/tournaments/facts.js';
import { foldsOf } from '../../domain/tournaments/folds.js';
import { contestant, running } from '../domain/tournaments/given.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

type Fit = (input: Parameters<typeof localForecasts>[0], options: RunOptions) => unknown;

/** What becomes of a method in a tournament over a series, and with which options its fits were asked for. */
async function contended(fit: Fit, method: LocalMethod = 'theta') {
  const asked: RunOptions[] = [];
  const ended: { scored?: ContestantScored['data']; failed?: ContestantFailed['data'] } = {};
  const series = {
    ...{ id: 'orders', start: 0, step: fixed(HOUR), period: 24, covariates: {} },
    values: Float64Array.from({ length: 200 }, (_, i) => 10 + (i % 24)),
  };
  const held: Held = {
    of: { workspace: 'w', tournamentId: 'trm_1' },
    tournament: running().known,
    folds: foldsOf(series, { folds: 3, horizon: 12 })!,
    ...{ period: 24, now: () => ({}) as never, signal: new AbortController().signal },
  };
  const deps = {
    commands: {
      beginContestant: async () => ({ after: { status: 'running' } }),
      score: async (_: string, data: ContestantScored['data']) => (ended.scored = data),
      failContestant: async (_: string, data: ContestantFailed['data']) => (ended.failed = data),
    },
    forecastBy: forecastBy({
      compute: {
        async run(_: string, input: never, options: RunOptions) {
          asked.push(options);
          return (await fit(input, options)) as never;
        },
      },
      remembered: (_, forecast) => forecast,
      ...({} as Pick<Parameters<typeof forecastBy>[0], 'served' | 'zeroShot'>),
    }),
    ...{ seenUntil: async () => null, log: quiet },
  } as unknown as ContendingDeps;
  await contend(deps, held, contestant(method));
  return { asked, ...ended };
}
const refusing = (...of: ConstructorParameters<typeof Rejected>) =>
  contended(() => Promise.reject(new Rejected(...of)));

suite('a contestant', test => {
  test('has its 300 s for all that is fitted for it, and no less', async () => {
    const { asked, scored } = await contended(localForecasts);
    assert.ok(scored!.score >= 0);
    assert.ok(asked.length > 1);
    for (const { withinMs } of asked) assert.ok(withinMs! > 30_000 && withinMs! <= 300_000, `${withinMs}`);
    const left = asked.map(({ withinMs }) => withinMs!);
    assert.equal(
      left,
      left.toSorted((a, b) => b - a),
      'each has what those before it left',
    );
  });

  test('leaves others their share of the pool, and has what is slow fitted one by one', async () => {
    const at: number[] = [];
    const quickly: Fit = input => {
      at.push(input.series.length);
      return localForecasts({ ...input, method: 'seasonal_naive' });
    };
    const { asked, scored } = await contended(quickly, 'arima');
    assert.ok(scored);
    assert.ok(asked.every(({ lane, patient }) => lane === 'w' && patient));
    assert.ok(at.length > 3 && at.every(count => count === 1), `${at}`);
  });

  test('is disqualified where a fit takes all of it', async () => {
    const { failed } = await contended((_, { withinMs }) => Promise.reject(new TookTooLong(withinMs!)));
    const { disqualified, code, message } = failed!;
    assert.equal([disqualified, code, message], [true, 'timed_out', 'It took longer than 300 s']);
  });

  test('is disqualified where its numbers grow out of all bounds', async () => {
    const infinite: Fit = input =>
      localForecasts(input).map(({ values, ...rest }) => ({ ...rest, values: values.map(() => Infinity) }));
    const { failed } = await contended(infinite);
    assert.equal([failed!.disqualified, failed!.code], [true, 'not_finite']);
    const told = await refusing('unprocessable', 'invalid_series', 'the model loses itself');
    assert.equal([told.failed!.disqualified, told.failed!.code], [true, 'not_finite']);
  });

  test('that cannot forecast the goal any more is told from one that failed here and now', async () => {
    const isPassing = async (...of: ConstructorParameters<typeof Rejected>) => {
      const { failed } = await refusing(...of);
      assert.equal([failed!.disqualified, failed!.code], [false, of[1]]);
      return failed!.isPassing;
    };
    const deployment = (status: string) =>
      isPassing('conflict', 'deployment_not_ready', 'not ready', { status });
    assert.not.ok(await isPassing('missing', 'model_not_available', 'gone'));
    assert.not.ok(await isPassing('gone', 'deployment_retired', 'retired'));
    assert.not.ok(await isPassing('invalid', 'horizon_above_cap', 'too far'));
    assert.not.ok(await isPassing('unprocessable', 'covariates_required', 'reads more'));
    assert.not.ok(await deployment('failed'));
    assert.ok(await deployment('deploying'));
    assert.ok(await isPassing('unprocessable', 'insufficient_history', 'too short before the first fold'));
    assert.ok(await isPassing('unprocessable', 'analysis_too_large', 'all folds at once do not fit'));
    assert.ok(await isPassing('unprocessable', 'model_failed', 'it takes too long'));
    assert.ok(await isPassing('unavailable', 'overloaded', 'too many wait'));
  });
});
