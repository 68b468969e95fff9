import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { embeddedReadModels } from '../../adapters/embedded/read-models.js';
import type { Query, ReadModels, Stored } from '../../projections/engine/read-models.js';
import { page, type Thing } from '../contract/documents.js';
import { suite } from '../suite.js';
import { withFolder } from './child.js';

const put = (...docs: Stored<Thing>[]) => [{ collection: 'things', put: docs, remove: [] }];

const withModels = (work: (models: ReadModels) => Promise<void>): Promise<void> =>
  withFolder(async folder => {
    const models = embeddedReadModels(join(folder, 'models.db'));
    await models.prepare([{ name: 'things', indexes: [] }]);
    try {
      await work(models);
    } finally {
      await models.close();
    }
  });

/** What is kept in memory is the very document that was put; what comes from the disk is another. */
suite('embedded read models: what stays in memory', test => {
  const big = (n: number): Stored<Thing> => ({ _id: `d${n}`, _at: n, text: 'x'.repeat(900_000) });

  test('the documents written last stay, as far as they are not too large together', () =>
    withModels(async models => {
      const docs = Array.from({ length: 12 }, (_, n) => big(n));
      await models.commit(page('p', 11, { changes: put(...docs) }));
      await models.count('things', {});
      const loaded = await models.load<Thing>(
        'things',
        docs.map(({ _id }) => _id),
      );
      const kept = docs.filter(doc => loaded.get(doc._id) === doc);
      assert.equal(
        kept.map(({ _id }) => _id),
        ['d8', 'd9', 'd10', 'd11'],
      );
      assert.is(loaded.size, 12);
    }));

  test('a document written again and again counts once', () =>
    withModels(async models => {
      for (let n = 0; n < 10; n++) {
        await models.commit(page('p', n, { changes: put({ ...big(0), _at: n }) }));
        await models.count('things', {});
      }
      const small = { _id: 'small', _at: 10 };
      await models.commit(page('p', 10, { changes: put(small) }));
      await models.count('things', {});
      const loaded = await models.load<Thing>('things', ['d0', 'small']);
      assert.is(loaded.get('small'), small);
      assert.is(loaded.get('d0')!._at, 9);
    }));

  const byIds = { where: { _id: { gte: 'a', lte: 'c' } }, sort: { by: ['_id'] } };
  const thing = (_id: string, at: number): Stored<Thing> => ({ _id, _at: at, text: `${_id} ${at}` });

  test('documents that are asked for by their ids are read from the disk once', () =>
    withFolder(async folder => {
      const file = join(folder, 'models.db');
      const before = embeddedReadModels(file);
      await before.prepare([{ name: 'things', indexes: [] }]);
      await before.commit(page('p', 1, { changes: put(thing('a', 1), thing('b', 1), thing('d', 1)) }));
      await before.close();
      const models = embeddedReadModels(file);
      const [a, b, ...others] = await models.find<Thing>('things', byIds);
      assert.equal([a, b, ...others], [thing('a', 1), thing('b', 1)]);
      const again = await models.find<Thing>('things', byIds);
      assert.ok(again[0] === a && again[1] === b);
      assert.ok((await models.load<Thing>('things', ['b'])).get('b') === b);
      await models.close();
    }));

  test('what was read is read anew when it was changed, removed or swept away, in the order asked for', () =>
    withModels(async models => {
      await models.commit(page('p', 1, { changes: put(thing('a', 1), thing('b', 1), thing('c', 1)) }));
      const found = async (query: Query = byIds) =>
        (await models.find<Thing>('things', query)).map(d => d.text);
      assert.equal(await found(), ['a 1', 'b 1', 'c 1']);
      await models.commit(
        page('p', 2, { changes: [{ collection: 'things', put: [thing('b', 2)], remove: ['a'] }] }),
      );
      assert.equal(await found({ ...byIds, sort: { by: ['_id'], descending: true } }), ['c 1', 'b 2']);
      assert.equal(await found({ ...byIds, after: ['b'] }), ['c 1']);
      const sweeps = [{ collection: 'things', where: { _id: 'c' }, before: 3 }];
      await models.commit(page('p', 3, { changes: [], sweeps }));
      assert.equal(await found(), ['b 2']);
      assert.equal(await found({ where: { _id: { prefix: 'b' } }, limit: 1 }), ['b 2']);
    }));
});
