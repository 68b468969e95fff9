import type { Row } from '../edge/row.js';
import type { FleetDeps } from './deps.js';
import { forecastRow } from './forecast.js';
import { itemRows } from './item.js';
import { listRows } from './lists.js';
import { moveRows } from './moves.js';

/** Fleets, what their goals forecast together, and how well they do. */
export const fleetRows = (deps: FleetDeps): Row[] => [
  ...listRows(deps),
  ...itemRows(deps),
  ...moveRows(deps),
  forecastRow(deps),
];
