import type { Row } from '../edge/row.js';
import type { TrainingDeps } from './deps.js';
import { downloadRows } from './download.js';
import { readRows } from './reads.js';
import { writeRows } from './writes.js';

/** Trainings: specification 4.6, open-parts 10. */
export const trainingRows = (deps: TrainingDeps): Row[] => [
  ...readRows(deps),
  ...writeRows(deps),
  ...downloadRows(deps),
];
