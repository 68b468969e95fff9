import * as assert from 'uvu/assert';
import { runDiscovery, type RunningDeps } from '../../commands/discovery/running.js';
import { Overloaded, type RunOptions } from '../../domain/maths/compute.js';
import { fixed } from '../../domain/maths/series/grid.js';
import { HOUR } from '../../domain/time.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

const subject = { target: 'sales', stepS: 3_600, timezone: 'UTC', horizon: 6 };
const started = {
  ...{ goalId: 'goa_1', discoveryId: 'dsc_1', subject, asOf: 200 * HOUR },
  ...{ scope: { kind: 'search' }, settings: { alpha: 0.05, maxLagS: null, seed: 1 } },
};
const state = { status: 'running', started, began: { sources: [], edgeIds: [], leftOut: 0 } };

suite('a discovery', test => {
  test('leaves others their share of the pool, and waits where that is full', async () => {
    const asked: RunOptions[] = [];
    const series = { id: 'sales', start: 0, step: fixed(HOUR), values: new Float64Array(200) };
    const deps = {
      commands: { read: async () => state, gathered: async () => null },
      goal: async () => ({ status: 'active', fleetId: null, settings: subject }),
      targetOf: async () => ({ series }),
      compute: {
        async run(_: string, __: unknown, options: RunOptions) {
          asked.push(options);
          throw new Overloaded();
        },
      },
      ...{ clock: () => 0, log: quiet },
    } as unknown as RunningDeps;
    const of = { workspace: 'w', discoveryId: 'dsc_1' };
    const { signal } = new AbortController();
    const refused = await runDiscovery(deps, of, {} as never, signal).catch((error: unknown) => error);
    assert.instance(refused, Overloaded, 'it is gone on with');
    assert.equal(asked, [{ lane: 'w', signal, withinMs: 600_000, patient: true }]);
  });
});
