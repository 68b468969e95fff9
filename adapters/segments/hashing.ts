import { createSHA256 } from 'hash-wasm';
import type { Hashing } from '../../domain/segments/ports.js';

/**
 * SHA-256 whose state can be kept, as that of `node:crypto` cannot: a long table is hashed from where it
 * changed.
 */
export async function sha256(): Promise<Hashing> {
  const hash = (await createSHA256()).init();
  return {
    update: bytes => void hash.update(bytes),
    digest: () => hash.digest('hex'),
    save: () => hash.save(),
    load: state => void hash.load(state),
  };
}
