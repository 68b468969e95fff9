import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { readModelsContract } from './read-models.js';
import { watched } from './watched.js';

readModelsContract('watched', async () => {
  const { stores, close } = await watched({ models: memoryReadModels() });
  return {
    store: stores.models,
    async close() {
      await stores.models.close();
      await close();
    },
  };
});
