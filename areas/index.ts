import type { Endings } from '../adapters/endings.js';
import { inferenceProjection } from '../projections/inference/projection.js';
import { inferenceQueries } from '../projections/inference/queries.js';
import { channelsProjection } from '../projections/channels/projection.js';
import { channelQueries } from '../projections/channels/queries.js';
import { becameOf as scenarioBecame } from '../commands/scenarios/records.js';
import { activationPriceOf } from '../commands/tournaments/pricing.js';
import { becameOf } from '../commands/tournaments/records.js';
import type { InUse } from '../api/signals/deps.js';
import { uidOf as byomUidOf } from '../domain/byom/listing.js';
import { MADE, type MadeModels } from '../domain/models/made.js';
import { activationArea } from './activation.js';
import { adaptersOf } from './adapters.js';
import { alertsArea } from './alerts.js';
import type { Area } from './area.js';
import { analystArea } from './analyst.js';
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
import { goalsArea, goalsOf } from './goals.js';
import { fleetsArea } from './fleets.js';
import { identityArea } from './identity.js';
import { forecastingOf } from './forecasting.js';
import { forecastsArea, forecastsOf } from './forecasts.js';
import { forecastsThen } from './forecasts-then.js';
import { goalsAsked } from './goals-asked.js';
import { historiesOn } from './histories.js';
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
import { organizationPlans } from './organization-plans.js';
import { pipelinesArea, pipelinesOf } from './pipelines.js';
import { recommendedOf } from './recommended.js';
import { servingPool } from './serving-pool.js';
import { scenariosArea } from './scenarios.js';
import { segmentsArea, segmentsUsing } from './segments.js';
import { shocksOf } from './shock-standing.js';
import { shocksArea } from './shocks.js';
import { signalsArea } from './signals.js';
import { trainingsArea } from './trainings.js';
import { trainedModels } from './trained-models.js';
import { tournamentsArea } from './tournaments.js';
import { usageArea } from './usage.js';

/** All areas, each after those it is built on; `ends` learns of what they open. */
export async function areasOn(kernel: Kernel, ends: Endings) {
  const audit = auditArea(kernel);
  const marketplace = marketplaceArea(kernel);
  const identity = identityArea(kernel, { audit, plans: organizationPlans(kernel) }, ends);
  const billing = billingArea(kernel, { identity });
  const ofShocks = shocksOf(kernel);
  const { effects } = ofShocks;
  const events = await eventsArea(kernel, { identity, marketplace, effects }, ends);
  const ofPipelines = pipelinesOf(kernel);
  const edges = edgesOf(kernel);
  const ofGoals = goalsOf(kernel, edges);
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
    adapters: adaptersOf(kernel, identity.isIn),
    recommended: recommendedOf(kernel),
    serving: model => ({ available: open !== null, warm: (open?.pool.ready(model) ?? 0) > 0 }),
  });
  const brought = broughtModels(kernel);
  const trained = trainedModels(kernel, { hosted: models.hosted, isIn: identity.isIn });
  const made: MadeModels = {
    ...{ ...trained, byom: brought.byom },
    find: ref => (ref.family === MADE.byom ? brought : trained).find(ref),
  };
  const deployments = deploymentsArea(kernel, {
    ...{ identity, billing, models, made, open, dependants: ofGoals.byPromotion },
    lastInference: inferenceQueries(kernel.read(inferenceProjection)).lastOf,
  });
  const byom = byomArea(kernel, {
    segments,
    isServedBy: async sha256 =>
      (await models.hosted.all()).some(model => model.sha256 === sha256)
      || (await trained.isServedBy(sha256)),
    async uses(workspace, byomId) {
      const model = { family: MADE.byom, slug: byomId };
      const { own, others } = await deployments.queries.needing(model, workspace);
      const trained = await ofPipelines.withModel(workspace, byomUidOf(byomId));
      return [
        ...own.map(id => `deployment ${id}`),
        ...(others > 0 ? [`deployments of other workspaces: ${others}`] : []),
        ...trained.map(id => `pipeline ${id}`),
      ];
    },
  });
  const trainings = trainingsArea(kernel, {
    ...{ identity, segments, models, billing, deployments, made },
    ...{ uploaded: brought.uploaded, original: brought.original, retries: ofPipelines.retries },
  });
  const histories = historiesOn(kernel, { signals, marketplace });
  const isServing = open !== null;
  const adjustments = [
    ofShocks.adjustment({ marketplace, events, edges, deployments, histories, isServing }),
  ];
  const inference = inferenceArea(kernel, {
    ...{ identity, deployments, billing, histories },
    goals: goalsAsked(kernel, { deployments, histories, isServing, adjustments }),
    became: {
      training: trainings.commands.became,
      goal_forecast: forecastsOf(kernel).became,
      tournament: becameOf(kernel.load),
      scenario: scenarioBecame(kernel.load),
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
    ...{ isServing, goalOf: ofGoals.ofPipeline },
  });
  const beside = {
    ...{ edges: edges.counts, forecasts: forecastsOf(kernel).ofGoals, shocks: ofShocks.ofGoals },
    then: {
      ...{ edges: edgesThen(kernel).counts, forecasts: forecastsThen(kernel).ofGoals },
      shocks: ofShocks.ofGoalsThen,
    },
  };
  const goals = goalsArea(kernel, {
    ...{ identity, billing, marketplace, signals, segments },
    ...{ hasPipeline: ofPipelines.has, beside },
    activationPrice: activationPriceOf({
      standing: forecastingOf(kernel, { deployments, histories, isServing }).standing,
      credits: billing.credits,
    }),
  });
  const forecasts = forecastsArea(kernel, {
    ...{ identity, billing, deployments, histories, goals, isServing, adjustments },
  });
  const tournaments = tournamentsArea(kernel, { billing, goals, forecasts, deployments, trainings });
  const discovery = discoveryArea(kernel, {
    ...{ events, marketplace, signals, goals, forecasts },
    bar: ofShocks.bar({ events, marketplace }),
  });
  const activation = activationArea({ goals, discovery, tournaments });
  const upkeep = goalUpkeepArea(kernel, { identity, goals, forecasts, tournaments, discovery });
  const shocks = shocksArea(kernel, {
    ...{ marketplace, events, edges, identity, goals, forecasts, discovery },
  });
  const scenarios = scenariosArea(kernel, { billing, events, goals, forecasts });
  const analyst = analystArea(kernel, {
    ...{ marketplace, signals, goals, forecasts, tournaments, discovery, beside },
  });
  const revisions = revisionsArea(kernel, {
    ...{ identity, marketplace, signals, segments, goals, forecasts, tournaments },
    edges: revisedEdges(kernel, discovery),
  });
  const toldBy = channelQueries(kernel.read(channelsProjection));
  const alerts = alertsArea(kernel, {
    ...{ identity, billing, events, goals, forecasts, beside, channels: toldBy },
    checkedOn: [
      'EdgeValidated',
      'EdgeWeakened',
      'EdgeRetired',
      'ShockEntered',
      'ShockRecovering',
      'ShockExited',
    ],
  });
  const fleets = fleetsArea(kernel, {
    ...{ identity, signals, segments, goals, forecasts, hasPipeline: ofPipelines.has, beside },
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
    scenarios,
    analyst,
    activation,
    upkeep,
    forecasts,
    shocks,
    revisions,
    alerts,
    fleets,
    knownAt,
  };
  const notifications = notificationsArea(kernel, {
    ...{ identity, models, deployments, goals: ofGoals, pipelineNamed: ofPipelines.named },
    areas: Object.values<Area>(told),
    channels: toldBy,
  });
  const channels = channelsArea(kernel, { notifications }, ends);
  const all = { ...told, notifications, channels };
  return {
    ...all,
    realtime: realtimeArea(kernel, { identity, goals: ofGoals, areas: Object.values<Area>(all) }),
  };
}
export type Areas = Awaited<ReturnType<typeof areasOn>>;
