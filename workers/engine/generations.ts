import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Projection } from '../../projections/engine/projection.js';

/**
 * Which generation of each projection serves, and the way to change it. Shared by all processes; each looks
 * now and then.
 */
export type ActiveGenerations = {
  readonly generationOf: (p: Projection) => number;
  /** Whether the documents of this version were found to hold the whole log once. */
  readonly isComplete: (p: Projection) => boolean;
  /** Notes for good that they do. */
  readonly complete: (p: Projection) => Promise<void>;
  /** Looks up again what other processes may have changed. */
  readonly refresh: () => Promise<void>;
  /** Lets another generation serve, from now on. */
  readonly flip: (p: Projection, generation: number) => Promise<void>;
  /** As if this version had never been: before its documents are dropped. */
  readonly forget: (p: Projection) => Promise<void>;
};

type Entry = { readonly generation: number };
const keyOf = (p: Projection): string => `serving/${p.name}_v${p.version}`;
/** Written after every change: who looks reads this, and all entries only when there is something new. */
const CHANGED = 'serving';
/** A change of which a process that was killed did not tell is seen after this many looks. */
const LOOKS_AT_ALL_EVERY = 20;

export async function activeGenerations(
  kv: Pick<KeyValue, 'get' | 'set'>,
  projections: readonly Projection[],
): Promise<ActiveGenerations> {
  const generations = new Map<string, number>();
  const look = async (p: Projection): Promise<void> => {
    const entry = await kv.get<Entry>(keyOf(p));
    if (entry) generations.set(keyOf(p), entry.value.generation);
    else generations.delete(keyOf(p));
  };
  let seen = -1;
  let looks = 0;
  const refresh = async (): Promise<void> => {
    const changed = (await kv.get(CHANGED))?.version ?? 0;
    if (changed === seen && ++looks % LOOKS_AT_ALL_EVERY !== 0) return;
    for (const p of projections) await look(p);
    seen = changed;
  };
  /** Somebody else who tells at the same time tells for both. */
  const tell = async (): Promise<void> => {
    await kv.set(CHANGED, null, (await kv.get(CHANGED))?.version ?? 0, null);
  };
  await refresh();
  return {
    generationOf: p => generations.get(keyOf(p)) ?? 0,
    isComplete: p => generations.has(keyOf(p)),
    async complete(p) {
      // Whoever else was first says the same, or more
      if ((await kv.set(keyOf(p), { generation: 0 }, 0, null)) === null) await look(p);
      else generations.set(keyOf(p), 0);
      await tell();
    },
    refresh,
    async flip(p, generation) {
      const now = await kv.get<Entry>(keyOf(p));
      if ((await kv.set(keyOf(p), { generation }, now?.version ?? 0, null)) === null)
        throw new Error(`${p.name}: two rebuilds at once`);
      generations.set(keyOf(p), generation);
      await tell();
    },
    async forget(p) {
      const now = await kv.get<Entry>(keyOf(p));
      if (now) await kv.set(keyOf(p), now.value, now.version, 0);
      generations.delete(keyOf(p));
      await tell();
    },
  };
}
