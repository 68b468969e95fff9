import * as assert from 'uvu/assert';
import { ROUNDS } from '../../fair-turns.js';
import type { Reader } from '../../projections/engine/reader.js';
import { publicPage } from '../../projections/models/public-list.js';
import { suite } from '../suite.js';

suite('public blueprints that are searched', test => {
  test('are looked through page by page, each in a turn of the workspace', async () => {
    let rounds = 0;
    let isOver = false;
    const round = (): void => {
      rounds++;
      if (!isOver) setImmediate(round);
    };
    setImmediate(round);
    const begun: number[] = [];
    const read = {
      async *pages() {
        for (const name of ['Orders', 'Visits', 'More orders']) {
          begun.push(rounds);
          yield [{ _id: name, name, categories: [], tags: [] }];
        }
      },
      load: async (_: string, ids: readonly string[]) => new Map(ids.map(id => [id, { _id: id }])),
    };
    const order = { by: 'name', descending: false } as const;
    const place = { offset: 0, limit: 10 };
    const found = await publicPage(read as never as Reader, 'w', [], { search: 'orders' }, order, place);
    isOver = true;
    assert.is(found.total, 2);
    const apart = begun.slice(1).map((at, i) => at - begun[i]!);
    assert.ok(
      apart.every(passed => passed >= ROUNDS - 1),
      `rounds between pages: ${apart}`,
    );
  });
});
