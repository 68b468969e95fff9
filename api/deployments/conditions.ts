import { SERVED } from '../../domain/deployments/state.js';
import { iso } from '../../domain/time.js';
import type { DeploymentDoc } from '../../projections/deployments/documents.js';
import type { Doing } from './doing.js';

type Word = readonly [status: 'true' | 'false' | 'unknown', reason: string, message: string];

/** What must hold for a deployment to serve, one after the other. */
export function conditionsOf(doc: DeploymentDoc, doing: Doing) {
  const probed = doing.probed.probes.length > 0 ? iso(doing.probed.since) : null;
  return [
    condition('runtime_ready', runtime(doing), probed),
    condition('artifact_loaded', artifact(doing), probed),
    condition('probe_passed', probe(doing), probed),
    condition('serving', serving(doc, doing), iso(doc.since)),
  ];
}

const condition = <const T extends string>(
  type: T,
  [status, reason, message]: Word,
  since: string | null,
) => ({
  ...{ type, status, reason, message },
  last_transition_at: since,
});

const runtime = ({ workers }: Doing): Word =>
  workers > 0
    ? ['true', 'WorkersReady', `The serving pool has ${workers} workers`]
    : ['false', 'NobodyServes', 'No process that serves can be reached'];

function artifact({ workers, ready }: Doing): Word {
  if (workers === 0) return ['unknown', 'NobodyServes', 'No process that serves can be reached'];
  return ready > 0
    ? ['true', 'Loaded', `Workers that have the model loaded: ${ready}`]
    : ['false', 'NotLoaded', 'A worker loads the model when it is first needed'];
}

function probe({ probed }: Doing): Word {
  const last = probed.probes.at(-1);
  if (!last) return ['unknown', 'NotTried', 'No forward pass was tried within the last minutes'];
  return last.ok
    ? ['true', 'Passed', `A forward pass took ${last.tookMs} ms`]
    : ['false', 'Failed', last.message ?? 'A forward pass failed'];
}

const serving = ({ status }: DeploymentDoc, { isReady }: Doing): Word =>
  isReady ? ['true', 'Ready', 'Forecasts are answered'] : ['false', reasonOf(status), `It is ${status}`];

const reasonOf = (status: DeploymentDoc['status']): string =>
  SERVED.includes(status) ? 'NotProved' : status.charAt(0).toUpperCase() + status.slice(1);
