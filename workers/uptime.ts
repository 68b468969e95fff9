import type { KeyValue } from '../commands/ports/key-value.js';
import { MINUTE } from '../domain/time.js';

/** Up since a time, and last heard of; epoch ms. */
type Up = { readonly since: number; readonly at: number };

const KEY = 'up/alerts';
const EVERY_MS = MINUTE;
/** Where nothing was heard for longer, the platform was down. */
const BREAK_MS = 5 * MINUTE;

/** Since when the platform is up: over restarts that take no longer than a break, and in all processes. */
export function uptime({ kv, clock }: { readonly kv: KeyValue; readonly clock: () => number }) {
  let mine: Up | null = null;
  const read = async () => {
    const entry = await kv.get<Up>(KEY);
    const now = clock();
    const isUp = entry !== null && now - entry.value.at <= BREAK_MS;
    return { since: isUp ? entry.value.since : now, version: entry?.version ?? 0 };
  };
  return {
    /** To be called again and again as long as it is up; a minute's calls cost one write. */
    async tell(): Promise<void> {
      const now = clock();
      if (mine && now - mine.at < EVERY_MS) return;
      const { since, version } = await read();
      const up = { since: mine?.since ?? since, at: now };
      // Whoever was first tells it, too
      await kv.set(KEY, up, version, null);
      mine = up;
    },
    /** Epoch ms. */
    since: async (): Promise<number> => mine?.since ?? (await read()).since,
  };
}
