import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import * as assert from 'uvu/assert';
import { folderContents } from '../../adapters/contents.js';
import { openMongo } from '../../adapters/mongodb/open.js';
import { kept as keptTable } from '../../api/segments/found.js';
import { kept as keptReport } from '../../api/trainings/found.js';
import { ContentUnreadable, isGone, type Contents } from '../../commands/ports/contents.js';
import { temporaryFolder } from '../platform.js';
import { skipped, suite } from '../suite.js';
import { dropDatabase, newDatabase } from './mongodb.js';

const isLost = (contents: Contents, sha256: string): Promise<boolean> =>
  contents.get('shelf', sha256).then(() => false, isGone);

suite('contents in a folder, lost in any way', test => {
  const folder = temporaryFolder();
  const shelf = join(folder.path, 'shelf');
  test.after(() => folder.remove());

  const ways: Readonly<Record<string, (file: string) => void>> = {
    'it is gone': file => rmSync(file),
    'its shelf is gone': () => rmSync(shelf, { recursive: true }),
    'it is cut': file => truncateSync(file, 3),
    'a folder is in its place': file => {
      rmSync(file);
      mkdirSync(file);
    },
    'a file is in the place of its shelf': () => {
      rmSync(shelf, { recursive: true });
      writeFileSync(shelf, '');
    },
  };
  for (const [way, damage] of Object.entries(ways))
    test(way, async () => {
      rmSync(shelf, { recursive: true, force: true });
      const contents = folderContents(folder.path);
      const { sha256 } = await contents.put('shelf', Buffer.from('what was put'));
      assert.is(await isLost(contents, sha256), false);
      damage(join(shelf, sha256));
      assert.is(await isLost(contents, sha256), true);
    });

  if (process.platform === 'linux')
    test('it is not lost where its disk does not give it, and nothing says that it is gone', async () => {
      rmSync(shelf, { recursive: true, force: true });
      const contents = folderContents(folder.path);
      const { sha256 } = await contents.put('shelf', Buffer.from('what was put'));
      rmSync(join(shelf, sha256));
      // The first byte of a process's memory: EIO, whoever asks
      symlinkSync('/proc/self/mem', join(shelf, sha256));
      for (const kept of [keptTable, keptReport])
        try {
          await kept(() => contents.get('shelf', sha256));
          assert.unreachable();
        } catch (error) {
          assert.instance(error, ContentUnreadable);
        }
    });
  else skipped('contents that cannot be read just now', 'no /proc');
});

const { MONGODB_URL: url } = process.env;
if (url) {
  suite('contents over MongoDB, some of which is gone', test => {
    test('are lost', async () => {
      const database = newDatabase();
      const mongo = openMongo({ url, database, clock: Date.now });
      const client = await MongoClient.connect(url);
      const { sha256 } = await mongo.trainings.put('shelf', Buffer.alloc(900_000, 1));
      assert.is(await isLost(mongo.trainings, sha256), false);
      await client.db(database).collection('trainings.chunks').deleteOne({ n: 1 });
      assert.is(await isLost(mongo.trainings, sha256), true);
      await client.close();
      await mongo.close();
      await dropDatabase(url, database);
    });
  });
} else skipped('lost contents, over MongoDB', 'no MONGODB_URL');
