import * as assert from 'uvu/assert';
import { HOUR } from '../../domain/time.js';
import { alertRounds } from '../../workers/alert-rounds.js';
import { quiet } from '../projections/world.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';

const NOW = 500_000 * HOUR;
const rule = (workspace: string, i: number) => ({
  ...{ _id: `${workspace}/${String(i).padStart(4, '0')}`, workspace, alert_id: `alr_${i}` },
  ...{ goal_id: null, kind: 'budget', enabled: true, due_at: null, changed_at: NOW },
  state: {
    phase: 'normal',
    settings: { watched: { kind: 'budget', params: { share: 0.5 } }, muteUntil: null },
  },
});

suite('rounds of rules', test => {
  /** What was looked at, and how often it was told that the platform is up, as long as `work` goes on. */
  const running = async (
    rules: readonly ReturnType<typeof rule>[],
    now: (workspace: string) => Promise<null>,
    work: (seen: { readonly told: () => number }) => Promise<void>,
  ): Promise<void> => {
    let told = 0;
    const rounds = alertRounds({
      queries: { enabled: async (id: string) => rules.filter(({ _id }) => _id > id).slice(0, 20) },
      look: { now: ({ workspace }: { workspace: string }) => now(workspace) },
      ...{ commands: {}, active: async () => new Map(), isArchived: () => false, log: quiet },
      tellUp: async () => void told++,
      ...{ clock: () => NOW + HOUR, newId: () => 'id', visible: async () => undefined },
    } as never);
    await work({ told: () => told });
    await rounds.stop();
  };

  test('one workspace does not wait for all rules of another', async () => {
    const rules = [...Array.from({ length: 500 }, (_, i) => rule('many', i)), rule('one', 0)];
    const looked: string[] = [];
    await running(
      rules,
      async workspace => {
        looked.push(workspace);
        return null;
      },
      async () => {
        await until(async () => looked.includes('one'), 'a look at the rule of the other');
        assert.ok(looked.indexOf('one') <= 40, `${looked.indexOf('one')} others before it`);
      },
    );
  });

  test('it is told that the platform is up, however long a round takes', async () => {
    let end = (): void => undefined;
    const ended = new Promise<null>(resolve => {
      end = () => resolve(null);
    });
    await running(
      [rule('w', 0)],
      () => ended,
      async ({ told }) => {
        await until(async () => told() >= 2, 'being told a second time');
        end();
      },
    );
  });
});
