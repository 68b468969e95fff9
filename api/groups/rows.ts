import type { GroupKind } from '../../domain/groups/facts.js';
import type { Row } from '../edge/row.js';
import { auditRow } from './audit.js';
import { collectionRows } from './collection.js';
import type { GroupDeps } from './deps.js';
import { entering } from './enter.js';
import { invitationRows } from './invitations.js';
import { invitedRows } from './invited.js';
import { itemRows } from './item.js';
import { memberRows } from './members.js';
import { showing } from './show.js';

/**
 * Workspaces and organizations: who is in them and what they may do. Open-parts 24; the path decides, no
 * header is needed.
 */
export function groupRows(kind: GroupKind, deps: GroupDeps): Row[] {
  const enter = entering(kind, deps);
  const show = showing(kind, deps);
  return [
    ...collectionRows(kind, deps, show),
    ...itemRows(kind, deps, enter, show),
    auditRow(kind, deps, enter),
    ...memberRows(kind, deps, enter),
    ...invitationRows(kind, deps, enter),
    ...invitedRows(kind, deps),
  ];
}
