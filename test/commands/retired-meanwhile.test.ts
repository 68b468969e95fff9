import * as assert from 'uvu/assert';
import { serve, type Served } from '../../commands/forecasts/serving.js';
import { tasks } from '../../commands/inference/tasks/index.js';
import { prepare } from '../../commands/inference/work.js';
import type { ServedModel } from '../../domain/goals/model.js';
import type { Replaced, TargetHistory } from '../../domain/goals/ports.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import type { SeriesForecasted } from '../../domain/inference/forecasting.js';
import { fixed } from '../../domain/maths/series/grid.js';
import { Rejected } from '../../domain/rejected.js';
import { HOUR } from '../../domain/time.js';
import { goalSettings } from '../api/forecasts-world.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';
import { inferenceWorld, W } from '../workers/inference-world.js';

const served = (promotionId: string): ServedModel => ({
  ...{ kind: 'served', promotionId, model: { family: 'presage', slug: 'nano', version: '1' } },
});

/** Deployments, one of which is retired in favour of another when it is asked for, not before. */
function retiring(next: Readonly<Record<string, string>>) {
  const retired = new Set<string>();
  const inPlace = async (_: string, id: string): Promise<string> =>
    retired.has(id) ? inPlace(_, next[id]!) : id;
  const replaced: Replaced = async (workspace, one) => {
    const before = (one.model as ServedModel).promotionId!;
    const now = await inPlace(workspace, before);
    const warnings = now === before ? [] : [{ code: 'champion_replaced', message: `${before}, ${now}` }];
    return { model: served(now), name: now, warnings };
  };
  return {
    inPlace,
    replaced,
    /** @throws Rejected 410 */
    ask(id: string): void {
      if (!(id in next)) return;
      retired.add(id);
      throw new Rejected('gone', 'deployment_retired', `${id} is retired`, { replacement: next[id]! });
    },
  };
}
const ahead = Float64Array.from({ length: 6 }, () => 12);
const made = {
  ...{ id: 'sales', times: ahead, mean: ahead, period: 24, lookbackUsed: 100, filledPoints: 0 },
  quantiles: [0.1, 0.5, 0.9].map(level => ({ level, values: ahead })),
  ...{ calibration: { method: 'none' }, explanation: null, warnings: [] },
} as unknown as SeriesForecasted;
const values = Float64Array.from({ length: 100 }, (_, i) => 10 + (i % 24));
const history = {
  series: { id: 'sales', start: 0, step: fixed(HOUR), period: null, covariates: {}, values },
  ...{ cutoff: 99 * HOUR, upTo: 1, read: { points: 100 } },
} as unknown as TargetHistory;

suite('a deployment that is retired just when it is asked', test => {
  test('of a pipeline is answered by what took its place', async () => {
    const { work, deployment } = await inferenceWorld();
    const series = [{ start: '2026-01-01', step_s: 3_600, values: [1, 2, 3, 4] }];
    const answeredBy = async (next: Readonly<Record<string, string>>): Promise<unknown> => {
      const { inPlace, ask } = retiring(next);
      const deps = {
        ...{ ...work, inPlace, servingOf: async () => 'a' },
        async served(_: string, promotionId: string) {
          ask(promotionId);
          return { ...deployment, promotionId };
        },
      };
      const request = { pipeline_id: 'pip_1', series };
      return (await prepare(deps, tasks.forecast, W, request, 0)).deployment.promotionId;
    };
    assert.is(await answeredBy({}), 'a');
    assert.is(await answeredBy({ a: 'b' }), 'b');
    await answeredBy({ a: 'b', b: 'c' }).then(
      () => assert.unreachable(),
      ({ code }: Rejected) => assert.is(code, 'deployment_retired'),
    );
  });

  test('of a goal is, too, and that is said', async () => {
    const goals = [1, 2].map(n => {
      const champion = { model: served('a'), name: 'a', score: null, since: 0, tournamentId: null };
      const options = { ...goalSettings().options, fallback: 'none' as const };
      const settings = goalSettings({ name: `goal ${n}`, options });
      const goal = { status: 'active', settings, champion, runnerUp: null } as unknown as LiveGoal;
      return { goalId: `goa_${n}`, goal, history };
    });
    const answers = async (next: Readonly<Record<string, string>>) => {
      const { replaced, ask } = retiring(next);
      const deps = {
        ...{ replaced, generalist: async () => null, log: quiet },
        async forecastBy(_: string, model: object, series: readonly object[]) {
          ask((model as ServedModel).promotionId!);
          return series.map(() => made);
        },
      } as Parameters<typeof serve>[0];
      const all = await serve(deps, 'w', goals, new AbortController().signal);
      return all.map(one =>
        'error' in one
          ? (one.error as Rejected).code
          : [one.by.name, ...(one as Served).warnings.map(({ message }) => message)],
      );
    };
    assert.equal(await answers({}), [['a'], ['a']]);
    assert.equal(await answers({ a: 'b' }), [
      ['b', 'a, b'],
      ['b', 'a, b'],
    ]);
    assert.equal(await answers({ a: 'b', b: 'c' }), ['deployment_retired', 'deployment_retired']);
  });
});
