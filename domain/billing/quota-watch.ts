import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import type { QuotaName } from './plans.js';

type OfWorkspace = { readonly workspace: string };
/** How a quota stands. `period`: the month (`2026-03`, UTC); null: of all that there is. */
type Standing = {
  readonly quota: QuotaName;
  readonly period: string | null;
  readonly used: number;
  readonly limit: number;
};

/** So much of a quota was used that people should know; once a month, or once until it is less again. */
export type QuotaNeared = Message<'QuotaNeared', OfWorkspace & Standing>;
/** Less is used again of a quota that is no month's. */
export type QuotaEased = Message<'QuotaEased', OfWorkspace & { readonly quota: QuotaName }>;
export type QuotaFact = QuotaNeared | QuotaEased;

/** A quota was looked at. */
export type WatchQuota = Message<'WatchQuota', OfWorkspace & Standing>;

/** For which month each quota was near last; null: it is now. */
type QuotaState = Readonly<Partial<Record<QuotaName, string | null>>>;

const NEAR = 0.8;
export const isNear = ({ used, limit }: Pick<Standing, 'used' | 'limit'>): boolean => used >= NEAR * limit;

function decide({ data }: WatchQuota, told: QuotaState): readonly QuotaFact[] {
  const { workspace, quota, period } = data;
  const wasTold = told[quota] === period;
  if (isNear(data)) return wasTold ? [] : [{ type: 'QuotaNeared', data }];
  return wasTold && period === null ? [{ type: 'QuotaEased', data: { workspace, quota } }] : [];
}

function evolve(told: QuotaState, { type, data }: QuotaFact): QuotaState {
  if (type === 'QuotaNeared') return { ...told, [data.quota]: data.period };
  const { [data.quota]: _, ...others } = told;
  return others;
}

/** What the people of a workspace were told of its quotas. */
export const quotaWatch: Decider<WatchQuota, QuotaFact, QuotaState> = {
  category: 'quota',
  idOf: ({ data }) => data.workspace,
  initialState: {},
  decide,
  evolve,
};
