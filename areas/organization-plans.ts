import { billingTables } from '../config/billing-tables.js';
import { billingProjection } from '../projections/billing/projection.js';
import { ledgerQueries } from '../projections/billing/queries.js';
import type { Kernel } from './kernel.js';

/** Which plans organizations are on, as the billing area tells of them, for what that area is built on. */
export function organizationPlans({ config, read }: Kernel) {
  const first = billingTables(config).plan.id;
  const queries = ledgerQueries(read(billingProjection));
  return {
    /** Of an organization that was given no other. */
    first,
    /** The ids of their plans, by organization. */
    async of(organizationIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const accounts = await queries.accountsOf(organizationIds);
      return new Map(organizationIds.map(id => [id, accounts.get(id)?.account.plan ?? first]));
    },
  };
}
