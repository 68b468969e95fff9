import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Projection } from '../../projections/engine/projection.js';

/**
 * Which generation of each projection serves, and the way to change it. Shared by all processes; each looks
 * now and then.
 */
export type ActiveGenerations = {
  readonly generationOf: (p: Projection) => number;
  /** Looks up again what other processes may have changed. */
  readonly refresh: () => Promise<void>;
  /** Lets another generation serve, from now on. */
  readonly flip: (p: Projection, generation: number) => Promise<void>;
};

type Entry = { readonly generation: number };
const keyOf = (p: Projection): string => `serving/${p.name}_v${p.version}`;

export async function activeGenerations(
  kv: Pick<KeyValue, 'get' | 'set'>,
  projections: readonly Projection[],
): Promise<ActiveGenerations> {
  const generations = new Map<string, number>();
  const refresh = async (): Promise<void> => {
    for (const p of projections)
      generations.set(keyOf(p), (await kv.get<Entry>(keyOf(p)))?.value.generation ?? 0);
  };
  await refresh();
  return {
    generationOf: p => generations.get(keyOf(p)) ?? 0,
    refresh,
    async flip(p, generation) {
      const now = await kv.get<Entry>(keyOf(p));
      if ((await kv.set(keyOf(p), { generation }, now?.version ?? 0, null)) === null)
        throw new Error(`${p.name}: two rebuilds at once`);
      generations.set(keyOf(p), generation);
    },
  };
}
