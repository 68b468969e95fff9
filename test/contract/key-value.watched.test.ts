import { memoryKeyValue } from '../../adapters/memory.js';
import { keyValueContract } from './key-value.js';
import { watched } from './watched.js';

keyValueContract('watched', async clock => {
  const { stores, close } = await watched({ kv: memoryKeyValue(clock) });
  return { store: stores.kv, close };
});
