import type { Row } from '../edge/row.js';
import { connectorRows } from './connector-rows.js';
import { createEventRow } from './create-event-row.js';
import { deliveryListRows } from './delivery-list-rows.js';
import { deliveryRows } from './delivery-rows.js';
import type { IngestionDeps } from './deps.js';
import { executionRows } from './execution-rows.js';
import { jobRows } from './job-rows.js';
import { keepingRows } from './keeping-rows.js';
import { sourceRows } from './source-rows.js';
import { testingRow } from './testing-row.js';

/** Data from other systems: spec 4.7, open-parts 6 and 32.1-7. */
export const ingestionRows = (deps: IngestionDeps): Row[] => [
  createEventRow(deps),
  ...connectorRows(deps),
  ...sourceRows(deps),
  ...keepingRows(deps),
  testingRow(deps),
  ...jobRows(deps),
  ...executionRows(deps),
  ...deliveryRows(deps),
  ...deliveryListRows(deps),
];
