import { randomUUID } from 'node:crypto';
import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Log } from '../../commands/ports/log.js';
import type { Rejected } from '../../domain/rejected.js';
import { overloaded } from './errors.js';

const CLAIM_MS = 60_000;
/** A claim is renewed so often within its time that one or two renewals may fail. */
const RENEWALS = 3;
/** Somebody else may take a key and let go of it between a look and a claim, but hardly so often in a row. */
const ATTEMPTS = 5;

export type ClaimDeps = {
  readonly kv: KeyValue;
  readonly clock: () => number;
  readonly log: Log;
  /** How long a claim outlives its process; a minute unless said otherwise. */
  readonly claimMs?: number | undefined;
};

/** What stands under a key: which claim wrote it, and the fingerprint of the request that made the claim. */
export type Claimed = { readonly by?: string; readonly print: string };

/**
 * The claim of a request that may run now; or what stands under its key already. @throws Rejected 503 where
 * neither could be found out: without a claim nothing may run
 */
export async function claimOrFind<C extends Claimed>(
  deps: ClaimDeps,
  key: string,
  print: string,
  requestId: string,
): Promise<Claim | C> {
  const { kv, log } = deps;
  const claim = new Claim(deps, key, print, requestId);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const held = await kv.get<C>(key);
      if (held) return held.value;
      if (await claim.take()) return claim;
    }
    log.warn({ requestId }, 'no claim on an Idempotency-Key: the store refused it');
  } catch (err) {
    log.warn({ requestId, err }, 'no claim on an Idempotency-Key: the store did not take it');
  }
  throw unclaimed();
}

/** The right to run under a key, renewed from the moment that it is taken until it is kept or released. */
export class Claim {
  readonly #deps: ClaimDeps;
  readonly #claimMs: number;
  readonly #mine: Claimed;
  #version = 0;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | null = null;

  constructor(
    deps: ClaimDeps,
    readonly key: string,
    print: string,
    readonly requestId: string,
  ) {
    this.#deps = deps;
    this.#claimMs = deps.claimMs ?? CLAIM_MS;
    this.#mine = { print, by: randomUUID() };
  }

  /** False: somebody else was first. */
  async take(): Promise<boolean> {
    const version = await this.#deps.kv.set(this.key, this.#mine, 0, this.#ends());
    if (version === null) return false;
    this.#version = version;
    this.#timer = setInterval(() => this.#renew(), this.#claimMs / RENEWALS);
    this.#timer.unref();
    return true;
  }

  /**
   * Leaves what came of the request under the key, for so many ms. That it happened stays true where this
   * fails: a failure is logged and never thrown.
   */
  async keep(outcome: object, forMs: number): Promise<void> {
    await this.#end();
    const value = { ...outcome, ...this.#mine };
    await this.#logged('the outcome of an Idempotency-Key was not kept', () =>
      this.#write(value, this.#deps.clock() + forMs),
    );
  }

  /** Frees the key at once. A failure is logged: the key is free when the claim's time has passed. */
  async release(): Promise<void> {
    await this.#end();
    await this.#logged('an Idempotency-Key was not freed', () => this.#write(null, this.#deps.clock() - 1));
  }

  #ends(): number {
    return this.#deps.clock() + this.#claimMs;
  }

  #renew(): void {
    this.#renewing ??= this.#logged('the claim on an Idempotency-Key was not renewed', () =>
      this.#write(this.#mine, this.#ends()),
    ).finally(() => {
      this.#renewing = null;
    });
  }

  /** From here on nothing else writes: a renewal under way has ended. */
  async #end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
  }

  /**
   * False: the key is somebody else's by now. A write that threw may have happened all the same, and a claim
   * may have run out unnoticed: where the version is not the one we know, what stands there decides.
   */
  async #write(value: unknown, expiresAt: number): Promise<boolean> {
    const { kv } = this.#deps;
    let version = await kv.set(this.key, value, this.#version, expiresAt);
    if (version === null) {
      const held = await kv.get<Claimed>(this.key);
      if (held && held.value.by !== this.#mine.by) return false;
      version = await kv.set(this.key, value, held?.version ?? 0, expiresAt);
    }
    if (version === null) return false;
    this.#version = version;
    return true;
  }

  async #logged(message: string, write: () => Promise<boolean>): Promise<void> {
    const { log } = this.#deps;
    const { requestId } = this;
    try {
      if (await write()) return;
      clearInterval(this.#timer);
      log.warn({ requestId }, `${message}: another request holds the key`);
    } catch (err) {
      log.warn({ requestId, err }, message);
    }
  }
}

const unclaimed = (): Rejected =>
  overloaded(1, 'The Idempotency-Key could not be noted, so nothing was done; try again soon');
