import type { Affected, Cause } from '../../domain/revisions/causes.js';
import type { EdgeChange, GoalRevised } from '../../domain/revisions/facts.js';
import { spanOf, type KnownRevision } from '../../domain/revisions/state.js';
import { iso } from '../../domain/time.js';
import type { RevisionDoc } from '../../projections/revisions/documents.js';

const time = (ms: number | null): string | null => (ms === null ? null : iso(ms));

const causeView = ({ kind, key, eventId, from, to, recordedAt }: Cause) => ({
  ...{ kind, key, event_id: eventId, from: iso(from), to: iso(to), recorded_at: iso(recordedAt) },
});

const edgeView = (change: EdgeChange) => ({
  ...{ edge_id: change.edgeId, source_key: change.sourceKey },
  ...{ status_before: change.statusBefore, status_after: change.statusAfter },
  ...{ lift_before: change.liftBefore, lift_after: change.liftAfter },
});

type Revised = Omit<GoalRevised['data'], 'revisionId'>;

/** A goal before and after; null, and [], where it was not looked at yet. */
export function goalRevisedView(
  { goalId, from, to }: Pick<Affected, 'goalId' | 'from' | 'to'>,
  revised: Revised | undefined,
) {
  const { rescored = null } = revised ?? {};
  return {
    ...{ goal_id: goalId, from: iso(from), to: iso(to) },
    rows_changed: revised?.rowsChanged ?? null,
    ...{ score_before: revised?.scoreBefore ?? null, score_after: revised?.scoreAfter ?? null },
    not_scored: revised?.notScored ?? null,
    scored: rescored && {
      ...{ metric: rescored.metric, model: rescored.model, steps: rescored.steps },
      cutoffs: rescored.cutoffs.map(iso),
    },
    edge_changes: revised?.edgeChanges.map(edgeView) ?? [],
    tournament_id: revised?.tournamentId ?? null,
  };
}

/** A view has so many causes: the first. */
const MOST_SHOWN = 1_000;

/** What a revision began with. */
export const causeTold = ({ key, eventId }: Cause) =>
  eventId === null ? { key } : { event_id: eventId, key };

/** `goalId`: of this goal alone; null: of all. */
export function revisionView({ state }: Pick<RevisionDoc, 'state'>, goalId: string | null) {
  const { revisionId: revision_id, status, causes, error } = state;
  const { from, to } = spanOf(state);
  const goals = state.goals.filter(goal => goalId === null || goal.goalId === goalId);
  const revised = new Map(state.revised.map(one => [one.goalId, one]));
  return {
    ...{ revision_id, status },
    cause: causeTold(causes[0]!),
    causes: causes.slice(0, MOST_SHOWN).map(causeView),
    causes_total: causes.length,
    ...{ from: iso(from), to: iso(to) },
    goals: goals.map(goal => goalRevisedView(goal, revised.get(goal.goalId))),
    segments: segmentsOf(state),
    error,
    ...{ queued_at: iso(state.queuedAt), closes_at: iso(state.closesAt) },
    ...{ started_at: time(state.beganAt), finished_at: time(state.endedAt) },
  };
}

const segmentsOf = ({ before, after }: KnownRevision) =>
  before.map(({ segmentId, tableHash }) => {
    const now = after.find(one => one.segmentId === segmentId);
    return {
      ...{ segment_id: segmentId, table_hash_before: tableHash },
      ...{ table_hash_after: now?.tableHash ?? null, rows: now?.rows ?? null },
    };
  });
