import { Rejected } from '../../domain/rejected.js';
import type { Caller, Policy } from './row.js';

/** How many calls (or points, or bytes) in how many seconds, and in whose name they are counted. */
export type Limit = {
  readonly limit: number;
  readonly windowS: number;
  readonly per: 'token' | 'workspace' | 'address' | 'source';
};
export type LimitName = Policy | 'auth' | 'signature' | 'push-points' | 'push-bytes';
export type LimitTable = Readonly<Record<LimitName, Limit>>;

/** The limits unless configured otherwise. */
export const defaultLimits: LimitTable = {
  default: { limit: 600, windowS: 60, per: 'token' },
  push: { limit: 1_200, windowS: 60, per: 'workspace' },
  'push-points': { limit: 1_000_000, windowS: 60, per: 'workspace' },
  'push-bytes': { limit: 100_000_000, windowS: 60, per: 'workspace' },
  webhook: { limit: 600, windowS: 60, per: 'source' },
  inference: { limit: 300, windowS: 60, per: 'workspace' },
  heavy: { limit: 30, windowS: 60, per: 'token' },
  upload: { limit: 60, windowS: 3_600, per: 'token' },
  auth: { limit: 30, windowS: 60, per: 'address' },
  signature: { limit: 30, windowS: 60, per: 'source' },
};

type Bucket = { left: number; at: number };

/** At so many buckets those that are full again are let go, and further ones until so many fewer are left. */
const MAX_BUCKETS = 50_000;
const FREED = 10_000;

/**
 * Token buckets of one limit: each fills evenly, up to the limit, within the window. One process, in memory.
 */
export class Buckets {
  /** The value of `RateLimit-Policy`, and that of `RateLimit` while nothing is taken. */
  readonly policy: string;
  readonly full: string;
  readonly #all = new Map<string, Bucket>();
  readonly #perMs: number;

  constructor(
    readonly name: LimitName,
    readonly limit: Limit,
  ) {
    this.policy = `"${name}";q=${limit.limit};w=${limit.windowS}`;
    this.full = `"${name}";r=${limit.limit};t=0`;
    this.#perMs = limit.limit / (limit.windowS * 1000);
  }

  /** How many names are remembered. */
  get size(): number {
    return this.#all.size;
  }

  /** Takes `cost` and answers what is left; below 0 (and nothing taken) when there was not enough. */
  take(key: string, now: number, cost = 1): number {
    const bucket = this.#all.get(key) ?? this.#open(key, now);
    const left = Math.min(this.limit.limit, bucket.left + Math.max(0, now - bucket.at) * this.#perMs);
    bucket.at = now;
    bucket.left = left >= cost ? left - cost : left;
    return left - cost;
  }

  /** Gives back what was taken for nothing. */
  give(key: string, cost: number): void {
    const bucket = this.#all.get(key);
    if (bucket) bucket.left = Math.min(this.limit.limit, bucket.left + cost);
  }

  /** Takes what is known only afterwards; answers what is left, below 0 what is owed: at most a window's. */
  owe(key: string, now: number, cost: number): number {
    const left = this.take(key, now, 0);
    const bucket = this.#all.get(key)!;
    bucket.left = Math.max(left - cost, -this.limit.limit);
    return bucket.left;
  }

  /** The value of `RateLimit`: what is left, and the seconds until all of it is there again. */
  state(left: number): string {
    const whole = Math.floor(left);
    const seconds = Math.ceil((this.limit.limit - whole) / this.#perMs / 1000);
    return `"${this.name}";r=${Math.max(0, whole)};t=${seconds}`;
  }

  /** The refusal when `take` answered `left` below 0. */
  refusal(left: number): Rejected {
    const seconds = Math.max(1, Math.ceil(-left / this.#perMs / 1000));
    return new Rejected(
      'limited',
      'rate_limited',
      `The limit '${this.name}' is reached; try again in ${seconds} s`,
      { policy: this.name, limit: this.limit.limit, window_s: this.limit.windowS, retry_after_s: seconds },
    );
  }

  #open(key: string, now: number): Bucket {
    if (this.#all.size >= MAX_BUCKETS) this.#sweep(now);
    const bucket = { left: this.limit.limit, at: now };
    this.#all.set(key, bucket);
    return bucket;
  }

  #sweep(now: number): void {
    const full = now - this.limit.windowS * 1000;
    for (const [key, { at }] of this.#all) if (at <= full) this.#all.delete(key);
    // An attack from ever new addresses: those seen first are forgotten
    for (const key of this.#all.keys()) {
      if (this.#all.size <= MAX_BUCKETS - FREED) return;
      this.#all.delete(key);
    }
  }
}

/** In whose name a call is counted. */
export function nameOf(
  { per }: Limit,
  caller: Caller,
  address: () => string,
  source: string | undefined,
): string {
  if (per === 'token' && caller.tokenId !== '') return caller.tokenId;
  if (per === 'workspace' && caller.workspace !== null) return caller.workspace;
  if (per === 'workspace' && caller.tokenId !== '') return caller.tokenId;
  return per === 'source' && source !== undefined ? source : neighbourhood(address());
}

/** An address; of IPv6 the first 64 bits, since one customer commonly has all of them. */
export const neighbourhood = (address: string): string =>
  address.startsWith('::ffff:') || !address.includes(':')
    ? address
    : address.split(':').slice(0, 4).join(':');
