import { randomUUID } from 'node:crypto';
import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Log } from '../../commands/ports/log.js';
import { isHeld, lease, type Presence, presenceOf } from './lease.js';

type Options = {
  readonly kv: KeyValue;
  readonly holder: string;
  readonly clock: () => number;
  readonly log: Log;
  /** How long it lasts without being renewed, and how often it is renewed: ms. */
  readonly ttlMs?: number;
  readonly everyMs?: number;
};

const TTL_MS = 10_000;
const EVERY_MS = 2_000;
const FRESH_MS = 1_000;

/** Begins a presence and renews it until it is closed. */
export async function bePresent({
  kv,
  holder,
  clock,
  log,
  ttlMs = TTL_MS,
  everyMs = EVERY_MS,
}: Options): Promise<Presence> {
  const begin = () => {
    const id = randomUUID();
    return { id, held: lease(kv, presenceOf(id), { holder, ttlMs, clock }) };
  };
  let mine = begin();
  let under: Promise<void> = Promise.resolve();
  const keep = async (): Promise<void> => {
    if (await mine.held.renew()) return;
    log.warn({ holder }, 'this process was not heard of in time; it goes on as a new one');
    mine = begin();
    await mine.held.acquire();
  };
  await mine.held.acquire();
  const timer = setInterval(() => {
    under = under.then(keep).catch((err: unknown) => log.error({ err, holder }, 'could not tell of itself'));
  }, everyMs);

  const looks = new Map<string, { readonly at: number; readonly gone: Promise<boolean> }>();
  const look = (id: string): Promise<boolean> => {
    const now = performance.now();
    const known = looks.get(id);
    if (known && now - known.at < FRESH_MS) return known.gone;
    for (const [old, { at }] of looks) if (now - at >= FRESH_MS) looks.delete(old);
    const gone = isHeld(kv, presenceOf(id)).then(held => !held);
    looks.set(id, { at: now, gone });
    return gone;
  };
  return {
    id: () => (mine.held.left() > 0 ? mine.id : null),
    left: () => mine.held.left(),
    isGone: look,
    async close() {
      clearInterval(timer);
      await under;
      if (mine.held.left() > 0) await mine.held.release().catch(() => undefined);
    },
  };
}
