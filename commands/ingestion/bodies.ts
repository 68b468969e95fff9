import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { DAY } from '../../domain/time.js';
import type { KeyValue } from '../ports/key-value.js';
import type { Vault } from '../ports/vault.js';

/** Larger bodies are not kept. */
export const MOST_KEPT = 1_000_000;
export const KEPT_FOR = 7 * DAY;

/** Shorter ones are not worth the work of making them smaller. */
const WORTH_DEFLATING = 1_024;
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Workspaces whose keys stay in memory. */
const MOST_KEYS = 1_000;

type Kept = { readonly sealed: string; readonly deflated: boolean };
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

export type Bodies = ReturnType<typeof bodiesOf>;

/**
 * Bodies of deliveries, for seven days: sealed under the key of their workspace and bound to their delivery,
 * beside the read models, where they may be lost.
 */
export function bodiesOf(kv: KeyValue, vault: Vault, clock: () => number) {
  const keys = new Map<string, Uint8Array>();
  const keyOf = async (workspace: string): Promise<Uint8Array | null> => {
    const known = keys.get(workspace);
    if (known) return known;
    const key = await vault.key(workspace);
    if (keys.size >= MOST_KEYS) keys.clear();
    if (key) keys.set(workspace, key);
    return key;
  };
  return {
    /** Keeps a body, unless it is too large. */
    async keep(workspace: string, deliveryId: string, body: Buffer): Promise<void> {
      if (body.length > MOST_KEPT) return;
      const key = await keyOf(workspace);
      if (!key) return;
      const deflated = body.length > WORTH_DEFLATING;
      const plain = deflated ? await deflate(body) : body;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(deliveryId));
      const parts = [cipher.update(plain), cipher.final()];
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), ...parts]).toString('base64');
      const value: Kept = { sealed, deflated };
      await kv.set(nameOf(deliveryId), value, 0, clock() + KEPT_FOR);
    },
    /** The body as it came; null: it is not kept, or no longer. */
    async kept(workspace: string, deliveryId: string): Promise<Buffer | null> {
      const [entry, key] = await Promise.all([kv.get<Kept>(nameOf(deliveryId)), keyOf(workspace)]);
      if (!entry || !key) return null;
      const bytes = Buffer.from(entry.value.sealed, 'base64');
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(deliveryId));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const rest = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      const plain = Buffer.concat([decipher.update(rest), decipher.final()]);
      return entry.value.deflated ? inflate(plain) : plain;
    },
  };
}

const nameOf = (deliveryId: string): string => `delivery_body:${deliveryId}`;
