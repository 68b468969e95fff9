import type { Beside, GoalDeps, Target } from '../api/goals/deps.js';
import { goalRows } from '../api/goals/rows.js';
import type { InUse } from '../api/signals/deps.js';
import { goalCommands } from '../commands/goals/records.js';
import { planIn } from '../domain/billing/plans.js';
import { goalFrames } from '../domain/goals/frames.js';
import { cadenceOf } from '../domain/maths/series/cadence.js';
import { commonStep } from '../domain/maths/series/grid.js';
import { LATEST, SECOND } from '../domain/time.js';
import type { Driving, EdgeQueries } from '../projections/edges/queries.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { goalQueries } from '../projections/goals/queries.js';
import { goalHealth } from '../workers/goal-health.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import { goalsThen } from './goals-then.js';
import { goalNotices } from './goal-notices.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';
import type { SegmentsArea } from './segments.js';
import type { SignalsArea } from './signals.js';

type On = {
  readonly identity: IdentityArea;
  readonly billing: BillingArea;
  readonly marketplace: MarketplaceArea;
  readonly signals: SignalsArea;
  readonly segments: SegmentsArea;
  /** Asked of pipelines. */
  readonly hasPipeline: (workspace: string, pipelineId: string) => Promise<boolean>;
  readonly beside: Beside;
  /** Asked of tournaments, which are built on goals. */
  readonly activationPrice: GoalDeps['activationPrice'];
};

/** Targets that are forecast on a cadence, and who forecasts them. */
export const goalsArea = (kernel: Kernel, on: On) => {
  const { handle, tryOut, load, read, clock, newId, log, visibleIn } = kernel;
  const { identity, billing, segments, beside, hasPipeline, activationPrice } = on;
  const queries = goalQueries(read(goalsProjection));
  const commands = goalCommands({ handle, load });
  const visible = visibleIn(goalsProjection);
  const goalThen = goalsThen(kernel);
  const standing = async (workspace: string, goalId: string) => {
    const doc = await queries.goal(workspace, goalId);
    const shock = (await beside.shocks(workspace, [goalId])).get(goalId);
    return doc && { status: doc.status, shock_state: shock?.state ?? 'normal' };
  };
  const target = targetOf(on);
  const quota = async (workspace: string) => {
    const { plan } = await billing.accountOf(workspace);
    const { limits } = planIn(billing.plans, plan) ?? billing.plan;
    return { limit: limits.goals, used: await queries.count(workspace), plan };
  };
  return area({
    name: 'goals',
    ...{ commands, queries, beside, visible, standing, goalThen, quota, activationPrice },
    ...{ targetOf: target, lastAt: lastAt(on) },
    frames: { of: goalFrames(standing), shown: visible },
    notices: goalNotices,
    schedulers: {
      'goal-health': () =>
        goalHealth({
          ...{ queries, commands, clock, newId, visible, log, lastAt: lastAt(on) },
          isArchived: async workspace => (await identity.directory.workspace(workspace))?.archivedAt !== null,
        }),
    },
    rows: goalRows({
      ...{ commands, queries, beside, goalThen, clock, visible, hasPipeline, target, quota },
      activationPrice,
      tried: goalCommands({ handle: tryOut, load }),
      hasSegment: async (workspace, segmentId) =>
        (await segments.queries.segment(workspace, segmentId)) !== null,
    }),
  });
};
export type GoalsArea = ReturnType<typeof goalsArea>;

/** So many of the newest points say what the usual step of a signal is. */
const SAMPLE = 200;

const targetOf =
  ({ marketplace, signals }: Pick<On, 'marketplace' | 'signals'>) =>
  async (workspace: string, key: string): Promise<Target | null> => {
    const place = await marketplace.queries.resolve(workspace, 'signal', key);
    const doc = place && (await signals.queries.signal(place.workspace, place.key));
    if (!doc || !place) return null;
    return {
      points: doc.count,
      async stepS() {
        const { times } = await signals.queries.newest(place.workspace, place.key, LATEST, SAMPLE);
        const cadence = cadenceOf(times);
        if (cadence === null) return null;
        const step = commonStep([{ times, values: times }]);
        return Math.max(1, Math.round((step.months ? step.ms : cadence) / SECOND));
      },
    };
  };

/** When points of some signals last came, also of those that are subscribed to. */
const lastAt =
  ({ marketplace, signals }: Pick<On, 'marketplace' | 'signals'>) =>
  async (workspace: string, keys: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const own = await signals.queries.signals(workspace, keys);
    const found = new Map<string, number>();
    for (const key of keys) {
      let doc = own.get(key) ?? null;
      const place = doc ? null : await marketplace.queries.resolve(workspace, 'signal', key);
      if (place) doc = await signals.queries.signal(place.workspace, place.key);
      if (doc) found.set(key, doc.recorded_at);
    }
    return found;
  };

/** What is asked of goals by what they are built on. */
export const goalsOf = (kernel: Kernel, edges: Pick<EdgeQueries, 'driving'>) => {
  const queries = goalQueries(kernel.read(goalsProjection));
  const using: InUse = async (workspace, keys, streams) => {
    const driving = await edges.driving(workspace, keys, streams);
    const [forecast, driven] = await Promise.all([
      queries.inUse(workspace, keys),
      queries.running(workspace, [...new Set(driving.map(({ goal_id }) => goal_id))]),
    ]);
    const goals = new Map([...forecast, ...driven].map(doc => [doc.goal_id, doc]));
    return [...goals.values()].map(({ goal_id: id, name, target }) => {
      const of = (wanted: Driving['kind']): string[] =>
        driving.flatMap(({ goal_id, kind, source_key }) =>
          goal_id === id && kind === wanted ? [source_key] : [],
        );
      const used = new Set([...(keys.includes(target) ? [target] : []), ...of('signal')]);
      return { kind: 'goal' as const, id, name, keys: [...used], streams: of('event_stream') };
    });
  };
  const { count, byId, byPromotion, ofPipeline, onSegment } = queries;
  return { count, byId, byPromotion, ofPipeline, onSegment, using };
};
