import type { EventStore } from '../../commands/ports/event-store.js';
import type { Vault } from '../../commands/ports/vault.js';
import { START } from '../../domain/fact.js';
import { sealedFor } from '../sealing.js';
import { secretsOf, sourceOf, VaultShut, type Where } from './secrets.js';
import { vaultOn, WrongSecret, type WrappedKeys } from './vault.js';

/**
 * Whose key tells whether a secret is the right one: nobody's. Every vault has it from its first opening on.
 */
const WITNESS = 'vault';
/** Vaults that are older than the witness have this one from their first user on. */
const OLDER_WITNESS = 'emails';

type Opening = {
  readonly keys: WrappedKeys;
  /** As it is stored. */
  readonly log: Pick<EventStore, 'page'>;
  /** Where the vault is, and where the log of it, for messages. */
  readonly where: string;
  readonly of: string;
};

/** Nothing can be recorded before somebody is there: the first sealed fact is among the first few. */
const SEARCHED = 1_000;

/**
 * Opens the vault of a log.
 * @throws VaultShut that says what does not fit, the vault or its secret, and what to do
 */
export async function openVault({ keys, log, where, of }: Opening, config: Where): Promise<Vault> {
  const subject = (await log.page(START, SEARCHED)).map(sealedFor).find(each => each !== null);
  // Keys are kept before anything is sealed with them, and leave a trace when they are thrown away
  if (subject !== undefined && (await keys.get(subject)) === undefined)
    throw new VaultShut(
      `${where} is not the vault of ${of}: it has no key of ${subject}, whose data is sealed there. One of `
        + 'them was lost, or is of another installation: put its newest copy back; or go on without the '
        + 'personal data that the lost vault opens, with: presage vault forget --yes',
    );
  return unlocked(keys, config);
}

/**
 * Opens a vault with the secrets of the configuration, and makes sure that they are its own: another secret
 * would leave all personal data unreadable, one request after the other.
 * @throws VaultShut that names the secret and what to do
 */
export async function unlocked(keys: WrappedKeys, config: Where): Promise<Vault> {
  const witness = (await keys.get(WITNESS)) === undefined ? OLDER_WITNESS : WITNESS;
  const fresh = (await keys.get(witness)) === undefined;
  const vault = vaultOn(keys, secretsOf(config, fresh));
  try {
    await vault.known(witness);
    await vault.key(WITNESS);
  } catch (error) {
    if (!(error instanceof WrongSecret)) throw error;
    throw new VaultShut(
      `${sourceOf(config)} is not the secret of this vault: put back the one it was made with, `
        + 'or set SECRET_KEY to that',
      { cause: error },
    );
  }
  return vault;
}
