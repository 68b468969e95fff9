import { join } from 'node:path';
import { embeddedEventStore } from '../../adapters/embedded/event-store.js';
import { eventStoreContract } from './event-store.js';
import { inFolder } from './opened.js';

eventStoreContract('embedded', () => inFolder(folder => embeddedEventStore(join(folder, 'facts.db'))));
