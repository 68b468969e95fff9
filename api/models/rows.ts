import type { Row } from '../edge/row.js';
import { adapterRows } from './adapter-rows.js';
import { blueprintRows } from './blueprint-rows.js';
import type { ModelDeps } from './deps.js';
import { foundationRows } from './foundation-rows.js';
import { writeRows } from './write-rows.js';

/** What can be deployed or trained: spec 4.5. */
export const modelRows = (deps: ModelDeps): Row[] => [
  ...foundationRows(deps),
  ...adapterRows(deps),
  ...blueprintRows(deps),
  ...writeRows(deps),
];
