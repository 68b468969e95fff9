import type { Fact } from '../fact.js';
import { merged, type Affected, type Cause } from './causes.js';
import type {
  GoalEdgesRechecked,
  GoalHistoryChanged,
  GoalRevised,
  RevisionFact,
  RevisionQueued,
  SegmentAfter,
  SegmentBefore,
} from './facts.js';

export const REVISION_STATUSES = ['queued', 'rebuilding', 'rechecking', 'applied', 'failed'] as const;
export type RevisionStatus = (typeof REVISION_STATUSES)[number];
export const isOpen = (status: RevisionStatus): boolean =>
  status === 'queued' || status === 'rebuilding' || status === 'rechecking';

export type KnownRevision = {
  readonly status: RevisionStatus;
  readonly revisionId: string;
  readonly number: number;
  readonly causes: readonly Cause[];
  readonly goals: readonly Affected[];
  /** Of goals whose edges are measured again. */
  readonly rechecked: readonly GoalEdgesRechecked['data'][];
  /** Of goals that were looked at again, in that order. */
  readonly revised: readonly GoalRevised['data'][];
  readonly before: readonly SegmentBefore[];
  readonly after: readonly SegmentAfter[];
  readonly error: { readonly code: string; readonly message: string } | null;
  // When what happened, epoch ms
  readonly queuedAt: number;
  readonly closesAt: number;
  readonly beganAt: number | null;
  /** Id of the fact that it began with: what follows from it says so. */
  readonly beganBy: string | null;
  readonly rebuiltAt: number | null;
  readonly endedAt: number | null;
};
export type RevisionState = { readonly status: 'none' } | KnownRevision;
export const initialState: RevisionState = { status: 'none' };

export function evolve(state: RevisionState, fact: Fact<RevisionFact>): RevisionState {
  if (fact.type === 'RevisionQueued') return queued(fact);
  return state.status === 'none' ? state : further(state, fact);
}

const queued = ({ data, at }: Fact<RevisionQueued>): KnownRevision => ({
  ...{ status: 'queued', revisionId: data.revisionId, number: data.number },
  ...{ causes: data.causes, goals: [], rechecked: [], revised: [], before: [], after: [] },
  ...{ error: null, queuedAt: at, closesAt: data.closesAt },
  ...{ beganAt: null, beganBy: null, rebuiltAt: null, endedAt: null },
});

function further(
  state: KnownRevision,
  fact: Exclude<Fact<RevisionFact>, { type: 'RevisionQueued' }>,
): KnownRevision {
  switch (fact.type) {
    case 'RevisionCausesAdded':
      return { ...state, causes: [...state.causes, ...fact.data.causes] };
    case 'GoalHistoryChanged':
      return { ...state, goals: withGoal(state.goals, fact.data) };
    case 'RevisionBegan': {
      const began = { beganAt: fact.at, beganBy: fact.id };
      return { ...state, status: 'rebuilding', before: fact.data.segments, ...began };
    }
    case 'RevisionRebuilt':
      return { ...state, status: 'rechecking', after: fact.data.segments, rebuiltAt: fact.at };
    case 'GoalEdgesRechecked':
      return { ...state, rechecked: [...state.rechecked, fact.data] };
    case 'GoalRevised':
      return { ...state, revised: [...state.revised, fact.data] };
    case 'HistoryRevised':
      return { ...state, status: 'applied', endedAt: fact.at };
    case 'RevisionFailed': {
      const { code, message } = fact.data;
      return { ...state, status: 'failed', error: { code, message }, endedAt: fact.at };
    }
  }
}

function withGoal(
  goals: readonly Affected[],
  { revisionId: _, ...goal }: GoalHistoryChanged['data'],
): readonly Affected[] {
  const at = goals.findIndex(({ goalId }) => goalId === goal.goalId);
  return at < 0 ? [...goals, goal] : goals.with(at, merged(goals[at]!, goal));
}

/** All that the causes of a revision changed: from and to (both included), epoch ms. */
export const spanOf = ({ causes }: Pick<KnownRevision, 'causes'>) => ({
  from: causes.reduce((least, { from }) => Math.min(least, from), Infinity),
  to: causes.reduce((most, { to }) => Math.max(most, to), -Infinity),
});
/** The position of the last fact that is a cause. */
export const lastCauseOf = ({ causes }: Pick<KnownRevision, 'causes'>): number =>
  causes.reduce((most, { position }) => Math.max(most, position), -1);
/** What was recorded until then was known before the first cause came, epoch ms. */
export const knownBefore = ({ causes }: Pick<KnownRevision, 'causes'>): number =>
  causes.reduce((least, { recordedAt }) => Math.min(least, recordedAt), Infinity) - 1;
