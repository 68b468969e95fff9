import * as assert from 'uvu/assert';
import { checkpointsOn } from '../../adapters/mongodb/checkpoints.js';
import { connect } from '../../adapters/mongodb/client.js';
import { pagesOn } from '../../adapters/mongodb/pages.js';
import { mongoReadModels } from '../../adapters/mongodb/read-models.js';
import { Overtaken } from '../../projections/engine/read-models.js';
import { skipped, suite } from '../suite.js';
import { given, page } from './documents.js';
import { dropDatabase, newDatabase } from './mongodb.js';
import { rejection } from './opened.js';

/** A server without transactions: a writer looks at its fence, sleeps, is overtaken, and goes on. */
const late = (url: string): void =>
  suite('MongoDB without transactions: a writer that wakes up late', test => {
    const database = newDatabase();
    const connection = { ...connect(url, database), transactions: async () => false };
    const models = mongoReadModels(connection);
    test.after(async () => {
      await connection.close();
      await dropDatabase(url, database);
    });

    test('neither writes over nor removes what stands later', async () => {
      const collection = await given(models, [{ _id: 'a' }, { _id: 'b' }]);
      const newer = [
        { _id: 'a', _at: 9, by: 'next' },
        { _id: 'b', _at: 9, by: 'next' },
      ];
      const checkpoints = checkpointsOn(connection);
      const commit = pagesOn(connection, {
        ...checkpoints,
        async under(projection, fence, work) {
          await checkpoints.mark(projection, fence);
          await models.commit(
            page(collection, 9, { fence: 2, changes: [{ collection, put: newer, remove: [] }] }),
          );
          await work();
        },
      });
      const put = [{ _id: 'a', _at: 5, by: 'late' }];
      const removing = page(collection, 5, { fence: 1, changes: [{ collection, put: [], remove: ['b'] }] });
      const putting = page(collection, 5, { fence: 1, changes: [{ collection, put, remove: [] }] });
      assert.instance(await rejection(commit(removing)), Overtaken);
      await checkpoints.forget(collection);
      assert.instance(await rejection(commit(putting)), Overtaken);
      assert.equal(await models.find(collection, { where: {}, sort: { by: ['_id'] } }), newer);
    });
  });

const { MONGODB_URL } = process.env;
if (MONGODB_URL) late(MONGODB_URL);
else skipped('MongoDB without transactions', 'no MONGODB_URL');
