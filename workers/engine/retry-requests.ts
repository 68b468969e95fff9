import type { Entry, KeyValue } from '../../commands/ports/key-value.js';

/** Which of its facts a reactor is asked to try again, by id; several commands add up. */
type RetryRequest = { readonly facts: readonly string[] };
const keyOf = (reactor: string): string => `retry/${reactor}`;

/**
 * Asks a reactor, wherever it runs, to try facts again. The request waits in the shared state until the
 * reactor takes it, since it alone writes what it set aside; should it be lost, the operator asks once more.
 */
export async function askForRetry(kv: KeyValue, reactor: string, facts: readonly string[]): Promise<void> {
  for (let written: number | null = null; written === null; ) {
    const present = await kv.get<RetryRequest>(keyOf(reactor));
    const all = new Set([...(present?.value.facts ?? []), ...facts]);
    written = await kv.set(keyOf(reactor), { facts: [...all] }, present?.version ?? 0, null);
  }
}

export type RetryRequests = {
  /** The ids of facts that are asked for, at most `limit`. */
  readonly take: (limit: number) => Promise<readonly string[]>;
  /**
   * Strikes out what was taken, once it is remembered elsewhere. Where a new request came in between, all are
   * taken again: one attempt more does no harm.
   */
  readonly served: () => Promise<void>;
};

/** The reactor's side of `askForRetry`; `clock`: epoch ms. */
export function retryRequests(kv: KeyValue, reactor: string, clock: () => number): RetryRequests {
  let taken: { readonly entry: Entry<RetryRequest>; readonly left: readonly string[] } | null = null;
  return {
    async take(limit) {
      const entry = await kv.get<RetryRequest>(keyOf(reactor));
      if (!entry) return [];
      taken = { entry, left: entry.value.facts.slice(limit) };
      return entry.value.facts.slice(0, limit);
    },
    async served() {
      if (!taken) return;
      const { entry, left } = taken;
      taken = null;
      await kv.set(keyOf(reactor), { facts: left }, entry.version, left.length > 0 ? null : clock());
    },
  };
}
