import { fileStore } from '../../adapters/file-store.js';
import { openMongo } from '../../adapters/mongodb/open.js';
import { skipped } from '../suite.js';
import { fileStoreContract } from './file-store.js';
import { dropDatabase, newDatabase } from './mongodb.js';

fileStoreContract('in a folder', folder => ({ store: fileStore(folder, null), close: async () => {} }));

const { MONGODB_URL: url } = process.env;
if (url)
  fileStoreContract('over MongoDB', folder => {
    const database = newDatabase();
    const mongo = openMongo({ url, database, clock: Date.now });
    const close = async () => {
      await mongo.close();
      await dropDatabase(url, database);
    };
    return { store: fileStore(folder, mongo.files), close };
  });
else skipped('file store, over MongoDB', 'no MONGODB_URL');
