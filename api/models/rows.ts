import type { Row } from '../edge/row.js';
import type { ModelDeps } from './deps.js';
import { foundationRows } from './foundation-rows.js';

/** What can be deployed or trained: spec 4.5. */
export const modelRows = (deps: ModelDeps): Row[] => [...foundationRows(deps)];
