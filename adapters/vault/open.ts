import type { Vault } from '../../commands/ports/vault.js';
import type { Config } from '../../config.js';
import { secretsOf, sourceOf, VaultShut } from './secrets.js';
import { vaultOn, WrongSecret, type WrappedKeys } from './vault.js';

/**
 * Whose key tells whether a secret is the right one: nobody's. Every vault has it from its first opening on.
 */
const WITNESS = 'vault';
/** Vaults that are older than the witness have this one from their first user on. */
const OLDER_WITNESS = 'emails';

/**
 * Opens the vault with the secrets of the configuration, and makes sure that they are its own: another secret
 * would leave all personal data unreadable, one request after the other.
 * @throws VaultShut that names the secret and what to do
 */
export async function openVault(
  keys: WrappedKeys,
  config: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>,
): Promise<Vault> {
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
