import { scopesPage } from './scopes-table.js';
import { allRows } from './all-rows.js';
import { startPlatform, temporaryFolder } from './platform.js';

// Prints docs/scopes.md as the rows of a running platform make it.
const folder = temporaryFolder();
const api = await startPlatform(folder.path, { running: ['api', 'projections'] });
process.stdout.write(scopesPage(allRows(api.platform)));
await api.stop();
folder.remove();
