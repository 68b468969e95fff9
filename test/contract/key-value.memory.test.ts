import { memoryKeyValue } from '../../adapters/memory.js';
import { keyValueContract } from './key-value.js';

keyValueContract('memory', async clock => ({ store: memoryKeyValue(clock), close: async () => {} }));
