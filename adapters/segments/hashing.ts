import { createHash } from 'node:crypto';
import { createSHA256 } from 'hash-wasm';
import type { Hashing } from '../../domain/segments/ports.js';
import type { NewDigest } from '../../domain/segments/receipts.js';

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

/** SHA-256 of what a build reads, as the platform's own library makes it: it is the fastest. */
export const newDigest: NewDigest = () => {
  const hash = createHash('sha256');
  return { update: bytes => void hash.update(bytes), digest: () => hash.digest('hex') };
};
