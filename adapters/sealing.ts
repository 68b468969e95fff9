import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StoreUnavailable, type EventStore } from '../commands/ports/event-store.js';
import type { Vault } from '../commands/ports/vault.js';
import type { Fact, NewFact } from '../domain/fact.js';

/** What is personal in a fact, and about whom. Null once that person is erased. */
type Personal = { readonly personal: { readonly of: string } | null };
type Sealed = { readonly sealed: { readonly of: string; readonly text: string } };

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The event store with personal data sealed: what stands in a fact's `data.personal` is written as
 * AES-256-GCM ciphertext under the key of the person it is `of`, bound to the fact's id, and opened again
 * when it is read. Once the key is thrown away the fact reads `personal: null`; everything else in it stays.
 */
export function sealing(store: EventStore, vault: Vault): EventStore {
  const opened = async (facts: Fact[]): Promise<Fact[]> =>
    facts.some(isSealed)
      ? Promise.all(facts.map(async fact => (isSealed(fact) ? open(fact, vault) : fact)))
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

const isPersonal = ({ data }: NewFact): boolean =>
  typeof data === 'object' && data !== null && 'personal' in data;
const isSealed = ({ data }: Fact): boolean => typeof data === 'object' && data !== null && 'sealed' in data;

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

/** @throws when the text was tampered with: GCM's tag does not fit */
async function open(fact: Fact, vault: Vault): Promise<Fact> {
  const {
    sealed: { of, text: sealed },
    ...data
  } = fact.data as Sealed;
  const key = await vault.known(of);
  if (!key) return { ...fact, data: { ...data, personal: null } };
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const cipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(fact.id))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()]);
  return { ...fact, data: { ...data, personal: { of, ...(JSON.parse(text.toString()) as object) } } };
}
