import { monthOf } from '../billing/account.js';
import { paidBy } from '../billing/amounts.js';
import { beats } from '../trainings/comparison.js';
import { proposed } from './candidates.js';
import type { NoteTrained, StartCycle } from './commands.js';
import type { CycleEnded, CycleOutcome, CycleResult, PipelineFact } from './facts.js';
import { cycleRunning, pipelinePaused, promotionRunning } from './refusals.js';
import { priceOf, type LivePipeline, type OpenCycle } from './state.js';

/** @throws Rejected 409 to who asks by hand, where it cannot be now */
export function startCycle({ data }: StartCycle, state: LivePipeline): readonly PipelineFact[] {
  const { pipelineId, cycleId, number, trigger, seed, entries, rowsSeen, at } = data;
  const { settings, owner, serving, cycle, candidate, paused } = state;
  const isAsked = trigger === 'manual';
  const isPromoting = candidate?.status === 'approved' || candidate?.status === 'promoting';
  if (isAsked && paused) throw pipelinePaused();
  if (isAsked && cycle) throw cycleRunning(cycle.cycleId);
  if (isAsked && isPromoting) throw promotionRunning(candidate.candidateId);
  if (paused || cycle || isPromoting || (!isAsked && number !== state.cycles + 1)) return [];
  const blocked = blockedBy(state, priceOf(entries), at);
  if (blocked) return state.blocked === blocked.month ? [] : [blocked.fact(pipelineId)];
  const { segmentId, horizon, metric } = settings;
  const started = {
    type: 'CycleStarted',
    data: {
      ...{ pipelineId, cycleId, number: state.cycles + 1, trigger, segmentId, horizon, metric, seed },
      ...{ entries, against: serving?.promotionId ?? null, rowsSeen, owner },
    },
  } as const;
  const isOver = entries.every(({ refused }) => refused !== null);
  return isOver ? [started, ended(pipelineId, cycleId, null, 'no_result')] : [started];
}

/** What a cycle of this price would break of the cap; null: it is within it, or there is none. */
export function blockedBy({ settings, spent }: LivePipeline, needed: number, at: number) {
  const { monthlyCreditCap } = settings;
  const month = monthOf(at);
  const so = spent.month === month ? spent.credits : 0;
  // 0 is no cap; a cap that is less than the least amount is one
  if (monthlyCreditCap === null || monthlyCreditCap === 0) return null;
  const cap = paidBy(monthlyCreditCap);
  if (so + needed <= cap) return null;
  const data = { month, needed, spent: so, cap };
  return {
    ...data,
    fact: (pipelineId: string) => ({ type: 'BudgetBlocked', data: { pipelineId, ...data } }) as const,
  };
}

const ended = (
  pipelineId: string,
  cycleId: string,
  best: string | null,
  outcome: CycleOutcome,
): CycleEnded => ({
  type: 'CycleEnded',
  data: {
    ...{ pipelineId, cycleId, best, outcome },
    status: outcome === 'no_result' ? 'failed' : 'completed',
  },
});

/** A training of a cycle is over; with the last one the cycle is. */
export function noteTrained({ data }: NoteTrained, state: LivePipeline): readonly PipelineFact[] {
  const { pipelineId, cycleId, result } = data;
  const { cycle } = state;
  const isOurs = cycle?.entries.some(({ trainingId }) => trainingId === result.trainingId);
  if (cycle?.cycleId !== cycleId || !isOurs) return [];
  if (cycle.results.some(({ trainingId }) => trainingId === result.trainingId)) return [];
  const results = [...cycle.results, result];
  const trained: PipelineFact = { type: 'CycleTrained', data: { pipelineId, cycleId, ...result } };
  const open = cycle.entries.filter(({ refused }) => refused === null).length - results.length;
  if (open > 0) return [trained];
  const best = bestOf(cycle, results);
  const outcome = outcomeOf(best, cycle, state);
  const end = ended(pipelineId, cycleId, best?.trainingId ?? null, outcome);
  return outcome === 'candidate' ? [trained, end, ...proposed(data, cycle, best!, state)] : [trained, end];
}

type Scored = CycleResult & { readonly score: number };
const isScored = (result: CycleResult): result is Scored => result.score !== null && result.isServable;

/** The lowest score of what can be deployed; of equal ones the first of the pool. */
function bestOf({ entries }: OpenCycle, results: readonly CycleResult[]): Scored | null {
  const scored = entries
    .flatMap(({ trainingId }) => results.find(result => result.trainingId === trainingId) ?? [])
    .filter(isScored);
  return scored.reduce<Scored | null>((best, each) => (best && best.score <= each.score ? best : each), null);
}

function outcomeOf(best: Scored | null, cycle: OpenCycle, state: LivePipeline): CycleOutcome {
  const { settings, serving, candidate } = state;
  const { policy } = settings;
  if (!best) return 'no_result';
  if (policy.mode === 'off') return 'promotion_off';
  // It was compared with what served when the cycle began
  const isPromoting = candidate?.status === 'approved' || candidate?.status === 'promoting';
  if (isPromoting || (serving?.promotionId ?? null) !== cycle.against) return 'serving_changed';
  if (cycle.against !== null) {
    if (!best.comparison) return 'not_comparable';
    if (!beats(best.comparison, policy.minImprovement)) return 'not_better';
  }
  return candidate && !isBetter(best, candidate) ? 'worse_than_pending' : 'candidate';
}

/** By how much each does better than what serves or, where nothing does, by their scores. */
const isBetter = (best: Scored, pending: NonNullable<LivePipeline['candidate']>): boolean => {
  if (best.comparison && pending.improvement !== null)
    return best.comparison.improvement > pending.improvement;
  return best.score < pending.score;
};
