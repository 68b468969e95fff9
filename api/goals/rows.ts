import { turns } from '../../commands/engine/turns.js';
import type { GoalDoc } from '../../projections/goals/documents.js';
import type { Row } from '../edge/row.js';
import type { GoalDeps } from './deps.js';
import { itemRows } from './item.js';
import { listRow } from './list.js';
import { moveRows } from './moves.js';
import { timelineRow } from './timeline.js';

/** Goals, their states, and what happened to them. */
export function goalRows(deps: GoalDeps): Row[] {
  const inTurn = turns<GoalDoc>();
  return [listRow(deps), ...itemRows(deps, inTurn), ...moveRows(deps, inTurn), timelineRow(deps)];
}
