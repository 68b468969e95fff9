import { memoryEventStore } from '../../adapters/memory.js';
import { eventStoreContract } from './event-store.js';

eventStoreContract('memory', async () => {
  const store = memoryEventStore();
  return { store, close: () => store.close() };
});
