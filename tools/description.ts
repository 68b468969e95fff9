import { descriptionOf } from '../api/edge/openapi.js';
import { allRows } from './all-rows.js';
import { withBarePlatform } from './bare-platform.js';

// Prints the description of the API, for tools that read OpenAPI.
const description = await withBarePlatform(platform => descriptionOf(allRows(platform)));
process.stdout.write(JSON.stringify(description));
