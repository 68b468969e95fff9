import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GridFSBucket, MongoClient } from 'mongodb';
import * as assert from 'uvu/assert';
import { fileStore } from '../../adapters/file-store.js';
import { openMongo } from '../../adapters/mongodb/open.js';
import { temporaryFolder, until } from '../platform.js';
import { skipped, suite } from '../suite.js';
import { fileStoreContract } from './file-store.js';
import { dropDatabase, newDatabase } from './mongodb.js';

fileStoreContract('in a folder', folder => ({ store: fileStore(folder, null), close: async () => {} }));

const { MONGODB_URL: url } = process.env;
if (url) {
  fileStoreContract('over MongoDB', folder => {
    const database = newDatabase();
    const mongo = openMongo({ url, database, clock: Date.now });
    const close = async () => {
      await mongo.close();
      await dropDatabase(url, database);
    };
    return { store: fileStore(folder, mongo.files), close };
  });

  suite('uploads to MongoDB that were cut short', test => {
    test('leave nothing behind, and whole files stay', async () => {
      const folder = temporaryFolder();
      const database = newDatabase();
      const mongo = openMongo({ url, database, clock: Date.now });
      const client = await MongoClient.connect(url);
      const db = client.db(database);
      const store = fileStore(folder.path, mongo.files);
      const whole = join(folder.path, 'whole');
      writeFileSync(whole, Buffer.alloc(600_000, 1));
      await store.put('whole', whole);
      const cut = new GridFSBucket(db, { bucketName: 'files' }).openUploadStream('cut');
      await new Promise<void>((resolve, reject) =>
        cut.write(Buffer.alloc(600_000), error => (error ? reject(error) : resolve())),
      );
      const chunks = () => db.collection('files.chunks').countDocuments({ files_id: cut.id });
      assert.ok((await chunks()) > 0);
      await store.clean(60_000);
      assert.ok((await chunks()) > 0, 'it may still be under way');
      await until(async () => {
        await store.clean(0);
        return (await chunks()) === 0;
      }, 'its chunks to be gone');
      assert.is(await store.use('whole', async path => statSync(path).size), 600_000);
      await client.close();
      await mongo.close();
      await dropDatabase(url, database);
      folder.remove();
    });
  });
} else skipped('file store, over MongoDB', 'no MONGODB_URL');
