import type { Row } from '../edge/row.js';
import { decisionRows } from './decisions.js';
import type { PipelineDeps } from './deps.js';
import { itemRows } from './item.js';
import { runningRows } from './running.js';

/** Pipelines, their cycles, and what is decided of their candidates. */
export const pipelineRows = (deps: PipelineDeps): Row[] => [
  ...itemRows(deps),
  ...runningRows(deps),
  ...decisionRows(deps),
];
