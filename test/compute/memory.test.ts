import * as assert from 'uvu/assert';
import { TooMuchMemory } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';
import { suite } from '../suite.js';
import { by, errorOf, openPool } from './pool.js';

const endless = [
  'objects',
  'oneArray',
  'oneMap',
  'typedArrays',
  'oneTypedArray',
  'strings',
  'oneString',
] as const;

suite('compute pool: memory', test => {
  const pool = openPool();
  const small = openPool({ memoryMb: 160 });
  test.after(() => Promise.all([pool.close(), small.close()]).then(() => undefined));

  for (const task of endless)
    test(`memory without end (${task}): the task is refused, and the pool goes on`, async () => {
      const error = (await errorOf(small.run(task, undefined, by('a')))) as TooMuchMemory;
      assert.instance(error, TooMuchMemory, error.message);
      assert.equal(
        [error.kind, error.code, error.details],
        ['unprocessable', 'analysis_too_large', { limit_mb: 160 }],
      );
      assert.is(await small.run('same', task, by('a')), task);
    });

  test('so it is when V8 gives up before the watch has seen it; another abort is a fault', async () => {
    const words = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n';
    assert.instance(await errorOf(small.run('abort', words, by('a'))), TooMuchMemory);
    assert.not(
      (await errorOf(small.run('abort', 'FATAL ERROR: something else\n', by('a')))) instanceof Rejected,
    );
  });

  test('a recursion without end is a fault', async () => {
    const error = await errorOf(pool.run('recursion', undefined, by('a')));
    assert.not(error instanceof Rejected);
    assert.match(error.message, /call stack/);
  });

  test('a worker that grew is not used again, so that nothing is left to the next task', async () => {
    const before = await pool.run('process', undefined, by('a'));
    assert.is(await pool.run('megabytes', 8, by('a')), 8 * 131_072);
    assert.is(await pool.run('process', undefined, by('a')), before);
    assert.is(await pool.run('megabytes', 120, by('a')), 120 * 131_072);
    assert.is.not(await pool.run('process', undefined, by('a')), before);
  });

  test('workers side by side have the memory each for itself', async () => {
    const two = openPool({ workers: 2 });
    const work = [two.run('megabytes', 120, by('a')), two.run('typedArrays', undefined, by('b'))];
    assert.equal(
      (await Promise.allSettled(work)).map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    await two.close();
  });
});
