import * as assert from 'uvu/assert';
import { shares } from '../../workers/shares.js';
import { suite } from '../suite.js';

const A_PAGE = 10;

/** So many things of each of some workspaces. */
const things = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).flatMap(([workspace, count]) =>
    Array.from({ length: count }, (_, i) => ({
      workspace,
      _id: `${workspace}/${String(i).padStart(4, '0')}`,
    })),
  );

suite('shares of what workspaces have', test => {
  /** How much of each workspace each of some looks meets. */
  const looked = async (all: ReturnType<typeof things>, looks: number) => {
    const look = shares(async id => all.filter(({ _id }) => _id > id).slice(0, A_PAGE));
    const met = [];
    for (let i = 0; i < looks; i++) {
      const ids: string[] = [];
      for await (const page of look()) ids.push(...page.map(({ _id }) => _id));
      met.push(ids);
    }
    return met;
  };

  test('a look meets all of those that have few, and a bounded share of one that has many', async () => {
    const counts = { a: 3, b: 1_000, c: 1, d: 9, e: 300 };
    const all = things(counts);
    const met = await looked(all, 120);
    for (const ids of met) {
      const of = (workspace: string) => new Set(ids.filter(id => id.startsWith(`${workspace}/`))).size;
      assert.equal(['a', 'c', 'd'].map(of), [3, 1, 9]);
      for (const large of ['b', 'e']) assert.ok(of(large) <= 2 * A_PAGE, `${of(large)} of ${large}`);
      assert.ok(ids.length <= 13 + 4 * A_PAGE);
    }
    // And all of it in the end, again and again
    const later = met.slice(-105).flat();
    for (const { _id } of all) assert.ok(later.includes(_id), _id);
    const apart = met.flatMap((ids, i) => (ids.includes('b/0500') ? [i] : []));
    assert.ok(apart.length > 0 && new Set(met.slice(0, 105).flat()).size === all.length);
  });

  test('one workspace alone has all of its own met, and none is no harm', async () => {
    const all = things({ only: 95 });
    const met = await looked(all, 12);
    assert.is(new Set(met.flat()).size, 95);
    assert.equal(await looked([], 2), [[], []]);
    assert.equal(await looked(things({ a: A_PAGE }), 2), [
      things({ a: A_PAGE }).map(({ _id }) => _id),
      things({ a: A_PAGE }).map(({ _id }) => _id),
    ]);
  });
});
