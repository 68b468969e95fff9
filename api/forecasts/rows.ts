import { actualRows } from './accuracy.js';
import type { ForecastDeps } from './deps.js';
import { explainRows } from './explain.js';
import { issuedRows } from './issued.js';
import { nowRow } from './now.js';
import { replayRow } from './replay.js';
import type { Row } from '../edge/row.js';

/** Forecasts of goals: open-parts 13.2 and 17. */
export const forecastRows = (deps: ForecastDeps): Row[] => [
  ...issuedRows(deps),
  nowRow(deps),
  replayRow(deps),
  ...actualRows(deps),
  ...explainRows(deps),
];
