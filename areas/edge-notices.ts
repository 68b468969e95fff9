import type { EdgeRetired, EdgeValidated, EdgeWeakened } from '../domain/edges/facts.js';
import type { Fact } from '../domain/fact.js';
import type { Notice, Notices } from '../domain/notifications/notice.js';

type Told = Fact<EdgeValidated | EdgeWeakened | EdgeRetired>;

const ofEdge =
  (kind: string) =>
  ({ data, meta }: Told): Notice => ({
    kind,
    to: { workspace: meta.workspace!, leastRole: 'viewer' },
    goalId: data.goalId,
    data: {
      ...{ goal_id: data.goalId, edge_id: data.edgeId, source_key: data.sourceKey, lift: data.lift },
      ...('reason' in data && { reason: data.reason }),
    },
    groupKey: `${kind}/${data.edgeId}`,
  });

export const edgeNotices: Notices = {
  EdgeValidated: ofEdge('edge.validated'),
  EdgeWeakened: ofEdge('edge.weakening'),
  EdgeRetired: ofEdge('edge.retired'),
};
