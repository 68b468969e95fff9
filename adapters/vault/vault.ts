import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Vault } from '../../commands/ports/vault.js';

/**
 * Where wrapped keys are kept, durably: text, or null for one that was thrown away; absent when there never
 * was one.
 */
export type WrappedKeys = {
  get(subject: string): Promise<string | null | undefined>;
  /** Keeps it unless the subject has one already, also a thrown away one. */
  insert(subject: string, wrapped: string): Promise<void>;
  destroy(subject: string): Promise<void>;
  retire(subject: string): Promise<void>;
  close(): Promise<void>;
};

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key that no secret at hand opens: it was wrapped under another SECRET_KEY. */
export class WrongSecret extends Error {
  constructor(subject: string) {
    super(`the key of ${subject} in the vault is damaged, or was wrapped under another SECRET_KEY`);
  }
}

/**
 * Keys of persons, each wrapped by AES-256-GCM under the platform's secret and bound to its subject.
 * `secrets`: 32 bytes each; the first wraps, the others still open what they wrapped, so that a secret can be
 * changed without a pause.
 */
export function vaultOn(keys: WrappedKeys, secrets: readonly Uint8Array[]): Vault {
  const known = async (subject: string): Promise<Uint8Array | null> => {
    const wrapped = await keys.get(subject);
    return wrapped == null ? null : unwrapped(subject, wrapped, secrets);
  };
  return {
    known,
    everHad: async subject => (await keys.get(subject)) !== undefined,
    async key(subject) {
      const found = await known(subject);
      if (found) return found;
      await keys.insert(subject, wrap(subject, randomBytes(KEY_BYTES), secrets[0]!));
      // Another may have been first; a thrown away key stays so
      return known(subject);
    },
    destroy: subject => keys.destroy(subject),
    retire: subject => keys.retire(subject),
    close: () => keys.close(),
  };
}

function wrap(subject: string, key: Uint8Array, secret: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, nonce).setAAD(Buffer.from(subject));
  const text = Buffer.concat([cipher.update(key), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
}

function unwrapped(subject: string, wrapped: string, secrets: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.from(wrapped, 'base64');
  for (const secret of secrets) {
    const cipher = createDecipheriv(ALGORITHM, secret, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(subject))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()]);
    } catch {
      /* wrapped under another secret */
    }
  }
  throw new WrongSecret(subject);
}
