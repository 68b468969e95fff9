import type { KeyValue } from '../../commands/ports/key-value.js';

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
  /**
   * The ids of facts that are asked for, at most `limit`, which counts as carried out at the next call: by
   * then stores that write behind have written what came of it. Where a new request came in between, all are
   * taken again: one attempt more does no harm.
   */
  readonly take: (limit: number) => Promise<readonly string[]>;
  /** Whether something was taken that does not count as carried out yet. */
  readonly pending: () => boolean;
  /** What was taken was not carried out. */
  readonly giveBack: () => void;
};

/** The reactor's side of `askForRetry`; `clock`: epoch ms. */
export function retryRequests(kv: KeyValue, reactor: string, clock: () => number): RetryRequests {
  let taken: { readonly version: number; readonly left: readonly string[] } | null = null;
  const strikeOut = async (): Promise<void> => {
    if (!taken) return;
    const { version, left } = taken;
    await kv.set(keyOf(reactor), { facts: left }, version, left.length > 0 ? null : clock());
    taken = null;
  };
  return {
    async take(limit) {
      await strikeOut();
      const entry = await kv.get<RetryRequest>(keyOf(reactor));
      if (!entry) return [];
      const { facts } = entry.value;
      taken = { version: entry.version, left: facts.slice(limit) };
      return facts.slice(0, limit);
    },
    pending: () => taken !== null,
    giveBack() {
      taken = null;
    },
  };
}
