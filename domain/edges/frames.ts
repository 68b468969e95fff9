import type { Fact } from '../fact.js';
import type { Frames, Tells } from '../realtime/frame.js';
import type { EdgeRetired, EdgeValidated, EdgeWeakened } from './facts.js';

type Told = Fact<EdgeValidated | EdgeWeakened | EdgeRetired>;

const tells = (event: string): Tells => ({
  event,
  channels: ({ data, meta }: Told) => [`goal:${data.goalId}`, `workspace:${meta.workspace}`],
  data: ({ data: { edgeId: edge_id, goalId: goal_id, kind, sourceKey: source_key, lift } }: Told) => ({
    ...{ edge_id, goal_id, kind, source_key, lift },
  }),
});

/** What is told of edges. */
export const edgeFrames: Frames = {
  EdgeValidated: tells('edge.validated'),
  EdgeWeakened: tells('edge.weakening'),
  EdgeRetired: tells('edge.retired'),
};
