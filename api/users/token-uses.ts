import { setImmediate as turn } from 'node:timers/promises';
import { MINUTE } from '../../domain/time.js';
import type { KeyValue } from '../../commands/ports/key-value.js';

/** When a token was last used, epoch ms, and from which address. */
export type TokenUse = { readonly at: number; readonly ip: string };
export type TokenUses = ReturnType<typeof tokenUses>;

type Deps = {
  readonly kv: KeyValue;
  readonly clock: () => number;
  /** Called when uses could not be written; they are tried again. */
  readonly failed: (error: unknown) => void;
};

const WRITE_EVERY_MS = 5_000;
const REMEMBERED = 100_000;
const BETWEEN_TURNS = 100;
const keyOf = (tokenId: string): string => `token-use/${tokenId}`;

/**
 * Last uses of tokens: noted in memory, at most once a minute for each, and written in the background. No
 * history and no fact: what is not written yet may be lost with the process.
 */
export function tokenUses({ kv, clock, failed }: Deps) {
  const noted = new Map<string, TokenUse>();
  let waiting = new Map<string, TokenUse>();
  let writing: Promise<void> = Promise.resolve();

  const write = async (tokenId: string, use: TokenUse): Promise<void> => {
    const held = await kv.get<TokenUse>(keyOf(tokenId));
    // Whoever was first just now saw the token used as well
    if (!held || held.value.at < use.at) await kv.set(keyOf(tokenId), use, held?.version ?? 0, null);
  };
  const writeAll = async (): Promise<void> => {
    const uses = [...waiting];
    waiting = new Map();
    for (let i = 0; i < uses.length; i++) {
      try {
        await write(...uses[i]!);
      } catch (error) {
        waiting = new Map([...uses.slice(i), ...waiting]);
        throw error;
      }
      // An embedded store answers without a pause: requests have their turn all the same
      if (i % BETWEEN_TURNS === BETWEEN_TURNS - 1) await turn();
    }
  };
  const flush = (): Promise<void> => {
    writing = writing.then(writeAll).catch(failed);
    return writing;
  };
  const timer = setInterval(() => {
    if (waiting.size > 0) void flush();
  }, WRITE_EVERY_MS);
  timer.unref();

  return {
    /** On the path of every request: one look into a map. */
    note(tokenId: string, from: { readonly ip: string }): void {
      const at = clock();
      const last = noted.get(tokenId);
      if (last && at < last.at + MINUTE) return;
      const use = { at, ip: from.ip };
      noted.delete(tokenId);
      noted.set(tokenId, use);
      waiting.set(tokenId, use);
      if (noted.size > REMEMBERED) noted.delete(noted.keys().next().value!);
    },
    /** The last uses of these tokens, as far as any process has written them, and this one's own. */
    async last(tokenIds: readonly string[]): Promise<ReadonlyMap<string, TokenUse>> {
      const uses = new Map<string, TokenUse>();
      await Promise.all(
        tokenIds.map(async id => {
          const held = await kv.get<TokenUse>(keyOf(id));
          const use = later(held?.value, noted.get(id));
          if (use) uses.set(id, use);
        }),
      );
      return uses;
    },
    /** Takes away what is known of these tokens: an address is personal. */
    async forget(tokenIds: readonly string[]): Promise<void> {
      for (const id of tokenIds) {
        noted.delete(id);
        waiting.delete(id);
        const held = await kv.get(keyOf(id));
        if (held) await kv.set(keyOf(id), null, held.version, clock() - 1);
      }
    },
    flush,
    async stop(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}

const later = (a: TokenUse | undefined, b: TokenUse | undefined): TokenUse | undefined =>
  a && b && a.at >= b.at ? a : (b ?? a);
