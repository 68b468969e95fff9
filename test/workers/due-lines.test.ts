import * as assert from 'uvu/assert';
import type { InShort } from '../../projections/ingestion/poll-queries.js';
import { DueLines } from '../../workers/due-lines.js';
import { suite } from '../suite.js';

suite('lines of what is due', test => {
  /** Of `a1/s`: `a1` of workspace `a` and source `s`. */
  const due = (said: string): InShort[] =>
    said.split(' ').map(one => {
      const [_id, source_id = ''] = one.split('/') as [string, string?];
      return { _id, workspace: _id[0]!, source_id };
    });
  const lines = (said: string, longest = 10): DueLines => {
    const made = new DueLines(longest);
    for (const each of due(said)) made.add(each);
    return made;
  };
  const taken = (of: DueLines, count: number): string =>
    Array.from({ length: count }, () => of.next()?._id ?? '-').join(' ');

  test('workspaces take turns, and what was not taken waits', () => {
    const made = lines('a1 a2 a3 a4 b1 c1 c2');
    assert.is(taken(made, 4), 'a1 b1 c1 a2');
    for (const each of due('a3 d1')) made.add(each);
    assert.is(taken(made, 5), 'c2 a3 d1 a4 -');
  });

  test('whoever has the least at work comes first, and nobody has more than there may be', () => {
    const atWork: Record<string, number> = { a: 3, b: 4 };
    const made = lines('a1 a2 b1 c1 c2 c3 c4 c5');
    const served = Array.from({ length: 6 }, () => {
      const first = made.next(workspace => atWork[workspace] ?? 0, 4);
      if (first) atWork[first.workspace] = (atWork[first.workspace] ?? 0) + 1;
      return first?._id ?? '-';
    });
    assert.is(served.join(' '), 'c1 c2 c3 a1 c4 -');
    assert.is(taken(made, 4), 'b1 a2 c5 -');
  });

  test('a thing stands in its line once, which is no longer than it may be', () => {
    assert.is(taken(lines('a1 a2 a1 a3 b1', 2), 4), 'a1 b1 a2 -');
  });

  test('what is of paused sources takes no place, and each source is looked up once', async () => {
    const made = new DueLines(2);
    const looked: string[] = [];
    async function* pages() {
      yield due('a1/off a2/off a3/off a4/on');
      yield due('a5/off a6/on a7/on b1/other b2/other');
    }
    const isAsked = async (workspace: string, source: string): Promise<boolean> => {
      looked.push(`${workspace} ${source}`);
      return source !== 'off';
    };
    await made.fill(pages(), id => id !== 'b1', isAsked);
    assert.is(taken(made, 4), 'a4 b2 a6 -');
    assert.equal(looked, ['a off', 'a on', 'b other']);
  });
});
