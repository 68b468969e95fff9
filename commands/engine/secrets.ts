import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, safe in a URL. */
export const newLinkSecret = (): string => randomBytes(32).toString('base64url');

/** SHA-256 (hex) of a secret with many random bits: all that is kept of it. */
export const secretHash = (secret: string): string => hash('sha256', secret);
