import type { GroupCommands } from '../../commands/groups.js';
import type { GroupKind } from '../../domain/groups/facts.js';
import type { AuditQueries } from '../../projections/audit/queries.js';
import type { GroupQueries } from '../../projections/identity/group-queries.js';
import type { Awaitable } from '../../projections/engine/awaitable.js';
import type { Demands } from '../../projections/identity/records.js';
import type { InOtherCell } from '../edge/other-cells.js';

export type GroupDeps = {
  readonly commands: GroupCommands;
  /** The same, and nothing is written. */
  readonly tried: Pick<GroupCommands, 'archive' | 'removeMember' | 'revokeInvitation'>;
  readonly queries: GroupQueries;
  readonly audit: AuditQueries;
  /** `first`: the plan of a new organization; `of`: the plans that organizations are on. */
  readonly plans: {
    readonly first: string;
    readonly of: (organizationIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  };
  /** What an organization asks of somebody. */
  readonly demands: (organizationId: string, uid: string) => Awaitable<Demands>;
  /** When tokens were last used, as far as that is known; epoch ms. */
  readonly lastUses: {
    readonly last: (tokenIds: readonly string[]) => Promise<ReadonlyMap<string, { readonly at: number }>>;
  };
  /** Organizations that one user may own. */
  readonly organizationsPerUser: number;
  readonly inOtherCell: InOtherCell;
  readonly clock: () => number;
  readonly visible: (position: number | null) => Promise<void>;
};

/** What stands above workspaces takes a token that is not limited to some of them. */
const above = (kind: GroupKind) => kind === 'organization' && ({ everywhere: true } as const);
export const reads = (kind: GroupKind) =>
  ({ kind: 'account', scope: 'workspaces.read', ...above(kind) }) as const;
export const writes = (kind: GroupKind) =>
  ({ kind: 'account', scope: 'workspaces.write', ...above(kind) }) as const;

/** Whoever is signed in, whatever their token may do. */
export const own = { kind: 'account' } as const;

/** Of organizations there is a limit: how a call beyond it is refused. */
export const aboveLimit = (kind: GroupKind): readonly string[] =>
  kind === 'organization' ? ['plan_limit_reached'] : [];

/** Who asks others for a second factor must have one: how a call without it is refused. */
export const ownFactor = (kind: GroupKind): readonly string[] =>
  kind === 'organization' ? ['totp_not_enabled'] : [];

export const pageOf = ({ page, per_page }: { page: number; per_page: number }) => ({
  limit: per_page,
  offset: (page - 1) * per_page,
});
