import { join } from 'node:path';
import { embeddedKeys } from '../../adapters/vault/embedded.js';
import { memoryKeys } from '../../adapters/vault/memory.js';
import { temporaryFolder } from '../platform.js';
import { vaultContract } from './vault.js';

vaultContract('memory', async () => ({ store: memoryKeys(), close: async () => {} }));

vaultContract('embedded', async () => {
  const folder = temporaryFolder(), file = join(folder.path, 'vault.db');
  let store = embeddedKeys(file);
  return {
    store,
    async reopen() { await store.close(); store = embeddedKeys(file); return store; },
    async close() { await store.close(); folder.remove(); },
  };
});
