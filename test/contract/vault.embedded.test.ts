import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { embeddedKeys } from '../../adapters/vault/embedded.js';
import { memoryKeys } from '../../adapters/vault/memory.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';
import { vaultContract } from './vault.js';

vaultContract('memory', async () => ({ store: memoryKeys(), close: async () => {} }));

vaultContract('embedded', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'vault.db');
  let store = embeddedKeys(file);
  return {
    store,
    async reopen() {
      await store.close();
      store = embeddedKeys(file);
      return store;
    },
    async close() {
      await store.close();
      folder.remove();
    },
  };
});

suite('the file of the embedded vault', test => {
  test('holds nothing of what was retired or thrown away, once a key is thrown away', async () => {
    const folder = temporaryFolder();
    const store = embeddedKeys(join(folder.path, 'vault.db'));
    const wrapped = (n: number) => `wrapped${n}`.padEnd(100, '.');
    try {
      // In no order, so that pages split and rows move
      for (let n = 0; n < 600; n++)
        await store.insert(`usr_${(n * 7_919) % 601}`, wrapped((n * 7_919) % 601));
      for (let n = 0; n < 600; n += 3) await store.retire(`usr_${n}`);
      await store.destroy('usr_1');
      const text = readdirSync(folder.path)
        .map(file => readFileSync(join(folder.path, file), 'latin1'))
        .join();
      assert.ok(text.includes(wrapped(2)));
      assert.equal(
        [1, ...Array.from({ length: 200 }, (_, n) => 3 * n)].filter(n => text.includes(wrapped(n))),
        [],
      );
    } finally {
      await store.close();
      folder.remove();
    }
  });
});
