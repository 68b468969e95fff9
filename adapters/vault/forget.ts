import type { EventStore } from '../../commands/ports/event-store.js';
import { START } from '../../domain/fact.js';
import { sealedFor } from '../sealing.js';
import { WrongSecret, type WrappedKeys } from './vault.js';
import type { Vault } from '../../commands/ports/vault.js';

const PAGE_SIZE = 1_000;

type Forgetting = {
  readonly keys: WrappedKeys;
  readonly vault: Pick<Vault, 'known'>;
  /** As it is stored. */
  readonly log: Pick<EventStore, 'page'>;
  readonly signal: AbortSignal;
};
/** How many persons' data is given up, and how many facts were looked at. */
export type Forgotten = { readonly given_up: number; readonly facts: number };

/**
 * Gives up the keys that the log asks for and the vault cannot give: from then on they count as thrown away,
 * and what they sealed reads null. Those that the vault has stay. May be broken off and done again.
 */
export async function forgetLostKeys({ keys, vault, log, signal }: Forgetting): Promise<Forgotten> {
  const seen = new Set<string>();
  let given_up = 0;
  let facts = 0;
  for (let after = START; !signal.aborted; ) {
    const page = await log.page(after, PAGE_SIZE);
    if (page.length === 0) break;
    for (const subject of page.map(sealedFor)) {
      if (subject === null || seen.has(subject)) continue;
      seen.add(subject);
      if (await isHere(subject, keys, vault)) continue;
      await keys.retire(subject);
      given_up++;
    }
    facts += page.length;
    after = page.at(-1)!.position;
  }
  return { given_up, facts };
}

async function isHere(subject: string, keys: WrappedKeys, vault: Pick<Vault, 'known'>): Promise<boolean> {
  try {
    return (await vault.known(subject)) !== null || (await keys.get(subject)) !== undefined;
  } catch (error) {
    if (error instanceof WrongSecret) return false;
    throw error;
  }
}
