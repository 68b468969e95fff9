import type { LedgerCommands } from '../../commands/billing.js';
import { monthOf, openedWith, type Account } from '../../domain/billing/account.js';
import type { PlanTerms } from '../../domain/billing/facts.js';
import type { Role } from '../../domain/groups/roles.js';
import type { Plans } from '../../domain/billing/plans.js';
import type { Rates } from '../../domain/billing/rates.js';
import type { LedgerQueries } from '../../projections/billing/queries.js';

export type BillingDeps = {
  readonly queries: LedgerQueries;
  readonly commands: Pick<LedgerCommands, 'settled' | 'setLowBalance'>;
  readonly plans: Plans;
  readonly rates: Rates;
  /** What a ledger is opened with. */
  readonly terms: PlanTerms;
  readonly organizationOf: (workspace: string) => Promise<string>;
  /** The role of somebody in an organization; null: they are no member. */
  readonly roleIn: (organizationId: string, uid: string) => Promise<Role | null>;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models hold the fact at a position; null: nothing was written. */
  readonly visible: (position: number | null) => Promise<void>;
};

/** The account of a workspace's organization, with all that this process has written to it. */
export async function accountOf(deps: BillingDeps, organizationId: string, at: number): Promise<Account> {
  const { queries, commands, terms, visible } = deps;
  await visible(await commands.settled(organizationId));
  const doc = await queries.account(organizationId);
  return doc?.account ?? openedWith({ ...terms, period: monthOf(at) });
}

export const tag = 'Billing';
export const reads = { kind: 'workspace', scope: 'workspaces.read' } as const;
/** What costs is for those who look after a workspace. */
export const common = { method: 'get', tag, access: reads, leastRole: 'admin' } as const;
