import { quotaRow } from '../api/billing/quota.js';
import { usageRow } from '../api/billing/usage.js';
import { planIn, type PlanLimits, type QuotaName } from '../domain/billing/plans.js';
import { START } from '../domain/fact.js';
import { billingProjection } from '../projections/billing/projection.js';
import { eventsProjection } from '../projections/events/projection.js';
import { groupQueries } from '../projections/identity/group-queries.js';
import { identityProjection } from '../projections/identity/projection.js';
import { inferenceProjection } from '../projections/inference/projection.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { usageProjection } from '../projections/usage/projection.js';
import { usageQueries } from '../projections/usage/queries.js';
import { watchingQuotas } from '../workers/quotas.js';
import { replicaHours } from '../workers/replica-hours.js';
import { streamingAllowance } from './allowance.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import type { DeploymentsArea } from './deployments.js';
import type { EventsArea } from './events.js';
import type { Kernel } from './kernel.js';
import { quotaNotices } from './notices.js';
import type { OpenServing } from './serving-pool.js';

type On = {
  readonly billing: BillingArea;
  readonly events: EventsArea;
  readonly deployments: DeploymentsArea;
  /** How many a workspace has. */
  readonly pipelines: (workspace: string) => Promise<number>;
  /** How many a workspace has that count. */
  readonly goals: (workspace: string) => Promise<number>;
  /** Null where serving is switched off. */
  readonly open: OpenServing;
};

/** What workspaces use of what their plans allow, and what they pay for. */
export const usageArea = (kernel: Kernel, { billing, events, deployments, pipelines, goals, open }: On) => {
  const { clock, handle, log, newId, read, visibleIn, projectors, serving } = kernel;
  const queries = usageQueries(read(usageProjection));
  const groups = groupQueries(read(identityProjection));

  const visible = visibleIn(usageProjection);
  // Who was answered was answered when one of these held it: what lies further on nobody was told yet
  const acknowledged = [eventsProjection, signalsProjection, inferenceProjection, billingProjection];
  const counted = async (workspace: string): Promise<void> => {
    const charged = await billing.commands.settled(await billing.organizationOf(workspace));
    const shown = await Promise.all(acknowledged.map(p => projectors.positionOf(serving(p))));
    await visible(Math.max(charged ?? START, ...shown));
  };
  const counters: Readonly<Record<QuotaName, (workspace: string, at: number) => Promise<number>>> = {
    pipelines,
    goals,
    streaming_rows: async (workspace, at) => (await queries.counted(workspace, at)).rows,
    inference_calls: async (workspace, at) => (await queries.counted(workspace, at)).calls,
    storage_bytes: async (workspace, at) => (await queries.counted(workspace, at)).bytes,
    events: workspace => events.queries.eventCount(workspace),
    deployments: workspace => deployments.queries.count(workspace),
    members: workspace => groups.memberCount(workspace),
    tokens: (workspace, at) => groups.tokenCount(workspace, at),
  };
  const count = (workspace: string, quota: QuotaName, at: number) => counters[quota](workspace, at);
  const limits = async (workspace: string): Promise<PlanLimits> => {
    const { plan } = await billing.accountOf(workspace);
    return (planIn(billing.plans, plan) ?? billing.plan).limits;
  };

  return area({
    name: 'usage',
    queries,
    /** Of events and points that are ingested. */
    allowance: streamingAllowance({
      ...{ limits, clock },
      rows: (workspace, at) => count(workspace, 'streaming_rows', at),
    }),
    schedulers: {
      quotas: () => watchingQuotas({ usage: queries, limits, count, handle, clock, newId, log }),
      ...(open && {
        'replica hours': () =>
          replicaHours({
            ...{ pool: open.pool, rates: billing.rates, clock, newId, log },
            ...{ queries: deployments.queries, deployments: deployments.commands },
            ...{ ledger: billing.commands, organizationOf: billing.organizationOf },
          }),
      }),
    },
    notices: quotaNotices,
    rows: [quotaRow({ count, limits, clock, counted }), usageRow({ usage: queries, clock, counted })],
  });
};
export type UsageArea = ReturnType<typeof usageArea>;
