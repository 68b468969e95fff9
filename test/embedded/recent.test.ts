import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { embeddedReadModels } from '../../adapters/embedded/read-models.js';
import type { ReadModels, Stored } from '../../projections/engine/read-models.js';
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
});
