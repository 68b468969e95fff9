import { existsSync } from 'node:fs';
import type { EventStore } from '../commands/ports/event-store.js';
import type { Config } from '../config.js';
import { checkFiles } from './embedded/check.js';
import { endings } from './endings.js';
import { sealing } from './sealing.js';
import { sourcesOf, type Opener } from './sources.js';
import { forgetLostKeys, type Forgotten } from './vault/forget.js';
import { openVault, unlocked } from './vault/open.js';

export type OpenedLog = {
  /** What is personal in a fact reads as it is stored where it cannot be opened. */
  readonly events: EventStore;
  /** Why nothing personal can be opened; null: the vault is there. */
  readonly shut: string | null;
  readonly close: () => Promise<void>;
};

/** Opens the log, whatever befell all other stores; @throws FolderInUse, DamagedFile of the log. */
export async function openLog(config: Config, opener: Opener): Promise<OpenedLog> {
  const { keep, end } = endings();
  const sources = sourcesOf(config, opener, keep);
  const { file, places } = sources;
  try {
    sources.lock();
    if (!config.EVENTSTORE_URL) await checkFiles([file('facts.db')]);
    const log = await sources.log();
    try {
      if (!config.MONGODB_URL) await checkFiles([there(file('vault.db'))]);
      const vault = await openVault({ keys: await sources.keys(), log, ...places }, config);
      return { events: sealing(log, vault, { otherwise: fact => fact }), shut: null, close: end };
    } catch (error) {
      return { events: log, shut: (error as Error).message, close: end };
    }
  } catch (error) {
    await end();
    throw error;
  }
}

/** A look makes no file. */
function there(file: string): string {
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  return file;
}

/**
 * Gives up the personal data whose keys are lost, so that the platform starts without them.
 * @throws FolderInUse, DamagedFile of the log or the vault, VaultShut for a secret that is not the vault's
 */
export async function forgetLost(config: Config, opener: Opener, signal: AbortSignal): Promise<Forgotten> {
  const { keep, end } = endings();
  const sources = sourcesOf(config, opener, keep);
  const { file } = sources;
  try {
    sources.lock();
    if (!config.EVENTSTORE_URL) await checkFiles([file('facts.db')]);
    if (!config.MONGODB_URL) await checkFiles([file('vault.db')]);
    const keys = await sources.keys();
    const vault = await unlocked(keys, config);
    return await forgetLostKeys({ keys, vault, log: await sources.log(), signal });
  } finally {
    await end();
  }
}
