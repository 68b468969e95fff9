import * as assert from 'uvu/assert';
import { DueLines } from '../../workers/due-lines.js';
import { suite } from '../suite.js';

suite('lines of what is due', test => {
  const lines = (said: string, longest = 10): DueLines => {
    const made = new DueLines(longest);
    for (const _id of said.split(' ')) made.add({ _id, workspace: _id[0]! });
    return made;
  };
  const idle = (): number => 0;
  const ids = (taken: readonly { readonly _id: string }[]): string => taken.map(({ _id }) => _id).join(' ');

  test('workspaces take turns, and what was not taken waits', () => {
    const due = lines('a1 a2 a3 a4 b1 c1 c2');
    assert.is(ids(due.take(4, idle)), 'a1 b1 c1 a2');
    due.add({ _id: 'd1', workspace: 'd' });
    assert.is(ids(due.take(10, idle)), 'c2 a3 d1 a4');
    assert.is(ids(due.take(10, idle)), '');
  });

  test('whoever has the least at work comes first, and nobody has more than there may be', () => {
    const atWork = (workspace: string): number => ({ a: 3, b: 4 })[workspace] ?? 0;
    const due = lines('a1 a2 b1 c1 c2 c3 c4 c5');
    assert.is(ids(due.take(3, atWork, 4)), 'c1 c2 c3');
    assert.is(ids(due.take(9, atWork, 4)), 'c4 c5 a1');
    assert.is(ids(due.take(9, idle, 4)), 'b1 a2');
  });

  test('a thing stands in its line once, which is no longer than it may be', () => {
    const due = lines('a1 a2 a1 a3 b1', 2);
    assert.is(ids(due.take(9, idle)), 'a1 b1 a2');
    due.add({ _id: 'a1', workspace: 'a' });
    due.clear();
    assert.is(ids(due.take(9, idle)), '');
  });
});
