import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { WorkerPool } from '../../adapters/threads/pool.js';
import { JobHung } from '../../adapters/threads/pooled-worker.js';
import { suite } from '../suite.js';
import type { Errand } from './fragile-worker.js';

const file = new URL('./fragile-worker.js', import.meta.url);
const limitMs = 60_000;
const open = (
  options: Partial<Parameters<typeof WorkerPool.open>[0]> = {},
): Promise<WorkerPool<Errand, number>> =>
  WorkerPool.open<Errand, number>({ file, threads: 1, limitMs, ...options });
const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: Error) => error.message,
  );

suite('worker pool', test => {
  let dir = '';
  test.before(() => {
    dir = mkdtempSync(join(tmpdir(), 'pool-'));
  });
  test.after(() => rmSync(dir, { recursive: true }));

  test('all workers work', async () => {
    const pool = await open({ threads: 2 });
    const threads = await Promise.all(Array.from({ length: 40 }, () => pool.run({ do: 'answer' })));
    assert.is(new Set(threads).size, 2);
    await pool.close();
  });

  test('a lazy pool has the workers that it has work for, and keeps them', async () => {
    const pool = WorkerPool.lazy<Errand, number>({ file, limitMs, threads: 3, depth: 1 });
    const first = await pool.run({ do: 'answer' });
    assert.is(await pool.run({ do: 'answer' }), first);
    const threads = new Set(await Promise.all(Array.from({ length: 200 }, () => pool.run({ do: 'answer' }))));
    assert.ok(threads.size <= 3 && threads.has(first));
    await pool.close();
    await WorkerPool.lazy<Errand, number>({ file, limitMs, threads: 3 }).close();
  });

  test('a worker that dies is replaced and its job done again; those behind do not notice', async () => {
    const pool = await open();
    const before = await pool.run({ do: 'answer' });
    const log = join(dir, 'log');
    const after = await Promise.all([
      pool.run({ do: 'die once', mark: join(dir, 'mark'), log }),
      pool.run({ do: 'answer', log }),
      pool.run({ do: 'answer', log }),
    ]);
    assert.ok(after.every(thread => thread !== before && thread === after[0]));
    assert.equal(readFileSync(log, 'utf8').split('\n'), ['die once', 'die once', 'answer', 'answer', '']);
    await pool.close();
  });

  test('a job that kills two workers is refused; everything around it is done', async () => {
    const pool = await open({ threads: 2 });
    const errands = Array.from({ length: 20 }, (_, i): Errand => ({ do: i % 5 === 2 ? 'die' : 'answer' }));
    const results = await Promise.allSettled(errands.map(errand => pool.run(errand)));
    for (const [i, { status }] of results.entries())
      assert.is(status, i % 5 === 2 ? 'rejected' : 'fulfilled', `${i}`);
    assert.match(await failure(pool.run({ do: 'die' })), /died of this job twice/);
    assert.type(await pool.run({ do: 'answer' }), 'number');
    await pool.close();
  });

  test('a job that throws is refused with its message, the worker lives', async () => {
    const pool = await open();
    const before = await pool.run({ do: 'answer' });
    assert.match(await failure(pool.run({ do: 'throw' })), /as asked/);
    assert.is(await pool.run({ do: 'answer' }), before);
    await pool.close();
  });

  test('a job that hangs fails by name, its worker is replaced, those behind it do not notice', async () => {
    const told: Error[] = [];
    const pool = await open({ limitMs: 1_000, hung: error => told.push(error) });
    const before = await pool.run({ do: 'answer' });
    const hanging = pool.run({ do: 'hang' }).catch((error: unknown) => error);
    const behind = await Promise.all([pool.run({ do: 'answer' }), pool.run({ do: 'answer' })]);
    assert.ok(behind.every(thread => thread !== before && thread === behind[0]));
    const error = await hanging;
    assert.instance(error, JobHung);
    assert.is((error as Error).message, 'A worker thread did not finish a job within 1 s and was replaced');
    assert.equal(told, [error]);
    assert.is(await pool.run({ do: 'answer' }), behind[0]);
    await pool.close();
  });

  test('the time that jobs wait for those before them does not count', async () => {
    const told: Error[] = [];
    const pool = await open({ limitMs: 2_000, depth: 40, hung: error => told.push(error) });
    const before = await pool.run({ do: 'answer' });
    const threads = await Promise.all(Array.from({ length: 40 }, () => pool.run({ do: 'sleep', ms: 100 })));
    assert.ok(threads.every(thread => thread === before));
    assert.equal(told, []);
    await pool.close();
  });

  test('more jobs than may wait are refused at once', async () => {
    const pool = await open({ depth: 1, maxWaiting: 2 });
    const jobs = [1, 2, 3, 4].map(() => failure(pool.run({ do: 'answer' })));
    assert.equal(await Promise.all(jobs), ['none', 'none', 'none', '2 jobs wait already']);
    await pool.close();
  });

  test('closing lets running jobs end, refuses the waiting ones and later ones', async () => {
    const pool = await open({ depth: 1 });
    const [running, waiting] = [failure(pool.run({ do: 'answer' })), failure(pool.run({ do: 'answer' }))];
    await pool.close();
    assert.is(await running, 'none');
    assert.is(await waiting, 'The pool is closed');
    assert.is(await failure(pool.run({ do: 'answer' })), 'The pool is closed');
    await pool.close();
  });

  test('workers that cannot start: opening fails, later nobody waits for ever, and it heals', async () => {
    const breakFile = join(dir, 'broken');
    writeFileSync(breakFile, 'no model');
    assert.match(await failure(open({ data: { breakFile } })), /no model/);
    rmSync(breakFile);
    const pool = await open({ data: { breakFile } });
    writeFileSync(breakFile, 'no model');
    assert.match(await failure(pool.run({ do: 'die' })), /No worker can start: no model/);
    assert.match(await failure(pool.run({ do: 'answer' })), /No worker can start: no model/);
    rmSync(breakFile);
    assert.type(await pool.run({ do: 'answer' }), 'number');
    await pool.close();
  });
});
