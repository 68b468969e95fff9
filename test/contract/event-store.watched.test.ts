import { memoryEventStore } from '../../adapters/memory.js';
import { eventStoreContract } from './event-store.js';
import { watched } from './watched.js';

eventStoreContract('watched', async () => {
  const { stores, close } = await watched({ events: memoryEventStore() });
  return {
    store: stores.events,
    async close() {
      await stores.events.close();
      await close();
    },
  };
});
