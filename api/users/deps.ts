import type { ApiTokenCommands } from '../../commands/api-tokens.js';
import type { OpsCommands } from '../../commands/ops.js';
import type { TokenUses } from './token-uses.js';
import type { UserCommands } from '../../commands/users.js';
import type { AccountQueries } from '../../projections/identity/queries.js';
import type { InOtherCell } from '../edge/other-cells.js';

export type UserDeps = {
  readonly users: UserCommands;
  readonly tokens: ApiTokenCommands;
  /** The same, and nothing is written. */
  readonly tried: Pick<ApiTokenCommands, 'revoke'>;
  readonly ops: OpsCommands;
  readonly queries: AccountQueries;
  readonly lastUses: Pick<TokenUses, 'last'>;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of identities hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
  /** Why an id that is not known here is refused: it was made in another cell. */
  readonly inOtherCell: InOtherCell;
};

export const tag = 'Users';
/** One's own account: any valid token. */
export const own = { kind: 'account' } as const;
/** It is for all that the user may do: no token that is limited to some workspaces gives it. */
export const writes = { kind: 'account', scope: 'workspaces.write', everywhere: true } as const;
export const internal = { kind: 'internal' } as const;

/**
 * For answers that hold secrets or personal data: a repeat under the same `Idempotency-Key` is done again.
 */
export const nothing = (): undefined => undefined;

/** The answer without one member of its `data`: what is shown once is not kept. */
export const without =
  (name: string) =>
  (body: unknown): unknown => {
    const { data } = body as { data: Record<string, unknown> };
    return { data: Object.fromEntries(Object.entries(data).filter(([member]) => member !== name)) };
  };
