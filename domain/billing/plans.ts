import type { Millicredits } from './credits.js';
import type { PlanTerms } from './facts.js';

/** Over which time a quota counts: the present month (UTC), or all that there is now. */
export type QuotaPeriod = 'month' | 'total';

/** What is counted of each workspace, in which unit, and over which time. */
export const quotas = {
  pipelines: { unit: 'pipelines', period: 'total' },
  streaming_rows: { unit: 'rows', period: 'month' },
  events: { unit: 'events', period: 'total' },
  storage_bytes: { unit: 'bytes', period: 'total' },
  goals: { unit: 'goals', period: 'total' },
  deployments: { unit: 'deployments', period: 'total' },
  inference_calls: { unit: 'calls', period: 'month' },
  members: { unit: 'members', period: 'total' },
  tokens: { unit: 'tokens', period: 'total' },
} as const satisfies Record<string, { readonly unit: string; readonly period: QuotaPeriod }>;
export type QuotaName = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as readonly QuotaName[];

/** The most a workspace may have of each; null: as much as it likes. */
export type PlanLimits = Readonly<Record<QuotaName, number | null>>;

export type Plan = {
  readonly id: string;
  readonly name: string;
  /** Granted to the organization each month (UTC). */
  readonly credits: Millicredits;
  readonly limits: PlanLimits;
};

/** All plans there are, as one table with a version. */
export type Plans = { readonly version: string; readonly plans: readonly Plan[] };

const unlimited = Object.fromEntries(quotaNames.map(name => [name, null])) as unknown as PlanLimits;

/** Limits with those that are named. */
export const limitedTo = (limits: Partial<PlanLimits>): PlanLimits => ({ ...unlimited, ...limits });

/** The plans where no file says otherwise. Credits of the largest are granted by contract. */
export const builtInPlans: Plans = {
  version: '1',
  plans: [
    {
      id: 'free',
      name: 'Free',
      credits: 100_000,
      limits: limitedTo({ pipelines: 3, goals: 10, streaming_rows: 100_000 }),
    },
    {
      id: 'team',
      name: 'Team',
      credits: 5_000_000,
      limits: limitedTo({ pipelines: 25, goals: 200, streaming_rows: 10_000_000 }),
    },
    {
      id: 'scale',
      name: 'Scale',
      credits: 0,
      limits: limitedTo({ pipelines: 250, goals: 5_000, streaming_rows: 500_000_000 }),
    },
  ],
};

/** Null: there is no such plan. */
export const planIn = ({ plans }: Plans, id: string): Plan | null =>
  plans.find(plan => plan.id === id) ?? null;

/** What a ledger remembers of a plan that it is given. */
export const termsOf = ({ version }: Plans, { id, credits }: Plan): PlanTerms => ({
  plan: id,
  plansVersion: version,
  credits,
});
