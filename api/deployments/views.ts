import { latencyAt } from '../../domain/deployments/figures.js';
import { messageOf } from '../../domain/deployments/message.js';
import type { Probe } from '../../domain/deployments/keeping.js';
import { SERVED } from '../../domain/deployments/state.js';
import { blueprintUidOf, type HostedModel } from '../../domain/models/hosted.js';
import { isMade } from '../../domain/models/made.js';
import { iso } from '../../domain/time.js';
import type { DeploymentDoc, DeploymentEventDoc } from '../../projections/deployments/documents.js';
import { conditionsOf } from './conditions.js';
import type { Doing } from './doing.js';
import type { Who } from './who.js';

export function shortView(doc: DeploymentDoc, { isReady, workers }: Pick<Doing, 'isReady' | 'workers'>) {
  const { status, note, replicas_min: least } = doc;
  const message = messageOf({ status, isReady, note, least, workers });
  return { promotion_id: doc._id, status, ready: isReady, message };
}

export const statusView = (doc: DeploymentDoc, doing: Doing) => ({
  ...shortView(doc, doing),
  health: healthOf(doc, doing),
  conditions: conditionsOf(doc, doing),
  error: doc.error,
});

type Around = {
  readonly model: HostedModel | null;
  readonly doing: Doing;
  /** Ids of those in use that it serves. */
  readonly goals: readonly string[];
  readonly lastInference: number | null;
  readonly who: (actor: string) => Who;
  readonly cell: string;
};

export function recordView(doc: DeploymentDoc, { model, doing, lastInference, goals, who, cell }: Around) {
  const { family, slug, horizon, lookback, reason, replacement, attempts, deployment_type, name } = doc;
  const version = model?.version ?? doc.version;
  return {
    ...statusView(doc, doing),
    ...{
      deployment_type,
      name,
      family,
      slug,
      horizon,
      lookback,
      reason,
      version,
      attempts,
      replacement,
      cell,
    },
    model: {
      ...{ family, slug, version },
      name: model?.name ?? null,
      vendor: model?.vendor ?? null,
      license: model?.licence ?? null,
      deprecated: model && model.deprecatedAt !== null,
    },
    blueprint_uid: isMade(doc) ? doc.blueprint_uid : blueprintUidOf(doc),
    training_id: doc.training_id,
    pipeline_id: doc.pipeline_id,
    goal_ids: goals,
    replicas: replicasOf(doc, doing),
    scale_to_zero_after_s: doc.scale_to_zero_after_s,
    created_by: who(doc.created_by),
    created_at: iso(doc.created_at),
    deployed_at: isoOf(doc.deployed_at),
    retired_at: isoOf(doc.retired_at),
    last_inference_at: isoOf(lastInference),
  };
}

function replicasOf(doc: DeploymentDoc, { ready, workers }: Doing) {
  const { replicas_min: min, replicas_max: max, served } = doc;
  const now = { desired: served ? min : 0, ready: served ? Math.min(ready, max) : 0 };
  return { min, max, ...now, possible: Math.min(workers, max) };
}

function healthOf(doc: DeploymentDoc, doing: Doing) {
  const { figures, probed } = doing;
  const last = probed.probes.at(-1);
  return {
    state: stateOf(doc, doing, last),
    checked_at: isoOf(last?.at ?? null),
    latency_p50_ms: latencyAt(0.5, figures),
    latency_p95_ms: latencyAt(0.95, figures),
    error_rate_1h: figures.count === 0 ? null : figures.errors / figures.count,
    last_probe: last ? { ok: last.ok, took_ms: last.tookMs, message: last.message } : null,
  };
}

function stateOf({ status }: DeploymentDoc, { isReady }: Doing, last: Probe | undefined) {
  if (status === 'failed') return 'unhealthy';
  if (!SERVED.includes(status)) return 'unknown';
  if (status === 'degraded') return 'degraded';
  if (isReady) return 'healthy';
  return last?.ok === false ? 'unhealthy' : 'unknown';
}

const isoOf = (at: number | null): string | null => (at === null ? null : iso(at));

export const eventView = (
  { at, type, from, to, actor, request, message }: DeploymentEventDoc,
  who: (actor: string) => Who,
) => ({
  ...{ at: iso(at), type, from, to, ...who(actor) },
  request_id: request,
  message,
});
