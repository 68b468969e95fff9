import type { Projection } from '../projections/engine/projection.js';
import { analystProjection } from '../projections/analyst/projection.js';
import { alertsProjection } from '../projections/alerts/projection.js';
import { auditProjection } from '../projections/audit/projection.js';
import { deploymentsProjection } from '../projections/deployments/projection.js';
import { discoveriesProjection } from '../projections/discovery/projection.js';
import { edgesProjection } from '../projections/edges/projection.js';
import { eventsProjection } from '../projections/events/projection.js';
import { fleetsProjection } from '../projections/fleets/projection.js';
import { forecastsProjection } from '../projections/forecasts/projection.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { identityProjection } from '../projections/identity/projection.js';
import { ingestionProjection } from '../projections/ingestion/projection.js';
import { inferenceProjection } from '../projections/inference/projection.js';
import { marketplaceProjection } from '../projections/marketplace/projection.js';
import { byomProjection } from '../projections/byom/projection.js';
import { modelsProjection } from '../projections/models/projection.js';
import { notificationsProjection } from '../projections/notifications/projection.js';
import { pipelinesProjection } from '../projections/pipelines/projection.js';
import { scenariosProjection } from '../projections/scenarios/projection.js';
import { revisionsProjection } from '../projections/revisions/projection.js';
import { segmentsProjection } from '../projections/segments/projection.js';
import { shocksProjection } from '../projections/shocks/projection.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { trainingsProjection } from '../projections/trainings/projection.js';
import { tournamentsProjection } from '../projections/tournaments/projection.js';
import { usageProjection } from '../projections/usage/projection.js';
import { billingProjection } from '../projections/billing/projection.js';
import { channelsProjection } from '../projections/channels/projection.js';

/** The read models of all areas. */
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
  fleetsProjection,
  tournamentsProjection,
  scenariosProjection,
  analystProjection,
  shocksProjection,
  revisionsProjection,
  alertsProjection,
  billingProjection,
  usageProjection,
  notificationsProjection,
  channelsProjection,
  ingestionProjection,
];

/** Names of all reactors of the areas. */
export const reactorNames: readonly string[] = [
  'activation',
  'alert-checking',
  'alert-health',
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
  'shock-entry',
  'shock-grading',
  'shock-rechecks',
];
