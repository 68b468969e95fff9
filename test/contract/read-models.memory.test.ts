import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { readModelsContract } from './read-models.js';

readModelsContract('memory', async () => {
  const store = memoryReadModels();
  return { store, close: () => store.close() };
});
