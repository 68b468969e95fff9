import { accountOf } from '../api/billing/deps.js';
import { billingRows } from '../api/billing/rows.js';
import { ledgerCommands } from '../commands/billing.js';
import { creditsOf } from '../commands/billing/credits.js';
import { billingTables } from '../config/billing-tables.js';
import { billingFrames } from '../domain/billing/frames.js';
import { termsOf } from '../domain/billing/plans.js';
import { billingProjection } from '../projections/billing/projection.js';
import { groupQueries } from '../projections/identity/group-queries.js';
import { identityProjection } from '../projections/identity/projection.js';
import { ledgerQueries } from '../projections/billing/queries.js';
import { opening } from '../workers/opening.js';
import { renewing } from '../workers/renewing.js';
import { area } from './area.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import { ledgerNotices } from './notices.js';

type On = { readonly identity: IdentityArea };

/** What organizations have, and what is paid for. */
export const billingArea = (kernel: Kernel, { identity }: On) => {
  const { config, together, read, clock, newId, log, stores, visibleIn } = kernel;
  const { plans, rates, plan } = billingTables(config);
  const terms = termsOf(plans, plan);
  const queries = ledgerQueries(read(billingProjection));
  const commands = ledgerCommands({ together, known: queries.known, terms });
  const organizationOf = async (workspace: string): Promise<string> =>
    (await identity.directory.workspace(workspace))!.organizationId;
  const credits = creditsOf({ commands, alone: !stores.shared, rates, organizationOf, clock, log });
  const groups = groupQueries(read(identityProjection));
  const deps = {
    queries,
    commands,
    plans,
    rates,
    terms,
    organizationOf,
    roleIn: async (organizationId: string, uid: string) =>
      (await groups.member(organizationId, uid))?.role ?? null,
    clock,
    visible: visibleIn(billingProjection),
  };
  const balanceOf = async (organizationId: string) =>
    (await queries.account(organizationId))?.account.credits ?? null;
  return area({
    name: 'billing',
    ...{ queries, commands, organizationOf, credits, plans, plan, rates },
    /** What the organization of a workspace has. */
    accountOf: async (workspace: string) => accountOf(deps, await organizationOf(workspace), clock()),
    frames: { of: billingFrames({ balanceOf, workspacesOf: groups.workspacesOf }), shown: deps.visible },
    notices: ledgerNotices,
    reactors: [opening(commands)],
    schedulers: { renewals: () => renewing({ queries, commands, plans, clock, newId, log }) },
    rows: billingRows(deps),
  });
};
export type BillingArea = ReturnType<typeof billingArea>;
