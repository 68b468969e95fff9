import type { Endings } from '../adapters/endings.js';
import { auditProjection } from '../projections/audit/projection.js';
import type { Projection } from '../projections/engine/projection.js';
import { deploymentsProjection } from '../projections/deployments/projection.js';
import { discoveriesProjection } from '../projections/discovery/projection.js';
import { edgesProjection } from '../projections/edges/projection.js';
import { eventsProjection } from '../projections/events/projection.js';
import { forecastsProjection } from '../projections/forecasts/projection.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { identityProjection } from '../projections/identity/projection.js';
import { ingestionProjection } from '../projections/ingestion/projection.js';
import { inferenceProjection } from '../projections/inference/projection.js';
import { inferenceQueries } from '../projections/inference/queries.js';
import { marketplaceProjection } from '../projections/marketplace/projection.js';
import { byomProjection } from '../projections/byom/projection.js';
import { modelsProjection } from '../projections/models/projection.js';
import { notificationsProjection } from '../projections/notifications/projection.js';
import { pipelinesProjection } from '../projections/pipelines/projection.js';
import { revisionsProjection } from '../projections/revisions/projection.js';
import { segmentsProjection } from '../projections/segments/projection.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { trainingsProjection } from '../projections/trainings/projection.js';
import { tournamentsProjection } from '../projections/tournaments/projection.js';
import { usageProjection } from '../projections/usage/projection.js';
import { billingProjection } from '../projections/billing/projection.js';
import { channelsProjection } from '../projections/channels/projection.js';
import { channelQueries } from '../projections/channels/queries.js';
import { becameOf } from '../commands/tournaments/records.js';
import type { InUse } from '../api/signals/deps.js';
import { uidOf as byomUidOf } from '../domain/byom/listing.js';
import { MADE, type MadeModels } from '../domain/models/made.js';
import { activationArea } from './activation.js';
import type { Area } from './area.js';
import { auditArea } from './audit.js';
import { broughtModels, byomArea } from './byom.js';
import { billingArea } from './billing.js';
import { channelsArea } from './channels.js';
import { deploymentsArea } from './deployments.js';
import { discoveryArea } from './discovery.js';
import { edgesOf } from './edges.js';
import { edgesThen } from './edges-then.js';
import { eventsArea } from './events.js';
import { goalUpkeepArea } from './goal-upkeep.js';
import { goalsArea, goalsOf, NOTHING_BESIDE } from './goals.js';
import { identityArea } from './identity.js';
import { forecastsArea, forecastsOf } from './forecasts.js';
import { forecastsThen } from './forecasts-then.js';
import { ingestionArea } from './ingestion.js';
import { inferenceArea } from './inference.js';
import type { Kernel } from './kernel.js';
import { knownAtArea } from './known-at.js';
import { marketplaceArea } from './marketplace.js';
import { modelsArea } from './models.js';
import { realtimeArea } from './realtime.js';
import { revisedEdges } from './revised-edges.js';
import { revisionsArea } from './revisions.js';
import { notificationsArea } from './notifications.js';
import { pipelinesArea, pipelinesOf } from './pipelines.js';
import { servingPool } from './serving-pool.js';
import { segmentsArea, segmentsUsing } from './segments.js';
import { signalsArea } from './signals.js';
import { trainingsArea } from './trainings.js';
import { adaptersOf, trainedModels, recommendedOf } from './trained-models.js';
import { tournamentsArea } from './tournaments.js';
import { usageArea } from './usage.js';

export const projections: readonly Projection[] = [
  identityProjection,
  auditProjection,
  eventsProjection,
  signalsProjection,
  marketplaceProjection,
  modelsProjection,
  byomProjection,
  deploymentsProjection,
  inferenceProjection,
  segmentsProjection,
  trainingsProjection,
  pipelinesProjection,
  goalsProjection,
  edgesProjection,
  discoveriesProjection,
  forecastsProjection,
  tournamentsProjection,
  revisionsProjection,
  billingProjection,
  usageProjection,
  notificationsProjection,
  channelsProjection,
  ingestionProjection,
];

/** Names of all reactors of the areas. */
export const reactorNames: readonly string[] = [
  'activation',
  'crowning',
  'cycles',
  'demoting',
  'dispatching',
  'edge-upkeep',
  'erasure',
  'first-forecasts',
  'first-jobs',
  'goal-grading',
  'grading',
  'history-revision',
  'notifying',
  'opening',
  'promotion',
  'scoring',
  'segment-staleness',
];

/** All areas, each after those it is built on; `ends` learns of what they open. */
export async function areasOn(kernel: Kernel, ends: Endings) {
  const audit = auditArea(kernel);
  const marketplace = marketplaceArea(kernel);
  const identity = identityArea(kernel, { audit }, ends);
  const billing = billingArea(kernel, { identity });
  const events = await eventsArea(kernel, { identity, marketplace }, ends);
  const ofPipelines = pipelinesOf(kernel);
  const ofGoals = goalsOf(kernel);
  const usedBySegments = segmentsUsing(kernel);
  const inUse: InUse = async (...of) =>
    (await Promise.all([ofGoals.using(...of), usedBySegments(...of)])).flat();
  const signals = signalsArea(kernel, { events, marketplace, inUse });
  const segments = segmentsArea(
    kernel,
    {
      events,
      marketplace,
      signals,
      dependants: { pipelines: ofPipelines.onSegment, goals: ofGoals.onSegment },
    },
    ends,
  );
  const open = await servingPool(kernel, ends);
  const models = modelsArea(kernel, {
    ...{ identity, billing },
    adapters: adaptersOf(kernel),
    recommended: recommendedOf(kernel),
    serving: model => ({ available: open !== null, warm: (open?.pool.ready(model) ?? 0) > 0 }),
  });
  const brought = broughtModels(kernel);
  const trained = trainedModels(kernel, models.hosted);
  const made: MadeModels = {
    ...{ ...trained, byom: brought.byom },
    find: ref => (ref.family === MADE.byom ? brought : trained).find(ref),
  };
  const deployments = deploymentsArea(kernel, {
    ...{ identity, models, made, open, dependants: ofGoals.byPromotion },
    lastInference: inferenceQueries(kernel.read(inferenceProjection)).lastOf,
  });
  const byom = byomArea(kernel, {
    segments,
    isServedBy: async sha256 =>
      (await models.hosted.all()).some(model => model.sha256 === sha256)
      || (await trained.isServedBy(sha256)),
    async uses(workspace, byomId) {
      const served = await deployments.queries.servedOf({ family: MADE.byom, slug: byomId });
      const trained = await ofPipelines.withModel(workspace, byomUidOf(byomId));
      return [...served.map(id => `deployment ${id}`), ...trained.map(id => `pipeline ${id}`)];
    },
  });
  const trainings = trainingsArea(kernel, {
    ...{ identity, segments, models, billing, deployments, made },
    ...{ uploaded: brought.uploaded, original: brought.original },
  });
  const inference = inferenceArea(kernel, {
    ...{ identity, marketplace, signals, deployments, billing },
    became: {
      training: trainings.commands.became,
      goal_forecast: forecastsOf(kernel).became,
      tournament: becameOf(kernel.load),
    },
    servingOf: ofPipelines.servingOf,
  });
  const usage = usageArea(kernel, {
    ...{ billing, events, deployments, open },
    pipelines: ofPipelines.count,
    goals: ofGoals.count,
  });
  const ingestion = ingestionArea(kernel, { identity, events, signals, usage }, ends);
  const pipelines = pipelinesArea(kernel, {
    ...{ identity, billing, marketplace, signals, segments, trainings, deployments, made },
    isServing: open !== null,
  });
  const goals = goalsArea(kernel, {
    ...{ identity, billing, marketplace, signals, segments },
    hasPipeline: ofPipelines.has,
    beside: {
      ...{ ...NOTHING_BESIDE, edges: edgesOf(kernel).counts, forecasts: forecastsOf(kernel).ofGoals },
      then: {
        ...NOTHING_BESIDE.then,
        ...{ edges: edgesThen(kernel).counts, forecasts: forecastsThen(kernel).ofGoals },
      },
    },
  });
  const forecasts = forecastsArea(kernel, {
    ...{ identity, billing, deployments, inference, goals },
    isServing: open !== null,
    adjustments: [],
  });
  const tournaments = tournamentsArea(kernel, { billing, goals, forecasts, deployments, trainings });
  const discovery = discoveryArea(kernel, { events, marketplace, signals, goals, forecasts });
  const activation = activationArea({ goals, discovery, tournaments });
  const upkeep = goalUpkeepArea(kernel, { identity, goals, forecasts, tournaments, discovery });
  const revisions = revisionsArea(kernel, {
    ...{ identity, marketplace, signals, segments, goals, forecasts, tournaments },
    edges: revisedEdges(kernel, discovery),
  });
  const knownAt = knownAtArea(kernel, { goals, forecasts });
  const told = {
    audit,
    marketplace,
    identity,
    billing,
    events,
    signals,
    ingestion,
    segments,
    models,
    byom,
    deployments,
    trainings,
    pipelines,
    inference,
    usage,
    goals,
    tournaments,
    discovery,
    activation,
    upkeep,
    forecasts,
    revisions,
    knownAt,
  };
  const notifications = notificationsArea(kernel, {
    ...{ identity, models, deployments, goals: ofGoals },
    areas: Object.values<Area>(told),
    channels: channelQueries(kernel.read(channelsProjection)),
  });
  const channels = channelsArea(kernel, { notifications }, ends);
  const all = { ...told, notifications, channels };
  return {
    ...all,
    realtime: realtimeArea(kernel, { identity, goals: ofGoals, areas: Object.values<Area>(all) }),
  };
}
export type Areas = Awaited<ReturnType<typeof areasOn>>;
