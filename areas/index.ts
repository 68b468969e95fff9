import type { Endings } from '../adapters/endings.js';
import { auditProjection } from '../projections/audit/projection.js';
import type { Projection } from '../projections/engine/projection.js';
import { deploymentsProjection } from '../projections/deployments/projection.js';
import { eventsProjection } from '../projections/events/projection.js';
import { identityProjection } from '../projections/identity/projection.js';
import { ingestionProjection } from '../projections/ingestion/projection.js';
import { inferenceProjection } from '../projections/inference/projection.js';
import { inferenceQueries } from '../projections/inference/queries.js';
import { marketplaceProjection } from '../projections/marketplace/projection.js';
import { modelsProjection } from '../projections/models/projection.js';
import { notificationsProjection } from '../projections/notifications/projection.js';
import { segmentsProjection } from '../projections/segments/projection.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { usageProjection } from '../projections/usage/projection.js';
import { billingProjection } from '../projections/billing/projection.js';
import { channelsProjection } from '../projections/channels/projection.js';
import { channelQueries } from '../projections/channels/queries.js';
import type { Area } from './area.js';
import { auditArea } from './audit.js';
import { billingArea } from './billing.js';
import { channelsArea } from './channels.js';
import { deploymentsArea } from './deployments.js';
import { eventsArea } from './events.js';
import { identityArea } from './identity.js';
import { ingestionArea } from './ingestion.js';
import { inferenceArea } from './inference.js';
import type { Kernel } from './kernel.js';
import { marketplaceArea } from './marketplace.js';
import { modelsArea } from './models.js';
import { realtimeArea } from './realtime.js';
import { notificationsArea } from './notifications.js';
import { servingPool } from './serving-pool.js';
import { segmentsArea, segmentsUsing } from './segments.js';
import { signalsArea } from './signals.js';
import { usageArea } from './usage.js';

export const projections: readonly Projection[] = [
  identityProjection,
  auditProjection,
  eventsProjection,
  signalsProjection,
  marketplaceProjection,
  modelsProjection,
  deploymentsProjection,
  inferenceProjection,
  segmentsProjection,
  billingProjection,
  usageProjection,
  notificationsProjection,
  channelsProjection,
  ingestionProjection,
];

/** Names of all reactors of the areas. */
export const reactorNames: readonly string[] = [
  'demoting',
  'dispatching',
  'erasure',
  'first-jobs',
  'grading',
  'notifying',
  'opening',
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
  // There are no goals and no pipelines yet
  const dependants = async () => [];
  const signals = signalsArea(kernel, { events, marketplace, inUse: segmentsUsing(kernel) });
  const segments = segmentsArea(kernel, { events, marketplace, signals, dependants }, ends);
  const open = await servingPool(kernel, ends);
  const models = modelsArea(kernel, {
    identity,
    // Nothing trains yet
    adapters: { seenBy: async () => [], one: async () => null },
    recommended: async () => null,
    serving: model => ({ available: open !== null, warm: (open?.pool.ready(model) ?? 0) > 0 }),
  });
  const deployments = deploymentsArea(kernel, {
    ...{ identity, models, open, dependants },
    lastInference: inferenceQueries(kernel.read(inferenceProjection)).lastOf,
  });
  const inference = inferenceArea(kernel, { identity, marketplace, signals, deployments, billing });
  const usage = usageArea(kernel, { billing, events, deployments, open });
  const ingestion = ingestionArea(kernel, { identity, events, signals, usage }, ends);
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
    deployments,
    inference,
    usage,
  };
  const notifications = notificationsArea(kernel, {
    ...{ identity, models, deployments },
    areas: Object.values<Area>(told),
    channels: channelQueries(kernel.read(channelsProjection)),
  });
  const channels = channelsArea(kernel, { notifications }, ends);
  const all = { ...told, notifications, channels };
  return { ...all, realtime: realtimeArea(kernel, { identity, areas: Object.values<Area>(all) }) };
}
export type Areas = Awaited<ReturnType<typeof areasOn>>;
