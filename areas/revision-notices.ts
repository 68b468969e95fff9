import { causeTold, goalRevisedView } from '../api/revisions/views.js';
import type { Fact } from '../domain/fact.js';
import type { Notice, Notices } from '../domain/notifications/notice.js';
import type { HistoryRevised } from '../domain/revisions/facts.js';
import { iso } from '../domain/time.js';

/** Of a revision that no goal was left for nobody is told. */
export const revisionNotices: Notices = {
  HistoryRevised: ({ data, meta }: Fact<HistoryRevised>): Notice | null => {
    const { revisionId, cause, causes, from, to, goals, affected } = data;
    if (affected === 0) return null;
    return {
      kind: 'history_revised',
      to: { workspace: meta.workspace!, leastRole: 'viewer' },
      goalId: affected === 1 ? goals[0]!.goalId : null,
      data: {
        ...{ revision_id: revisionId, cause: causeTold(cause), key: cause.key, causes },
        ...{ from: iso(from), to: iso(to), goals: goals.map(goal => goalRevisedView(goal, goal)), affected },
      },
      groupKey: affected === 1 ? `history_revised/${goals[0]!.goalId}` : 'history_revised',
    };
  },
};
