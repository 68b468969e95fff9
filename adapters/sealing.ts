import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StoreUnavailable, type EventStore } from '../commands/ports/event-store.js';
import type { Vault } from '../commands/ports/vault.js';
import type { Fact, NewFact } from '../domain/fact.js';
import { WrongSecret } from './vault/vault.js';

/** What is personal in a fact, and about whom. Null once that person is erased. */
type Personal = { readonly personal: { readonly of: string } | null };
type Sealed = { readonly sealed: { readonly of: string; readonly text: string } };

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * What is personal in a fact cannot be opened although nobody threw its key away: the vault or the log is not
 * what it was. The message says what to do.
 */
export class CannotOpen extends StoreUnavailable {
  constructor({ id, journal, position }: Fact, why: string, cause?: unknown) {
    const what = `what is personal in fact ${id} (${journal}, position ${position}) cannot be opened`;
    super(`${what}: ${why}`, { cause });
  }
}

type Sealing = {
  /** Where the vault is, and where the log of it, for messages. */
  readonly where?: string;
  readonly of?: string;
  /** What is answered for a fact that cannot be opened, instead of a rejection. */
  readonly otherwise?: (fact: Fact) => Fact;
};
type Opening = Sealing & { readonly vault: Vault };

/**
 * The event store with personal data sealed: what stands in a fact's `data.personal` is written as
 * AES-256-GCM ciphertext under the key of the person it is `of`, bound to the fact's id, and opened again
 * when it is read. Once the key is thrown away the fact reads `personal: null`; everything else in it stays.
 * Reading rejects with `CannotOpen` where neither is possible.
 */
export function sealing(store: EventStore, vault: Vault, how: Sealing = {}): EventStore {
  const opening = { ...how, vault };
  const opened = async (facts: Fact[]): Promise<Fact[]> =>
    facts.some(isSealed)
      ? Promise.all(facts.map(async fact => (isSealed(fact) ? open(fact, opening) : fact)))
      : facts;
  return {
    ...store,
    append: async (journal, expected, facts) =>
      store.append(
        journal,
        expected,
        facts.some(isPersonal)
          ? await Promise.all(facts.map(fact => (isPersonal(fact) ? seal(fact, vault) : fact)))
          : facts,
      ),
    read: async (journal, after, limit) => opened(await store.read(journal, after, limit)),
    page: async (after, limit) => opened(await store.page(after, limit)),
  };
}

/** Whether something in a fact is to be sealed, or was. */
export const isPersonal = ({ data }: NewFact): boolean =>
  typeof data === 'object' && data !== null && 'personal' in data;
const isSealed = ({ data }: Fact): boolean => typeof data === 'object' && data !== null && 'sealed' in data;

/** Whose data lies sealed in a fact as it is stored; null: nobody's. */
export const sealedFor = (fact: Fact): string | null =>
  isSealed(fact) ? (fact.data as Sealed).sealed.of : null;

async function seal(fact: NewFact, vault: Vault): Promise<NewFact> {
  const { personal, ...data } = fact.data as Personal;
  if (personal === null) return fact;
  const { of, ...members } = personal;
  const key = await vault.key(of);
  if (!key)
    throw new StoreUnavailable(
      `the key of ${of} was thrown away: nothing personal is written about them any more`,
    );
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(fact.id));
  const text = Buffer.concat([cipher.update(JSON.stringify(members)), cipher.final()]);
  const sealed = { of, text: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64') };
  return { ...fact, data: { ...data, sealed } };
}

async function open(fact: Fact, opening: Opening): Promise<Fact> {
  try {
    return await opened(fact, opening);
  } catch (error) {
    if (error instanceof CannotOpen && opening.otherwise) return opening.otherwise(fact);
    throw error;
  }
}

async function opened(fact: Fact, opening: Opening): Promise<Fact> {
  const {
    sealed: { of, text },
    ...data
  } = fact.data as Sealed;
  const key = await keyOf(of, fact, opening);
  if (!key) return { ...fact, data: { ...data, personal: null } };
  const members = unsealed(text, key, fact, opening);
  return { ...fact, data: { ...data, personal: { of, ...members } } };
}

/** Null for a key that was thrown away. */
async function keyOf(of: string, fact: Fact, { vault, where = 'the vault' }: Opening) {
  const todo = 'put its newest copy back, or go on without what is lost, with: presage vault forget --yes';
  try {
    const key = await vault.known(of);
    if (key || (await vault.everHad(of))) return key;
  } catch (error) {
    if (error instanceof WrongSecret)
      throw new CannotOpen(fact, `${error.message}; ${where}: ${todo}`, error);
    throw error;
  }
  throw new CannotOpen(
    fact,
    `${where} has no key of ${of}, so it is older than the log, or another one: ${todo}`,
  );
}

/** GCM's tag fits the text alone that was sealed, in the fact that it was sealed for. */
function unsealed(text: string, key: Uint8Array, fact: Fact, { of = 'the log' }: Opening): object {
  const bytes = Buffer.from(text, 'base64');
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(fact.id))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(plain.toString()) as object;
  } catch (cause) {
    throw new CannotOpen(fact, `it is not as it was written; put a backup of ${of} back`, cause);
  }
}
