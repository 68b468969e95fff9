import { join } from 'node:path';
import { embeddedReadModels } from '../../adapters/embedded/read-models.js';
import { inFolder } from './opened.js';
import { readModelsContract } from './read-models.js';

readModelsContract('embedded', () => inFolder(folder => embeddedReadModels(join(folder, 'models.db'))));
readModelsContract('embedded, written at once', () =>
  inFolder(folder =>
    embeddedReadModels(join(folder, 'models.db'), { milliseconds: 0, documents: 0, letters: 0 }),
  ),
);
