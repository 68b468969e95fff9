import { memoryReadModels } from '../../adapters/memory.js';
import { readModelsContract } from './read-models.js';

readModelsContract('memory', async () => {
  const store = memoryReadModels();
  return { store, close: () => store.close() };
});
