import { monthOf } from '../billing/account.js';
import type { Millicredits } from '../billing/credits.js';
import type { Fact } from '../fact.js';
import type {
  CandidateApproved,
  CandidatePromoted,
  CycleResult,
  CycleStarted,
  Fault,
  PipelineFact,
  Proposal,
  RetryEnded,
} from './facts.js';
import type { Mode, PipelineSettings, PoolEntry } from './settings.js';

/** The cycle under way; `month`: whose cap it counts to. */
export type OpenCycle = CycleStarted['data'] & {
  readonly month: string;
  readonly results: readonly CycleResult[];
};

export type Candidate = Proposal & {
  /** `approved`: it is to be deployed; `promoting`: it is being. */
  readonly status: 'pending' | 'deferred' | 'approved' | 'promoting';
  readonly mode: Mode;
  readonly against: string | null;
  /** When it expires, or returns; epoch ms. */
  readonly until: number;
  readonly demotePrevious: boolean;
  /** Who approved it accepts a licence that forbids commercial use. */
  readonly acceptNonCommercial?: boolean;
  /** Deployments that were tried, the last one too. */
  readonly attempts: number;
  readonly promotionId: string | null;
  readonly demotes: string | null;
  readonly error: Fault | null;
};

/** A training that is tried once more. `month`: whose cap it counts to; `at`: since when, epoch ms. */
export type OpenRetry = {
  readonly trainingId: string;
  readonly price: Millicredits;
  readonly month: string;
  readonly at: number;
};

/** What serves. `since`: epoch ms. */
export type Serving = {
  readonly promotionId: string;
  readonly trainingId: string;
  readonly entry: PoolEntry;
  readonly version: number;
  readonly score: number;
  readonly since: number;
};

export type LivePipeline = {
  readonly status: 'live';
  readonly settings: PipelineSettings;
  readonly owner: string;
  /** What people changed, counted from 1. */
  readonly version: number;
  readonly paused: boolean;
  readonly cycle: OpenCycle | null;
  readonly cycles: number;
  /** When the last cycle began, epoch ms. */
  readonly lastCycleAt: number | null;
  /** Points that the last cycle saw, or that there were when it was made or got its segment since. */
  readonly rowsSeen: number;
  /** When points came beyond these, epoch ms. */
  readonly newDataAt: number | null;
  readonly candidate: Candidate | null;
  readonly serving: Serving | null;
  /** How many have served. */
  readonly promotions: number;
  /** What cycles and retries of a month cost: charged, and what those under way will cost at most. */
  readonly spent: { readonly month: string; readonly credits: Millicredits };
  /** Trainings tried once more that are not over, the oldest first; absent: there never was one. */
  readonly retries?: readonly OpenRetry[];
  /** The month whose cap stands in the way of a cycle. */
  readonly blocked: string | null;
};
export type PipelineState = { readonly status: 'none' } | LivePipeline;
export const initialState: PipelineState = { status: 'none' };

/** What the entries of a cycle cost at most. */
export const priceOf = (entries: CycleStarted['data']['entries']): Millicredits =>
  entries.reduce((sum, { price, refused }) => sum + (refused ? 0 : price), 0);

export function evolve(state: PipelineState, fact: Fact<PipelineFact>): PipelineState {
  if (fact.type === 'PipelineCreated') {
    const { settings, owner, rowsSeen = 0 } = fact.data;
    return {
      ...{ status: 'live', settings, owner, version: 1, paused: false },
      ...{ cycle: null, cycles: 0, lastCycleAt: null, rowsSeen, newDataAt: null },
      ...{ candidate: null, serving: null, promotions: 0 },
      ...{ spent: { month: monthOf(fact.at), credits: 0 }, blocked: null },
    };
  }
  if (state.status === 'none') return state;
  if (fact.type === 'PipelineDeleted') return initialState;
  return { ...state, ...(changed(state, fact) ?? { candidate: candidateAfter(state.candidate, fact) }) };
}

type Later = Exclude<Fact<PipelineFact>, { readonly type: 'PipelineCreated' | 'PipelineDeleted' }>;

/** What a fact changes of a pipeline; null: of its candidate alone. */
function changed(state: LivePipeline, fact: Later): Partial<LivePipeline> | null {
  switch (fact.type) {
    case 'PipelineChanged': {
      const { settings, rowsSeen } = fact.data;
      const points = rowsSeen === undefined ? {} : { rowsSeen, newDataAt: null };
      return { settings, version: state.version + 1, blocked: null, ...points };
    }
    case 'PipelinePaused':
      return { paused: true };
    case 'PipelineResumed':
      return { paused: false };
    case 'CycleStarted':
      return started(state, fact);
    case 'CycleTrained': {
      const { cycleId: _, pipelineId: __, ...result } = fact.data;
      const cycle = state.cycle!;
      const { price } = cycle.entries.find(({ trainingId }) => trainingId === result.trainingId)!;
      return {
        cycle: { ...cycle, results: [...cycle.results, result] },
        spent: plus(state.spent, cycle.month, result.charged - price),
      };
    }
    case 'CycleEnded':
      return { cycle: null };
    case 'RetryStarted': {
      const { trainingId, price } = fact.data;
      const month = monthOf(fact.at);
      return {
        retries: [...(state.retries ?? []), { trainingId, price, month, at: fact.at }],
        spent: plus(ofMonth(state, month), month, price),
      };
    }
    case 'RetryEnded':
      return retryEnded(state, fact.data);
    case 'CandidatePromoted':
      return { candidate: null, serving: servingBy(fact), promotions: fact.data.version };
    case 'ServingEnded':
      return { serving: null };
    case 'BudgetBlocked':
      return { blocked: fact.data.month };
    case 'NewDataSeen':
      return { newDataAt: fact.data.since };
    default:
      return null;
  }
}

function started(state: LivePipeline, { data, at }: Fact<CycleStarted>): Partial<LivePipeline> {
  const month = monthOf(at);
  return {
    ...{ cycle: { ...data, month, results: [] }, cycles: data.number, lastCycleAt: at },
    ...{ rowsSeen: data.rowsSeen, newDataAt: null, blocked: null },
    spent: plus(ofMonth(state, month), month, priceOf(data.entries)),
  };
}

/** What it gives back may be enough for a cycle: whether it is, the next attempt at one finds out. */
function retryEnded(
  { retries = [], spent, blocked }: LivePipeline,
  { trainingId, charged }: RetryEnded['data'],
): Partial<LivePipeline> {
  const open = retries.find(each => each.trainingId === trainingId);
  if (!open) return {};
  return {
    retries: retries.filter(each => each.trainingId !== trainingId),
    spent: plus(spent, open.month, charged - open.price),
    blocked: charged < open.price && blocked === open.month ? null : blocked,
  };
}

/** What was spent in a month; of a new one nothing. */
const ofMonth = ({ spent }: LivePipeline, month: string): LivePipeline['spent'] =>
  spent.month === month ? spent : { month, credits: 0 };

const plus = (spent: LivePipeline['spent'], month: string, more: Millicredits): LivePipeline['spent'] =>
  spent.month === month ? { month, credits: spent.credits + more } : spent;

const servingBy = ({ data, at }: Fact<CandidatePromoted>): Serving => {
  const { promotionId, trainingId, entry, version, score } = data;
  return { promotionId, trainingId, entry, version, score, since: at };
};

/** The candidate that is not decided yet, or not deployed. */
function candidateAfter(candidate: Candidate | null, fact: Later): Candidate | null {
  if (fact.type === 'CandidateProposed') {
    const { pipelineId: _, ...proposal } = fact.data;
    return {
      ...proposal,
      ...{ status: 'pending', until: fact.at, demotePrevious: false },
      ...{ attempts: 0, promotionId: null, demotes: null, error: null },
    };
  }
  if (!candidate || !('candidateId' in fact.data) || fact.data.candidateId !== candidate.candidateId)
    return candidate;
  switch (fact.type) {
    case 'DecisionRequested':
      return { ...candidate, status: 'pending', until: fact.data.expiresAt };
    case 'CandidateApproved':
      return { ...candidate, status: 'approved', ...approvalIn(fact.data), error: null };
    case 'CandidateDeferred':
      return { ...candidate, status: 'deferred', until: fact.data.until };
    case 'PromotionStarted': {
      const { promotionId, demotes } = fact.data;
      const attempts = candidate.attempts + 1;
      return { ...candidate, status: 'promoting', promotionId, demotes, attempts };
    }
    case 'PromotionFailed': {
      const { code, message } = fact.data;
      return { ...candidate, error: { code, message } };
    }
    default:
      return null;
  }
}

const approvalIn = ({ demotePrevious, acceptNonCommercial }: CandidateApproved['data']) => ({
  demotePrevious,
  acceptNonCommercial: acceptNonCommercial ?? false,
});
