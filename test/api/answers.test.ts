import { setImmediate as turn } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { answers, type Question } from '../../api/edge/answers.js';
import { Cancelled } from '../../domain/maths/compute.js';
import { by, errorOf, isAlive, never, openPool } from '../compute/pool.js';
import { suite } from '../suite.js';

const roomy = { count: 100, bytes: 100_000 };
const question = (rest: Partial<Question> = {}): Question => ({
  workspace: 'w',
  key: 'k',
  version: '1',
  signal: never,
  ...rest,
});

/** Answers that count how often they were made. */
const counting = () => {
  const counter = { made: 0, make: () => Promise.resolve(String(++counter.made)) };
  return counter;
};

/** Work whose end the test decides, and which is told when nobody waits for it any more. */
const work = () => {
  let resolve!: (text: string) => void;
  let reject!: (error: Error) => void;
  const answer = new Promise<string>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  const begun = {
    times: 0,
    ended: 0,
    resolve,
    reject,
    make: (signal: AbortSignal) => {
      begun.times++;
      signal.addEventListener('abort', () => {
        begun.ended++;
      });
      return answer;
    },
  };
  return begun;
};

suite('answers: what is kept', test => {
  test('the same question of the same state is answered from memory', async () => {
    const { cached } = answers(roomy);
    const counter = counting();
    assert.equal(
      [await cached(question(), counter.make), await cached(question(), counter.make)],
      ['1', '1'],
    );
  });

  test('another state, question or workspace is another answer', async () => {
    const { cached } = answers(roomy);
    const counter = counting();
    const asked = [
      {},
      { key: 'l' },
      { workspace: 'v' },
      { version: '2' },
      { version: '1' },
      { key: 'l' },
      { workspace: 'v' },
    ];
    const told: string[] = [];
    for (const rest of asked) told.push(await cached(question(rest), counter.make));
    assert.equal(told, ['1', '2', '3', '4', '5', '2', '3']);
  });

  test('workspace and key cannot run into each other', async () => {
    const { cached } = answers(roomy);
    const counter = counting();
    assert.is(await cached(question({ workspace: 'a', key: '","b' }), counter.make), '1');
    assert.is(await cached(question({ workspace: 'a","', key: 'b' }), counter.make), '2');
  });

  test('an error is not kept', async () => {
    const { cached } = answers(roomy);
    assert.is(
      (await errorOf(cached(question(), () => Promise.reject(new Error('broken'))))).message,
      'broken',
    );
    assert.is(await cached(question(), () => Promise.resolve('well')), 'well');
  });

  test('more than fit: what was not asked for longest goes first', async () => {
    const { cached } = answers({ ...roomy, count: 2 });
    const counter = counting();
    const told: string[] = [];
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b'])
      told.push(await cached(question({ key }), counter.make));
    assert.equal(told, ['1', '2', '1', '3', '1', '4']);
  });

  test('as much as fits is kept; a new state takes the room of the old; too large is not kept', async () => {
    const { cached } = answers({ count: 100, bytes: 800 });
    let made = 0;
    const ask = async (key: string, length: number, version = '1') => {
      const before = made;
      const text = await cached(question({ key, version }), () => {
        made++;
        return Promise.resolve('x'.repeat(length));
      });
      assert.is(text.length, length);
      return made > before ? 'new' : 'kept';
    };
    const told: string[] = [];
    for (const key of ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd']) told.push(await ask(key, 100));
    for (const version of ['2', '3', '4']) told.push(await ask('a', 100, version));
    for (const key of ['b', 'c', 'd', 'e', 'b']) told.push(await ask(key, 100));
    for (const key of ['z', 'z', 'c']) told.push(await ask(key, key === 'z' ? 101 : 100));
    assert.equal(told, [
      ...['new', 'new', 'new', 'new', 'kept', 'kept', 'kept', 'kept'],
      ...['new', 'new', 'new'],
      ...['kept', 'kept', 'kept', 'new', 'kept'],
      ...['new', 'new', 'kept'],
    ]);
  });
});

suite('answers: what is under way', test => {
  test('the same question at the same time is worked out once', async () => {
    const { cached } = answers(roomy);
    const slow = work();
    const asked = [1, 2, 3].map(() => cached(question(), slow.make));
    slow.resolve('once');
    assert.equal(await Promise.all(asked), ['once', 'once', 'once']);
    assert.equal([slow.times, slow.ended], [1, 0]);
  });

  test('a question of another state or workspace does not join', async () => {
    const { cached } = answers(roomy);
    const slow = work();
    const asked = [{}, { version: '2' }, { workspace: 'v' }].map(rest => cached(question(rest), slow.make));
    slow.resolve('each');
    await Promise.all(asked);
    assert.is(slow.times, 3);
  });

  test('an error reaches all who wait', async () => {
    const { cached } = answers(roomy);
    const slow = work();
    const errors = [1, 2].map(() => errorOf(cached(question(), slow.make)));
    slow.reject(new Error('broken'));
    assert.equal(
      (await Promise.all(errors)).map(({ message }) => message),
      ['broken', 'broken'],
    );
  });

  test('work goes on while one waits for it, ends with the last, and then begins anew', async () => {
    const { cached } = answers(roomy);
    const slow = work();
    const callers = [new AbortController(), new AbortController()] as const;
    const errors = callers.map(({ signal }) => errorOf(cached(question({ signal }), slow.make)));
    callers[0].abort();
    assert.instance(await errors[0], Cancelled);
    assert.is(slow.ended, 0);
    callers[1].abort();
    assert.instance(await errors[1], Cancelled);
    assert.equal([slow.times, slow.ended], [1, 1]);
    const { make } = counting();
    assert.is(await cached(question(), make), '1');
    slow.resolve('late');
    await turn();
  });

  test('one who has gone before asks nothing', async () => {
    const { cached } = answers(roomy);
    const slow = work();
    assert.instance(await errorOf(cached(question({ signal: AbortSignal.abort() }), slow.make)), Cancelled);
    assert.is(slow.times, 0);
  });

  test('on the pool: the worker ends when the last caller has gone', async () => {
    const pool = openPool();
    const { cached } = answers(roomy);
    const callers = [new AbortController(), new AbortController()] as const;
    const pid = await pool.run('process', undefined, by('w'));
    const errors = callers.map(({ signal }) =>
      errorOf(
        cached(question({ signal }), ended => pool.json('forever', undefined, by('w', { signal: ended }))),
      ),
    );
    callers[0].abort();
    await errors[0];
    assert.ok(isAlive(pid));
    callers[1].abort();
    await errors[1];
    assert.is.not(await pool.run('process', undefined, by('w')), pid);
    assert.not(isAlive(pid));
    await pool.close();
  });
});
