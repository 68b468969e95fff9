import { join } from 'node:path';
import { embeddedKeyValue } from '../../adapters/embedded/key-value.js';
import { keyValueContract } from './key-value.js';
import { inFolder } from './opened.js';

keyValueContract('embedded', clock => inFolder(folder => embeddedKeyValue(join(folder, 'keys.db'), clock)));
