import type { Rejected } from '../../domain/rejected.js';
import { Buckets, nameOf, neighbourhood, type LimitName, type LimitTable } from './limits.js';
import type { Reply } from './reply.js';
import type { Caller, Policy } from './row.js';

/** Counts calls and says so in the headers of each answer. `address` is asked for only where it counts. */
export class Limiter {
  readonly #buckets: Readonly<Record<LimitName, Buckets>>;

  constructor(
    table: LimitTable,
    readonly clock: () => number,
  ) {
    const names = Object.keys(table) as LimitName[];
    this.#buckets = Object.fromEntries(names.map(name => [name, new Buckets(name, table[name])])) as Record<
      LimitName,
      Buckets
    >;
  }

  /** The headers of an answer that is not counted, or not yet. */
  announce(reply: Reply, policy: Policy): void {
    const buckets = this.#buckets[policy];
    reply.ratePolicy =
      policy === 'push' ? `${buckets.policy}, ${this.#buckets['push-points'].policy}` : buckets.policy;
    reply.rate = buckets.full;
  }

  /** @throws Rejected 429 */
  charge(reply: Reply, policy: Policy, caller: Caller, address: () => string, source?: string): void {
    const buckets = this.#buckets[policy];
    const left = buckets.take(nameOf(buckets.limit, caller, address, source), this.clock());
    reply.rate = buckets.state(left);
    if (left < 0) throw buckets.refusal(left);
  }

  /** Counts the points of a push. @throws Rejected 429 */
  chargePoints(caller: Caller, points: number, address: () => string): void {
    const buckets = this.#buckets['push-points'];
    const left = buckets.take(nameOf(buckets.limit, caller, address, undefined), this.clock(), points);
    if (left < 0) throw buckets.refusal(left);
  }

  /** Counts a 401 against its address: the refusal to send, which is a 429 when there were too many. */
  unauthorized(reply: Reply, refused: Rejected, address: () => string): Rejected {
    const buckets = this.#buckets.auth;
    const left = buckets.take(neighbourhood(address()), this.clock());
    reply.ratePolicy = buckets.policy;
    reply.rate = buckets.state(left);
    return left < 0 ? buckets.refusal(left) : refused;
  }
}
