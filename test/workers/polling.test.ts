import * as assert from 'uvu/assert';
import type { Due } from '../../projections/ingestion/poll-queries.js';
import { polling } from '../../workers/polling.js';
import { quiet } from '../projections/world.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';

const NOW = 1_800_000_000_000;

type Job = { readonly _id: string; readonly workspace: string; readonly source_id: string };
const job = (workspace: string, i: number, source_id = 'src') => ({
  ...{ _id: `job_${workspace}_${i}`, workspace, source_id, is_open: false, next_run_at: NOW - 60_000 },
});
const many = (count: number, made: (i: number) => Job): Job[] =>
  Array.from({ length: count }, (_, i) => made(i));

/** What is asked for, in its order, of jobs that are all due. */
function asking(jobs: readonly Job[], isAsked: (source: string) => boolean = () => true) {
  const asked: string[] = [];
  const reads = { all: 0, sources: 0 };
  const running = polling({
    queries: {
      async *dueJobs({ since }: Due) {
        if (since !== null) return;
        reads.all++;
        yield jobs.filter(({ _id }) => !asked.includes(_id));
      },
      async *dueExecutions() {},
      job: async (_: string, id: string) => jobs.find(({ _id }) => _id === id) ?? null,
    },
    jobs: {
      async run({ _id }: Job) {
        asked.push(_id);
        return { executionId: `exe_${_id}`, position: null };
      },
    },
    async isAsked(_: string, source: string) {
      reads.sources++;
      return isAsked(source);
    },
    ...{ visible: async () => undefined, log: quiet, clock: () => NOW, newId: () => 'id' },
  } as never);
  return { asked, reads, running };
}

suite('jobs that are due', test => {
  test('of one workspace do not wait for all of another, nor are all read again and again', async () => {
    const { asked, reads, running } = asking([...many(1_000, i => job('many', i)), job('one', 0)]);
    await until(async () => asked.length > 200, 'runs that are asked for');
    await running.stop();
    assert.ok(asked.indexOf('job_one_0') < 2, `${asked.indexOf('job_one_0')} before it`);
    assert.is(new Set(asked).size, asked.length);
    assert.is(reads.all, 1);
  });

  test('of paused sources keep no other waiting, of their workspace or of others', async () => {
    const paused = [
      ...many(600, i => job('one', i, 'paused')),
      ...many(600, i => job(`w${i}`, 0, `paused_${i}`)),
    ];
    const live = [job('one', 600), job('two', 0)];
    const { asked, reads, running } = asking([...paused, ...live], source => source === 'src');
    await until(async () => asked.length === 2, 'runs of the sources that are not paused');
    await running.stop();
    assert.equal(
      asked,
      live.map(({ _id }) => _id),
    );
    assert.is(reads.all, 1);
    assert.is(reads.sources, 1 + 600 + 1 + 2);
  });

  test('of a source that was paused while they waited keep no other waiting', async () => {
    let paused = false;
    const waiting = [...many(250, i => job('one', i, 'soon_paused')), job('one', 250)];
    const { asked, reads, running } = asking(waiting, source => {
      if (reads.sources > 10) paused = true;
      return source === 'src' || !paused;
    });
    await until(async () => asked.includes('job_one_250'), 'a run of the source that is not paused');
    await running.stop();
    assert.ok(asked.length < 10, `${asked.length} were asked`);
    assert.is(reads.all, 1);
  });
});
