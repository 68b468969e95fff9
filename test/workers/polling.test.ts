import * as assert from 'uvu/assert';
import type { Due } from '../../projections/ingestion/poll-queries.js';
import { polling } from '../../workers/polling.js';
import { quiet } from '../projections/world.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';

const NOW = 1_800_000_000_000;

suite('jobs that are due', test => {
  test('of one workspace do not wait for all of another, nor are all read again and again', async () => {
    const all = [
      ...Array.from({ length: 1_000 }, (_, i) => ({ workspace: 'many', i })),
      { workspace: 'one', i: 0 },
    ];
    const jobs = all.map(({ workspace, i }) => ({
      ...{
        _id: `job_${workspace}_${i}`,
        workspace,
        source_id: 'src',
        is_open: false,
        next_run_at: NOW - 60_000,
      },
    }));
    const asked: string[] = [];
    let read = 0;
    const running = polling({
      queries: {
        async *dueJobs({ since }: Due) {
          if (since !== null) return;
          read++;
          yield jobs.filter(({ _id }) => !asked.includes(_id));
        },
        async *dueExecutions() {},
        job: async (_: string, id: string) => jobs.find(({ _id }) => _id === id) ?? null,
      },
      jobs: {
        async run({ _id }: (typeof jobs)[number]) {
          asked.push(_id);
          return { executionId: `exe_${_id}`, position: null };
        },
      },
      ...{ isAsked: async () => true, visible: async () => undefined, log: quiet },
      ...{ clock: () => NOW, newId: () => 'id' },
    } as never);
    await until(async () => asked.length > 200, 'runs that are asked for');
    await running.stop();
    assert.ok(asked.indexOf('job_one_0') < 2, `${asked.indexOf('job_one_0')} before it`);
    assert.is(new Set(asked).size, asked.length);
    assert.is(read, 1);
  });
});
