import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Rejected } from '../domain/rejected.js';
import { SECOND } from '../domain/time.js';

/** A link to a file is good for so long. */
export const DOWNLOAD_S = 3_600;

/** What a link says: until when it is good (epoch s), of which content, and a signature over all of it. */
export type Signed = { readonly expires: string; readonly sha256: string; readonly signature: string };
type Of = { readonly path: string; readonly sha256: string };

const DIGITS = /^\d{1,12}$/;

/**
 * Links to files that need no credential: whoever has one has the file for an hour. `secrets`: those of the
 * platform, the one that signs first.
 */
export function downloads(secrets: readonly Uint8Array[], clock: () => number) {
  const keys = secrets.map(secret => Buffer.from(hkdfSync('sha256', secret, '', 'downloads', 32)));
  const signatureBy = (key: Buffer, { path, sha256 }: Of, expires: string): string =>
    createHmac('sha256', key).update(`${path}\n${sha256}\n${expires}`).digest('hex');
  return {
    /** The path with its query. */
    link({ path, sha256 }: Of): string {
      const expires = String(Math.floor(clock() / SECOND) + DOWNLOAD_S);
      const signature = signatureBy(keys[0]!, { path, sha256 }, expires);
      return `${path}?${new URLSearchParams({ expires, sha256, signature })}`;
    },
    /** @throws Rejected 401 `invalid_signature`, 410 `download_expired` */
    check(path: string, { expires, sha256, signature }: Signed): void {
      const given = Buffer.from(signature);
      const isRight = keys.some(key => {
        const right = Buffer.from(signatureBy(key, { path, sha256 }, expires));
        return given.length === right.length && timingSafeEqual(given, right);
      });
      if (!isRight || !DIGITS.test(expires))
        throw new Rejected('unauthorized', 'invalid_signature', 'The link was changed: ask for another one');
      if (clock() >= Number(expires) * SECOND)
        throw new Rejected('gone', 'download_expired', 'The link is no longer good: ask for another one');
    },
  };
}
export type Downloads = ReturnType<typeof downloads>;
