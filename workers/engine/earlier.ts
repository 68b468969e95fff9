import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Log } from '../../commands/ports/log.js';
import { checkpointName, type Projection } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import type { ActiveGenerations } from './generations.js';

export type Earlier = {
  /** Drops what earlier versions of a projection left, unless somebody reads from it. */
  readonly drop: (p: Projection) => Promise<void>;
  /** Says to all processes that this one reads from a version, for the next minute. */
  readonly reading: (p: Projection) => Promise<void>;
};
type Deps = {
  readonly models: ReadModels;
  readonly generations: Pick<ActiveGenerations, 'forget'>;
  /** Where processes that share the stores tell each other what they read; null: this is the only one. */
  readonly kv: KeyValue | null;
  readonly clock: () => number;
  readonly log: Log;
};

export const READING_MS = 60_000;

/** The documents of earlier versions: they go when no process reads from them any more. */
export function earlierVersions({ models, generations, kv, clock, log }: Deps): Earlier {
  const keyOf = (p: Projection): string => `reading/${p.name}_v${p.version}`;
  const isRead = async (p: Projection): Promise<boolean> => kv !== null && (await kv.get(keyOf(p))) !== null;
  return {
    async reading(p) {
      const entry = await kv?.get(keyOf(p));
      const now = clock();
      // Whoever is first says it for all
      if (entry?.expiresAt && entry.expiresAt > now + READING_MS / 2) return;
      await kv?.set(keyOf(p), true, entry?.version ?? 0, now + READING_MS);
    },
    async drop(p) {
      for (const { version, generation, names } of left(await models.collections(), p)) {
        const earlier = { ...p, version };
        if (await isRead(earlier)) continue;
        await generations.forget(earlier);
        await models.drop(names, checkpointName(earlier, generation));
        log.info({ collections: names }, 'documents of an earlier version were dropped');
      }
    },
  };
}

type Left = { readonly version: number; readonly generation: number; readonly names: string[] };

/** Collections of versions below that of a projection, together as they were filled. */
function left(collections: readonly string[], p: Projection): Left[] {
  const found = new Map<string, Left>();
  for (const name of collections) {
    const [, short = '', version, generation = '0'] = /^(.+?)_v(\d+)(?:_r(\d+))?$/.exec(name) ?? [];
    if (!(short in p.collections) || Number(version) >= p.version) continue;
    const key = `${version} ${generation}`;
    const one = found.get(key) ?? { version: Number(version), generation: Number(generation), names: [] };
    found.set(key, one);
    one.names.push(name);
  }
  return [...found.values()];
}
