import * as assert from 'uvu/assert';
import { FairTurns, paced, ROUNDS } from '../fair-turns.js';
import { suite } from './suite.js';

/** Turns with rounds that the test makes; `round` answers what was done in it. */
function world() {
  let due: (() => void)[] = [];
  let done: string[] = [];
  const turns = new FairTurns(next => due.push(next));
  return {
    /** Work of so many parts, one after the other. */
    async work(workspace: string, parts: number): Promise<void> {
      for (let part = 1; part <= parts; part++) {
        await turns.turn(workspace);
        done.push(`${workspace} ${part}`);
      }
    },
    async round(): Promise<string[]> {
      const now = due;
      due = [];
      done = [];
      for (const next of now) next();
      await new Promise(setImmediate);
      return done;
    },
    waiting: () => due.length,
  };
}

suite('turns for long work', test => {
  test('are given one in each round, to the workspaces after each other', async () => {
    const { work, round, waiting } = world();
    const all = [work('loud', 3), work('loud', 3), work('loud', 3), work('quiet', 2)];
    assert.equal(await round(), ['loud 1']);
    assert.equal(await round(), ['quiet 1']);
    assert.equal(await round(), ['loud 1']);
    assert.equal(await round(), ['quiet 2']);
    for (let left = 7; left > 0; left--) assert.is((await round()).length, 1);
    await Promise.all(all);
    assert.is(waiting(), 0);
  });

  test('serve who has waited longest in a workspace', async () => {
    const { work, round } = world();
    const order: string[] = [];
    const all = [
      work('one', 2).then(() => order.push('first')),
      work('one', 2).then(() => order.push('second')),
    ];
    for (let part = 0; part < 4; part++) await round();
    await Promise.all(all);
    assert.equal(order, ['first', 'second']);
  });

  test('leave rounds of the event loop between them to all who need none', async () => {
    const turns = new FairTurns();
    let rounds = 0;
    let next = setImmediate(function count() {
      rounds++;
      next = setImmediate(count);
    });
    const given: number[] = [];
    await Promise.all(
      ['one', 'two', 'two'].map(async workspace => {
        await turns.turn(workspace);
        given.push(rounds);
      }),
    );
    clearImmediate(next);
    assert.equal(
      given.slice(1).map((round, i) => round - given[i]!),
      [ROUNDS, ROUNDS],
    );
  });

  test('are waited for only when enough was done since the last one', async () => {
    const pace = paced('one', 10);
    let rounds = 0;
    let next = setImmediate(function count() {
      rounds++;
      next = setImmediate(count);
    });
    const given: number[] = [];
    for (const done of [4, 4, 4, 9, 1, 30, 9]) {
      await pace(done);
      given.push(Math.floor(rounds / (ROUNDS - 1)));
    }
    clearImmediate(next);
    assert.equal(given, [0, 0, 1, 1, 2, 3, 3]);
  });

  test('begin anew after nobody waited', async () => {
    const { work, round, waiting } = world();
    const first = work('one', 1);
    await round();
    await first;
    assert.is(waiting(), 0);
    const second = work('two', 1);
    assert.equal(await round(), ['two 1']);
    await second;
  });
});
