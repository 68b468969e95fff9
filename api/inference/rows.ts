import type { Row } from '../edge/row.js';
import type { InferenceDeps } from './deps.js';
import { recordRows } from './records.js';
import { taskRows } from './tasks.js';

/** Forecasts and the other tasks of deployed models, and what became of them: spec 4.10, open-parts 12. */
export const inferenceRows = (deps: InferenceDeps): Row[] => [...taskRows(deps), ...recordRows(deps)];
