import { pipelineRows } from '../api/pipelines/rows.js';
import { cyclesOf } from '../commands/pipelines/cycles.js';
import { promotingOf } from '../commands/pipelines/promoting.js';
import { pipelineCommands } from '../commands/pipelines/records.js';
import { availableIn } from '../domain/billing/account.js';
import { planIn } from '../domain/billing/plans.js';
import type { MadeModels } from '../domain/models/made.js';
import { pipelineFrames } from '../domain/pipelines/frames.js';
import { nothingServes, pipelineNotFound } from '../domain/pipelines/refusals.js';
import { deploymentsProjection } from '../projections/deployments/projection.js';
import { pipelinesProjection } from '../projections/pipelines/projection.js';
import { pipelineQueries } from '../projections/pipelines/queries.js';
import { cycling } from '../workers/cycles.js';
import { pipelineScheduler } from '../workers/pipelines.js';
import { promotion } from '../workers/promotion.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import { countedUpTo, pointsIn } from './counted-points.js';
import type { DeploymentsArea } from './deployments.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';
import { pipelineNotices } from './pipeline-notices.js';
import type { SegmentsArea } from './segments.js';
import type { SignalsArea } from './signals.js';
import type { TrainingsArea } from './trainings.js';

type On = {
  readonly identity: IdentityArea;
  readonly billing: BillingArea;
  readonly marketplace: MarketplaceArea;
  readonly signals: SignalsArea;
  readonly segments: SegmentsArea;
  readonly trainings: TrainingsArea;
  readonly deployments: DeploymentsArea;
  readonly made: MadeModels;
  /** Asked of goals, which name pipelines. */
  readonly goalOf: (workspace: string, pipelineId: string) => Promise<string | null>;
  /** Whether models are served here at all. */
  readonly isServing: boolean;
};

/** The reactor waits so long for read models before it tries again. */
const WAITS_MS = 30_000;

/** Pools of models that are trained in cycles; the best one may take the place of what serves. */
export const pipelinesArea = (kernel: Kernel, on: On) => {
  const { handle, tryOut, load, read, clock, newId, log, visibleIn, caughtUp } = kernel;
  const { identity, billing, segments, trainings, deployments, made, isServing, goalOf } = on;
  const queries = pipelineQueries(read(pipelinesProjection));
  const visible = visibleIn(pipelinesProjection);
  const pointsOf = pointsIn(on);
  const cycleDeps = {
    ...{ trainings: trainings.commands, segments: segments.commands, resolve: trainings.resolve },
    credits: billing.credits,
    available: async (workspace: string) => availableIn(await billing.accountOf(workspace)),
    rowsOf: async (workspace: string, segmentId: string) => (await pointsOf(workspace, segmentId)).rows,
  };
  const commands = pipelineCommands({ handle, load });
  const cycles = cyclesOf({ ...cycleDeps, commands });
  const dry = pipelineCommands({ handle: tryOut, load });
  const promoting = promotingOf({
    ...{ commands, made, load, isServing },
    deployments: deployments.commands,
    trainings: trainings.commands,
  });
  return area({
    name: 'pipelines',
    notices: pipelineNotices,
    frames: { of: pipelineFrames, shown: visible },
    reactors: [
      cycling(cycles),
      promotion({
        promoting,
        pipelineOf: async (workspace, promotionId) =>
          (await deployments.queries.deployment(workspace, promotionId))?.pipeline_id ?? null,
        caughtUp: position => caughtUp(deploymentsProjection, position, WAITS_MS),
      }),
    ],
    schedulers: {
      pipelines: () =>
        pipelineScheduler({
          ...{ queries, commands, cycles, pointsOf, clock, newId, visible, log },
          events: kernel.stores.events,
          became: trainings.commands.became,
          caughtUp: countedUpTo(kernel),
          isArchived: async workspace => (await identity.directory.workspace(workspace))?.archivedAt !== null,
        }),
    },
    rows: pipelineRows({
      ...{ commands, cycles, queries, clock, visible, resolve: trainings.resolve },
      ...{ goalOf, rowsOf: cycleDeps.rowsOf, hosted: deployments.hosted },
      tried: { commands: dry, cycles: cyclesOf({ ...cycleDeps, commands: dry }) },
      async segment(workspace, segmentId) {
        const found = await segments.queries.segment(workspace, segmentId);
        return found && { name: found.name, horizon: found.recipe.split.horizon };
      },
      async quota(workspace) {
        const { plan } = await billing.accountOf(workspace);
        const { limits } = planIn(billing.plans, plan) ?? billing.plan;
        return { limit: limits.pipelines, used: await queries.count(workspace), plan };
      },
      async promote(of, candidateId, context) {
        await promoting.start(of, candidateId, context);
        const pipeline = await commands.state(of);
        const candidate = pipeline.status === 'live' ? pipeline.candidate : null;
        return candidate?.candidateId === candidateId ? candidate.promotionId : null;
      },
    }),
  });
};
export type PipelinesArea = ReturnType<typeof pipelinesArea>;

/** What is asked of pipelines by what they are built on. */
export const pipelinesOf = (kernel: Kernel) => {
  const queries = pipelineQueries(kernel.read(pipelinesProjection));
  const { startRetry: start, endRetry: end } = pipelineCommands(kernel);
  return {
    /** Of trainings that are tried once more. */
    retries: { start, end, visible: kernel.visibleIn(pipelinesProjection) },
    count: queries.count,
    has: async (workspace: string, pipelineId: string): Promise<boolean> =>
      (await queries.pipeline(workspace, pipelineId)) !== null,
    onSegment: queries.onSegment,
    withModel: queries.withModel,
    /** The deployment that a pipeline serves by. @throws Rejected 404, 409 where nothing does */
    async servingOf(workspace: string, pipelineId: string): Promise<string> {
      const doc = await queries.pipeline(workspace, pipelineId);
      if (!doc) throw pipelineNotFound();
      if (!doc.state.serving) throw nothingServes(pipelineId, doc.state, kernel.clock());
      return doc.state.serving.promotionId;
    },
    /** Null: the workspace has none with this id. */
    async named(workspace: string, pipelineId: string): Promise<{ readonly name: string } | null> {
      return (await queries.pipeline(workspace, pipelineId))?.state.settings ?? null;
    },
  };
};
