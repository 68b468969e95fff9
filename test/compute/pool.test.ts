import { setImmediate as turn } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { Cancelled, Overloaded, TookTooLong } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';
import { suite } from '../suite.js';
import { by, errorOf, gate, isAlive, openPool, until } from './pool.js';
import { tasks } from './tasks.js';

const bits = ({ buffer, byteOffset, byteLength }: Float64Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('hex');

suite('compute pool: answers', test => {
  const pool = openPool({ workers: 2 });
  test.after(() => pool.close());

  test('a result equals the direct call to the bit, and the input stays as it was', async () => {
    const input = {
      x: Float64Array.from({ length: 1_000 }, (_, i) => (i + 1) / 1_001),
      rate: 3.99,
      steps: 500,
    };
    const before = input.x.slice();
    const { x, rate } = await pool.run('logistic', input, by('a'));
    assert.is(rate, 3.99);
    assert.is(bits(x), bits(tasks.logistic(input).x));
    assert.is(bits(input.x), bits(before));
  });

  test('numbers of every kind, and containers, come and go unchanged', async () => {
    const x = Float64Array.of(NaN, -0, 0, Infinity, -Infinity, 5e-324, Number.MAX_VALUE, 0.1 + 0.2);
    const input = {
      plain: [...x],
      bytes: Uint8Array.of(1, 2, 3),
      view: x.subarray(5, 7),
      map: new Map([['a', [1]]]),
      set: new Set(['b']),
      at: new Date(0),
      nothing: undefined,
      none: null,
      text: 'ä\u{1F600}',
    };
    const output = (await pool.run('same', input, by('a'))) as typeof input;
    assert.equal(output, input);
    assert.ok(output.plain.every((value, i) => Object.is(value, x[i])));
    assert.is(bits((await pool.run('same', x, by('a'))) as Float64Array), bits(x));
  });

  test('as text: the same as JSON', async () => {
    assert.is(await pool.json('same', { a: [1.5, NaN], b: 'ä' }, by('a')), '{"a":[1.5,null],"b":"ä"}');
  });

  test('all workers work, and are kept', async () => {
    const both = gate();
    const work = [1, 2].map(() => pool.run('wait', { until: both.until }, by('a')));
    both.open();
    await Promise.all(work);
    const pids = new Set<number>();
    for (let i = 0; i < 10; i++) pids.add(await pool.run('process', undefined, by('a')));
    assert.is(pids.size, 1);
    both.remove();
  });

  test('what a task throws is a fault with its message and stack, and its worker lives', async () => {
    const before = await pool.run('process', undefined, by('a'));
    const error = await errorOf(pool.run('throw', 'as asked', by('a')));
    assert.not(error instanceof Rejected);
    assert.is(error.message, 'as asked');
    assert.match(error.stack ?? '', /tasks\.[jt]s/);
    assert.is(await pool.run('process', undefined, by('a')), before);
  });

  test('a refusal stays one', async () => {
    const error = await errorOf(pool.run('refuse', 'too_few', by('a')));
    assert.instance(error, Rejected);
    const { kind, code, message, details } = error as Rejected;
    assert.equal(
      [kind, code, message, details],
      ['unprocessable', 'too_few', 'Not with these', { field: 'keys' }],
    );
  });

  test('what cannot be copied is a fault, on the way there and back, and the worker lives', async () => {
    const before = await pool.run('process', undefined, by('a'));
    assert.match((await errorOf(pool.run('same', () => 1, by('a')))).message, /could not be cloned/);
    assert.match((await errorOf(pool.run('function', undefined, by('a')))).message, /could not be cloned/);
    assert.is(await pool.run('process', undefined, by('a')), before);
  });

  test('a worker sees nothing of our environment', async () => {
    assert.equal(
      (await pool.run('environment', undefined, by('a'))).filter(name => !name.startsWith('NODE_CHANNEL')),
      [],
    );
  });

  test('the event loop turns while the work is done', async () => {
    const door = gate();
    const steps: string[] = [];
    const work = pool.run('wait', { until: door.until }, by('a')).then(() => steps.push('work'));
    for (let turns = 0; turns < 1_000; turns++) await turn();
    steps.push('1000 turns');
    door.open(); // work on this thread would wait for ever for what comes after it
    await work;
    assert.equal(steps, ['1000 turns', 'work']);
    door.remove();
  });
});

suite('compute pool: bounds', test => {
  test('a cancelled task ends at once, and its place is free', async () => {
    const pool = openPool();
    const pid = await pool.run('process', undefined, by('a'));
    const caller = new AbortController();
    const error = errorOf(pool.run('forever', undefined, by('a', { signal: caller.signal })));
    const next = pool.run('process', undefined, by('a'));
    caller.abort();
    assert.instance(await error, Cancelled);
    assert.is.not(await next, pid);
    assert.not(isAlive(pid));
    await pool.close();
  });

  test('a task that waits is cancelled; one whose caller has gone before is not begun', async () => {
    const pool = openPool();
    const door = gate();
    const first = pool.run('wait', { until: door.until, name: 'first' }, by('a'));
    const caller = new AbortController();
    const waiting = errorOf(pool.run('forever', undefined, by('a', { signal: caller.signal })));
    caller.abort();
    assert.instance(await waiting, Cancelled);
    assert.instance(
      await errorOf(pool.run('forever', undefined, by('a', { signal: caller.signal }))),
      Cancelled,
    );
    door.open();
    assert.is(await first, 'first');
    await pool.close();
    door.remove();
  });

  test('the end of a signal after the answer changes nothing', async () => {
    const pool = openPool();
    const caller = new AbortController();
    const pid = await pool.run('process', undefined, by('a', { signal: caller.signal }));
    caller.abort();
    assert.is(await pool.run('process', undefined, by('a')), pid);
    await pool.close();
  });

  test('a task that takes too long is refused, and its place is free', async () => {
    const pool = openPool();
    const error = (await errorOf(pool.run('forever', undefined, by('a', { withinMs: 50 })))) as TookTooLong;
    assert.instance(error, TookTooLong);
    assert.equal(
      [error.kind, error.code, error.details],
      ['unprocessable', 'analysis_too_long', { within_ms: 50 }],
    );
    assert.type(await pool.run('process', undefined, by('a')), 'number');
    await pool.close();
  });

  test('one that only waited too long may be sent again', async () => {
    const pool = openPool();
    const door = gate();
    const first = pool.run('wait', { until: door.until, name: 'first' }, by('a'));
    const error = (await errorOf(pool.run('process', undefined, by('b', { withinMs: 20 })))) as Overloaded;
    assert.instance(error, Overloaded);
    assert.equal(
      [error.kind, error.code, error.details],
      ['unavailable', 'overloaded', { retry_after_s: 5 }],
    );
    door.open();
    assert.is(await first, 'first');
    await pool.close();
    door.remove();
  });

  test('a worker that dies answers its task with a fault; those behind it do not notice', async () => {
    const pool = openPool();
    const deaths = [
      errorOf(pool.run('exit', undefined, by('a'))),
      errorOf(pool.run('abort', 'said last', by('a'))),
    ];
    const behind = pool.run('same', 'behind', by('a'));
    const [exit, abort] = (await Promise.all(deaths)) as [Error, Error];
    assert.not(exit instanceof Rejected || abort instanceof Rejected);
    assert.match(exit.message, /ended at its work \(code 3\)/);
    assert.match(abort.message, /ended at its work \(SIGABRT\): said last/);
    assert.is(await behind, 'behind');
    await pool.close();
  });

  test('a module of tasks that cannot be loaded is a fault that says why, for each task', async () => {
    const pool = openPool({ tasks: new URL('./nowhere.js', import.meta.url) });
    for (let i = 0; i < 2; i++) {
      assert.match(
        (await errorOf(pool.run('process', undefined, by('a')))).message,
        /Cannot find module.*nowhere\.js/s,
      );
    }
    await pool.close();
  });

  test('Ctrl-C in a terminal, which reaches all processes, leaves the decision to ours', async () => {
    const pool = openPool();
    const door = gate();
    const pid = await pool.run('process', undefined, by('a'));
    const work = pool.run('wait', { until: door.until, name: 'done' }, by('a'));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    door.open();
    assert.is(await work, 'done');
    await pool.close();
    door.remove();
  });

  test('closing refuses what waits and what is at work, and all workers have ended', async () => {
    const pool = openPool();
    const pid = await pool.run('process', undefined, by('a'));
    const errors = [
      errorOf(pool.run('forever', undefined, by('a'))),
      errorOf(pool.run('forever', undefined, by('a'))),
    ];
    await pool.close();
    assert.not(isAlive(pid));
    for (const error of [
      ...(await Promise.all(errors)),
      await errorOf(pool.run('process', undefined, by('a'))),
    ]) {
      assert.instance(error, Overloaded);
    }
    await pool.close();
  });

  test('a worker without work ends after a while, and another is started when needed', async () => {
    const pool = openPool({ idleMs: 1 });
    const pid = await pool.run('process', undefined, by('a'));
    await until(() => !isAlive(pid));
    assert.is.not(await pool.run('process', undefined, by('a')), pid);
    await pool.close();
  });
});
