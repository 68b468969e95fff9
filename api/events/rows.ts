import type { Row } from '../edge/row.js';
import type { EventDeps } from './deps.js';
import { eventReadRows } from './event-read-rows.js';
import { oneEventRows } from './event-rows.js';
import { recordRows } from './record-rows.js';
import { streamRows } from './stream-rows.js';

/** Recording and reading dated texts: spec 4.4. */
export const eventRows = (deps: EventDeps): Row[] => [
  ...recordRows(deps),
  ...streamRows(deps),
  ...eventReadRows(deps),
  ...oneEventRows(deps),
];
