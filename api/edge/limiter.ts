import type { Rejected } from '../../domain/rejected.js';
import { Buckets, nameOf, neighbourhood, type LimitName, type LimitTable } from './limits.js';
import type { Reply } from './reply.js';
import type { Caller, Policy } from './row.js';

/** For each of so many bytes an answer counts as one call more: they take about as long as a small call. */
export const BYTES_A_CALL = 100_000;

/** Counts calls and says so in the headers of each answer. `address` is asked for only where it counts. */
export class Limiter {
  readonly #buckets: Readonly<Record<LimitName, Buckets>>;
  readonly #pushPolicies: string;

  constructor(
    table: LimitTable,
    readonly clock: () => number,
  ) {
    const names = Object.keys(table) as LimitName[];
    this.#buckets = Object.fromEntries(names.map(name => [name, new Buckets(name, table[name])])) as Record<
      LimitName,
      Buckets
    >;
    const { push, 'push-points': points, 'push-bytes': bytes } = this.#buckets;
    this.#pushPolicies = [push, points, bytes].map(({ policy }) => policy).join(', ');
  }

  /** The headers of an answer that is not counted, or not yet. */
  announce(reply: Reply, policy: Policy): void {
    const buckets = this.#buckets[policy];
    reply.ratePolicy = policy === 'push' ? this.#pushPolicies : buckets.policy;
    reply.rate = buckets.full;
  }

  /** `calls`: as how many it counts. @throws Rejected 429 */
  charge(
    reply: Reply,
    policy: Policy,
    caller: Caller,
    address: () => string,
    source?: string,
    calls = 1,
  ): void {
    const buckets = this.#buckets[policy];
    const left = buckets.take(nameOf(buckets.limit, caller, address, source), this.clock(), calls);
    reply.rate = buckets.state(left < 0 ? left + calls : left);
    if (left < 0) throw buckets.refusal(left);
  }

  /** Counts a large answer as further calls. What is not left is owed: the next calls wait for it. */
  chargeAnswer(reply: Reply, policy: Policy, caller: Caller, address: () => string, bytes: number): void {
    const calls = Math.floor(bytes / BYTES_A_CALL);
    if (policy !== 'default' || calls === 0) return;
    const buckets = this.#buckets[policy];
    reply.rate = buckets.state(
      buckets.owe(nameOf(buckets.limit, caller, address, undefined), this.clock(), calls),
    );
  }

  /** Counts the bytes of a push; one body is never more than there can be. @throws Rejected 429 */
  chargeBytes(reply: Reply, caller: Caller, bytes: number, address: () => string): void {
    const buckets = this.#buckets['push-bytes'];
    this.#chargeMore(buckets, reply, caller, Math.min(bytes, buckets.limit.limit), address);
  }

  /**
   * Counts the points of a push whose bytes were counted; what is refused for its points gets its bytes back.
   * @throws Rejected 429
   */
  chargePoints(reply: Reply, caller: Caller, points: number, bytes: number, address: () => string): void {
    try {
      this.#chargeMore(this.#buckets['push-points'], reply, caller, points, address);
    } catch (refused) {
      const buckets = this.#buckets['push-bytes'];
      buckets.give(nameOf(buckets.limit, caller, address, undefined), bytes);
      throw refused;
    }
  }

  /** `RateLimit` tells of calls, unless another limit is what refuses. */
  #chargeMore(buckets: Buckets, reply: Reply, caller: Caller, cost: number, address: () => string): void {
    const left = buckets.take(nameOf(buckets.limit, caller, address, undefined), this.clock(), cost);
    if (left >= 0) return;
    reply.rate = buckets.state(left + cost);
    throw buckets.refusal(left);
  }

  /** Counts what no answer tells of; the refusal, where there were too many. */
  count(policy: Policy, caller: Caller, address: string, calls: number): Rejected | null {
    const buckets = this.#buckets[policy];
    const left = buckets.take(
      nameOf(buckets.limit, caller, () => address, undefined),
      this.clock(),
      calls,
    );
    return left < 0 ? buckets.refusal(left) : null;
  }

  /** Counts a refused token that no answer tells of; the refusal, where there were too many. */
  guessed(address: string): Rejected | null {
    const left = this.#buckets.auth.take(neighbourhood(address), this.clock());
    return left < 0 ? this.#buckets.auth.refusal(left) : null;
  }

  /**
   * Counts a wrong signature against its source and address, and gives the call back to the source, whose own
   * deliveries strangers must not use up: the refusal to send, which is a 429 when there were too many.
   */
  wrongSignature(reply: Reply, refused: Rejected, source: string, address: string): Rejected {
    this.#buckets.webhook.give(source, 1);
    const buckets = this.#buckets.signature;
    const left = buckets.take(`${source}/${neighbourhood(address)}`, this.clock());
    reply.ratePolicy = buckets.policy;
    reply.rate = buckets.state(left < 0 ? left + 1 : left);
    return left < 0 ? buckets.refusal(left) : refused;
  }

  /** Counts a 401 against its address: the refusal to send, which is a 429 when there were too many. */
  unauthorized(reply: Reply, refused: Rejected, address: () => string): Rejected {
    const buckets = this.#buckets.auth;
    const left = buckets.take(neighbourhood(address()), this.clock());
    reply.ratePolicy = buckets.policy;
    reply.rate = buckets.state(left < 0 ? left + 1 : left);
    return left < 0 ? buckets.refusal(left) : refused;
  }
}
