import { MINUTE, SECOND } from '../time.js';
import type { KeepingCommand } from './commands.js';
import type { Replicas } from './facts.js';
import type { Status } from './state.js';

/** A forward pass through the live path. `at`: epoch ms. */
export type Probe = {
  readonly ok: boolean;
  readonly at: number;
  readonly tookMs: number;
  /** What went wrong; null: nothing. */
  readonly message: string | null;
};

/** A deployment as it is kept; `since`: when its status began, epoch ms. */
export type Kept = {
  readonly workspace: string;
  readonly promotionId: string;
  readonly status: Status;
  readonly since: number;
  readonly replicas: Replicas;
  readonly scaleToZeroAfterS: number | null;
};

/** How it does. */
export type Seen = {
  /** Workers that have its model loaded. */
  readonly ready: number;
  /** All workers that there are. */
  readonly workers: number;
  /** The latest probes, newest last. */
  readonly probes: readonly Probe[];
  /** Of the last five minutes, and since its status began. */
  readonly calls: { readonly count: number; readonly errors: number };
  readonly inFlight: number;
  /** When the last call came, epoch ms; null: none is known of. */
  readonly usedAt: number | null;
};

/** So many probes in a row decide. */
export const PROBES = 3;
export const DEPLOY_WITHIN = 10 * MINUTE;
const SCALE_WITHIN = 10 * MINUTE;
const DEGRADED_AT_MOST = 15 * MINUTE;
const DRAINED_WITHIN = 30 * SECOND;
/** Calls are errors too often from this share on, when there were enough of them to tell. */
const ERRORS = 0.2;
const CALLS_TO_TELL = 10;

/** What time and the way it does make of a deployment; null: it stays as it is. */
export function nextStep(kept: Kept, seen: Seen, now: number): KeepingCommand | null {
  const { workspace, promotionId, status } = kept;
  const step = steps[status]?.(kept, seen, now);
  return step
    ? ({ type: step.type, data: { workspace, promotionId, ...step.data } } as KeepingCommand)
    : null;
}

type Step = {
  [C in KeepingCommand as C['type']]: {
    readonly type: C['type'];
    readonly data: Omit<C['data'], 'workspace' | 'promotionId'>;
  };
}[KeepingCommand['type']];

const steps: Readonly<Partial<Record<Status, (kept: Kept, seen: Seen, now: number) => Step | null>>> = {
  deploying(kept, seen, now) {
    const tried = sinceThen(kept, seen.probes);
    const passed = tried.find(({ ok }) => ok);
    if (passed) return { type: 'ConfirmDeployed', data: { tookMs: passed.tookMs } };
    if (tried.length >= PROBES) return failed('probe_failed', tried.at(-1)!.message ?? 'a probe failed');
    if (now - kept.since < DEPLOY_WITHIN) return null;
    return failed('not_ready_in_time', 'no worker of the serving pool was ready within 10 minutes');
  },
  scaling({ replicas, since }, { ready, workers }, now) {
    if (ready >= replicas.min) return { type: 'FinishScaling', data: {} };
    if (now - since < SCALE_WITHIN) return null;
    const message =
      `${replicas.min} replicas could not be had within 10 minutes: ` + `the pool has ${workers} workers`;
    return { type: 'RollBackScaling', data: { message } };
  },
  deployed(kept, seen, now) {
    const { calls } = seen;
    if (allInARow(kept, seen.probes, false))
      return degraded(`${PROBES} probes failed: ${seen.probes.at(-1)!.message ?? 'no reason given'}`);
    if (calls.count >= CALLS_TO_TELL && calls.errors > ERRORS * calls.count)
      return degraded(`${calls.errors} of ${calls.count} forecasts failed within 5 minutes`);
    const { scaleToZeroAfterS, since } = kept;
    const idle = now - Math.max(seen.usedAt ?? 0, since);
    const isIdle = scaleToZeroAfterS !== null && seen.inFlight === 0 && idle >= scaleToZeroAfterS * SECOND;
    return isIdle ? { type: 'PutToSleep', data: {} } : null;
  },
  degraded(kept, seen, now) {
    if (allInARow(kept, seen.probes, true)) return { type: 'RecoverDeployment', data: {} };
    if (now - kept.since < DEGRADED_AT_MOST) return null;
    const last = seen.probes.at(-1);
    const why = last?.ok === false && last.message !== null ? `: ${last.message}` : '';
    return failed('degraded_too_long', `it was degraded for 15 minutes${why}`);
  },
  retiring: ({ since }, { inFlight }, now) =>
    inFlight === 0 || now - since >= DRAINED_WITHIN ? { type: 'RetireDeployment', data: {} } : null,
};

/** Probes of its present status: those before say nothing about it. */
const sinceThen = ({ since }: Kept, probes: readonly Probe[]): readonly Probe[] =>
  probes.filter(({ at }) => at >= since);

const failed = (code: string, message: string): Step => ({
  type: 'FailDeployment',
  data: { code, message, retryable: true },
});
const degraded = (message: string): Step => ({ type: 'DegradeDeployment', data: { message } });

/** Whether the latest probes all came out so. */
function allInARow(kept: Kept, probes: readonly Probe[], ok: boolean): boolean {
  const latest = sinceThen(kept, probes).slice(-PROBES);
  return latest.length === PROBES && latest.every(probe => probe.ok === ok);
}
