import { DEFAULT_CADENCE, type CadenceOf } from '../commands/events.js';
import type { Fact } from '../domain/fact.js';
import { SECOND } from '../domain/time.js';
import type { Projection } from '../projections/engine/projection.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { goalQueries } from '../projections/goals/queries.js';
import { goalFacts } from '../projections/goals/timeline.js';
import { remembering } from '../projections/identity/remembering.js';
import type { Kernel } from './kernel.js';

/** As the directory: alone, this process forgets at once; what others change it learns of within a second. */
const MEMORY = { size: 20_000, letters: 16 * 1024 * 1024, aloneMs: 60_000, sharedMs: 1_000 };
const CHANGES: ReadonlySet<string> = new Set(goalFacts);

/**
 * The smallest cadences of workspaces' active goals, from memory where they were asked for of late: recording
 * reads nothing then. Where they cannot be read an event is called fresh or stale by an hour.
 */
export function cadencesOf({ read, stores, clock, log }: Pick<Kernel, 'read' | 'stores' | 'clock' | 'log'>) {
  const queries = goalQueries(read(goalsProjection));
  const { size, letters, aloneMs, sharedMs } = MEMORY;
  const memory = remembering<number>({ size, letters, clock, ttlMs: stores.shared ? sharedMs : aloneMs });
  const ask = async (workspace: string): Promise<number> => {
    const cadenceS = await queries.smallestCadence(workspace);
    return cadenceS === null ? DEFAULT_CADENCE : cadenceS * SECOND;
  };
  // What failed is not remembered: the next one asks again
  const smallest: CadenceOf = workspace => {
    const found = memory.get(workspace, ask);
    if (typeof found === 'number') return found;
    return found.catch((err: unknown) => {
      log.warn({ err, workspace }, 'cadences of goals could not be read; events go by an hour');
      return DEFAULT_CADENCE;
    });
  };
  return {
    smallest,
    /** What these facts change is looked up again. */
    projected(p: Projection, page: readonly Fact[]): void {
      if (p !== goalsProjection) return;
      for (const { type, meta } of page) if (CHANGES.has(type)) memory.forget(meta.workspace!);
    },
  };
}
