import type { Fact } from '../domain/fact.js';
import type { Notice, Notices } from '../domain/notifications/notice.js';
import type { EdgeChange, GoalTold, HistoryRevised } from '../domain/revisions/facts.js';
import { iso } from '../domain/time.js';

const edgeTold = ({ edgeId, sourceKey, statusBefore, statusAfter, liftBefore, liftAfter }: EdgeChange) => ({
  ...{ edge_id: edgeId, source_key: sourceKey, status_before: statusBefore, status_after: statusAfter },
  ...{ lift_before: liftBefore, lift_after: liftAfter },
});
const goalTold = ({ goalId, rowsChanged, scoreBefore, scoreAfter, edgeChanges }: GoalTold) => ({
  ...{ goal_id: goalId, rows_changed: rowsChanged, score_before: scoreBefore, score_after: scoreAfter },
  edge_changes: edgeChanges.map(edgeTold),
});

/** Of a revision that no goal was left for nobody is told. */
export const revisionNotices: Notices = {
  HistoryRevised: ({ data, meta }: Fact<HistoryRevised>): Notice | null => {
    const { revisionId, cause, causes, from, to, goals, affected } = data;
    if (affected === 0) return null;
    const { key, eventId } = cause;
    const only = affected === 1 ? goals[0]!.goalId : null;
    return {
      kind: 'history_revised',
      to: { workspace: meta.workspace!, leastRole: 'viewer' },
      goalId: only,
      data: {
        ...{ revision_id: revisionId, cause: eventId === null ? { key } : { event_id: eventId, key } },
        ...{ key, causes, from: iso(from), to: iso(to), goals: goals.map(goalTold), affected },
      },
      groupKey: `history_revised/${revisionId}`,
    };
  },
};
