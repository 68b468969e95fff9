import { startPlatform, temporaryFolder } from './platform.js';

// Prints the description as a running platform serves it, for tools that read OpenAPI.
const folder = temporaryFolder();
const api = await startPlatform(folder.path, { running: ['api', 'projections'] });
process.stdout.write((await api.call('GET', '/openapi/v1.json')).text);
await api.stop();
folder.remove();
