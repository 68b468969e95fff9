import { quotaRow } from '../api/billing/quota.js';
import { usageRow } from '../api/billing/usage.js';
import { planIn, type PlanLimits, type QuotaName } from '../domain/billing/plans.js';
import { groupQueries } from '../projections/identity/group-queries.js';
import { identityProjection } from '../projections/identity/projection.js';
import { usageProjection } from '../projections/usage/projection.js';
import { usageQueries } from '../projections/usage/queries.js';
import { replicaHours } from '../workers/replica-hours.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import type { DeploymentsArea } from './deployments.js';
import type { EventsArea } from './events.js';
import type { Kernel } from './kernel.js';
import type { OpenServing } from './serving-pool.js';

type On = {
  readonly billing: BillingArea;
  readonly events: EventsArea;
  readonly deployments: DeploymentsArea;
  /** Null where serving is switched off. */
  readonly open: OpenServing;
};

/** What workspaces use of what their plans allow, and what they pay for. */
export const usageArea = (kernel: Kernel, { billing, events, deployments, open }: On) => {
  const { clock, log, newId, read } = kernel;
  const queries = usageQueries(read(usageProjection));
  const groups = groupQueries(read(identityProjection));

  /** How much of each there is; there are no pipelines and no goals yet. */
  const counts = async (workspace: string, at: number): Promise<Readonly<Record<QuotaName, number>>> => {
    const [{ rows, calls, bytes }, recorded, served, members, tokens] = await Promise.all([
      queries.counted(workspace, at),
      events.queries.eventCount(workspace),
      deployments.queries.count(workspace),
      groups.memberCount(workspace),
      groups.tokenCount(workspace, at),
    ]);
    return {
      ...{ pipelines: 0, goals: 0 },
      ...{ streaming_rows: rows, events: recorded, storage_bytes: bytes },
      ...{ deployments: served, inference_calls: calls, members, tokens },
    };
  };
  const limits = async (workspace: string): Promise<PlanLimits> => {
    const { plan } = await billing.accountOf(workspace);
    return (planIn(billing.plans, plan) ?? billing.plan).limits;
  };

  return area({
    name: 'usage',
    queries,
    schedulers: {
      ...(open && {
        'replica hours': () =>
          replicaHours({
            ...{ pool: open.pool, rates: billing.rates, clock, newId, log },
            ...{ queries: deployments.queries, deployments: deployments.commands },
            ...{ ledger: billing.commands, organizationOf: billing.organizationOf },
          }),
      }),
    },
    rows: [quotaRow({ counts, limits, clock }), usageRow({ usage: queries, clock })],
  });
};
export type UsageArea = ReturnType<typeof usageArea>;
