import { forwardPass } from '../domain/deployments/probe.js';
import { PROBES, type Probe } from '../domain/deployments/keeping.js';
import { Cancelled } from '../domain/maths/compute.js';
import type { HostedModel, ModelRef } from '../domain/models/hosted.js';
import { Rejected } from '../domain/rejected.js';
import { MINUTE } from '../domain/time.js';
import { isModelFileLost } from './model-files.js';
import type { KeyValue } from './ports/key-value.js';
import type { Log } from './ports/log.js';
import type { ServingPool } from './serving-pool.js';

type Deps = {
  readonly pool: Pick<ServingPool, 'forecaster'>;
  /** Shared by all processes: whoever probed, all know. */
  readonly kv: KeyValue;
  readonly clock: () => number;
  readonly log: Log;
};
/** Of one model, newest last; `since`: when they began to come out as the latest did, epoch ms. */
export type Probed = { readonly probes: readonly Probe[]; readonly since: number };
export type Probing = ReturnType<typeof probing>;

/** What was found out longer ago than this says nothing any more. */
export const FRESH_MS = MINUTE;
const KEPT_MS = 10 * MINUTE;
const NONE: Probed = { probes: [], since: 0 };
const TRIES = 5;

const keyOf = ({ family, slug }: ModelRef): string => `probes/${family}/${slug}`;

/** Real forward passes through the live path, and what came of the latest of them. */
export function probing({ pool, kv, clock, log }: Deps) {
  const latest = async (model: ModelRef): Promise<Probed> => {
    const found = (await kv.get<Probed>(keyOf(model)))?.value ?? NONE;
    const probes = found.probes.filter(({ at }) => at > clock() - KEPT_MS);
    return { ...found, probes };
  };
  /**
   * Answers whether the one before came out as this did. Whoever loses the race for the entry again and again
   * lets it be: another has just noted one.
   */
  const note = async (model: ModelRef, probe: Probe): Promise<boolean> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const entry = await kv.get<Probed>(keyOf(model));
      const { probes, since } = entry?.value ?? NONE;
      const isSame = probes.at(-1)?.ok === probe.ok;
      const value = { probes: [...probes.slice(1 - PROBES), probe], since: isSame ? since : probe.at };
      if ((await kv.set(keyOf(model), value, entry?.version ?? 0, probe.at + KEPT_MS)) !== null)
        return isSame;
    }
    return true;
  };
  return {
    latest,
    /**
     * Tries a model, for so many ms; null: nobody serves just now, or nobody had time for it, which says
     * nothing about the model. `lateIsFault`: one that takes longer has failed.
     */
    async probe(model: HostedModel, withinMs: number, lateIsFault: boolean): Promise<Probe | null> {
      const path = { promotionId: keyOf(model), lane: keyOf(model), model, replicas: { min: 1, max: 1 } };
      const began = performance.now();
      const outcome = await forwardPass(
        pool.forecaster(path),
        AbortSignal.timeout(withinMs),
        model.trained?.covariates,
      ).then(
        () => null,
        (error: unknown) => error,
      );
      const tookMs = Math.round(performance.now() - began);
      if (saysNothing(outcome)) return null;
      if (outcome instanceof Cancelled && !lateIsFault) return null;
      const probe = { ok: outcome === null, at: clock(), tookMs, message: messageOf(outcome, withinMs) };
      const isKnown = await note(model, probe);
      if (isOurs(outcome) && !isKnown)
        log.error({ err: outcome, model: keyOf(model) }, 'a model could not be tried');
      return probe;
    },
  };
}

/** Nobody serves just now. A model whose file is lost is nobody else's fault. */
const saysNothing = (outcome: unknown): boolean =>
  outcome instanceof Rejected && outcome.kind === 'unavailable' && !isModelFileLost(outcome);

function messageOf(error: unknown, withinMs: number): string | null {
  if (error === null) return null;
  if (error instanceof Cancelled) return `it took longer than ${withinMs} ms`;
  return error instanceof Rejected ? error.message : 'an error of the platform, which its log tells of';
}

const isOurs = (error: unknown): boolean =>
  error !== null && !(error instanceof Rejected || error instanceof Cancelled);
