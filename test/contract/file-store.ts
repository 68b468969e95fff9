import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { FileMissing, type FileStore } from '../../commands/ports/file-store.js';
import { temporaryFolder, until } from '../platform.js';
import { suite } from '../suite.js';

type Opened = { readonly store: FileStore; readonly close: () => Promise<void> };

/** What every store of files does. `open`: over an empty folder of this machine. */
export const fileStoreContract = (what: string, open: (folder: string) => Opened): void =>
  suite(`file store, ${what}`, test => {
    let folder: ReturnType<typeof temporaryFolder>;
    let opened: Opened;
    test.before.each(() => {
      folder = temporaryFolder();
      mkdirSync(join(folder.path, 'own'));
      opened = open(join(folder.path, 'own'));
    });
    test.after.each(async () => {
      await opened.close();
      folder.remove();
    });
    const given = (content: string | Buffer): string => {
      const path = join(folder.path, 'given');
      writeFileSync(path, content);
      return path;
    };
    const content = (name: string) => opened.store.use(name, async path => readFileSync(path).toString());
    const refused = (work: Promise<unknown>) =>
      work.then(
        () => null,
        (error: unknown) => error,
      );

    test('a file is lent as it was put, and gone once it is taken away', async () => {
      await opened.store.put('imp_1', given('a,b\n1,2\n'));
      assert.is(await content('imp_1'), 'a,b\n1,2\n');
      await opened.store.remove('imp_1');
      await opened.store.remove('imp_1');
      assert.ok((await refused(content('imp_1'))) instanceof FileMissing);
    });

    test('a file that was never put is missing', async () => {
      assert.ok((await refused(content('imp_2'))) instanceof FileMissing);
    });

    test('a file of several megabytes comes back byte by byte; others stay as they are', async () => {
      const large = Buffer.alloc(3_000_001, 'abc\0é');
      await opened.store.put('imp_3', given(large));
      await opened.store.put('imp_4', given('x'));
      const back = await opened.store.use('imp_3', async path => readFileSync(path));
      assert.ok(back.equals(large));
      await opened.store.remove('imp_3');
      assert.is(await content('imp_4'), 'x');
    });

    test('a failure of who works on a file is theirs, and the file stays', async () => {
      await opened.store.put('imp_5', given('x'));
      const failed = await refused(opened.store.use('imp_5', () => Promise.reject(new Error('no'))));
      assert.is((failed as Error).message, 'no');
      assert.is(await content('imp_5'), 'x');
    });

    test('files are named that lie there for a while', async () => {
      await opened.store.put('imp_6', given('x'));
      await opened.store.put('imp_7', given('y'));
      await opened.store.remove('imp_7');
      await until(async () => (await opened.store.older(1)).join() === 'imp_6', 'the file to be older');
      assert.equal(await opened.store.older(60_000), []);
    });
  });
