import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

// One-time codes by RFC 6238 (SHA-1, 6 digits, 30 s), which every authenticator app knows, and recovery codes
// beside them.

const STEP_MS = 30_000;
/** A code of one step before and after is taken, too: clocks differ. */
const DRIFT = 1;
const SIX_DIGITS = /^[0-9]{6}$/;
const SECRET_BYTES = 20;
const RECOVERY_BYTES = 10;
const RECOVERY_CODES = 10;

/** 160 random bits in base 32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The `otpauth://` address that apps read from a QR code. */
export const otpauthUri = (secret: string, account: string): string =>
  new TOTP({ issuer: 'Presage', label: account, secret: Secret.fromBase32(secret) }).toString();

/**
 * The time step (30 s from the epoch) to which a code belongs, within the drift allowed; null: to none.
 * `now`: epoch ms.
 */
export function stepOf(secret: string, code: string, now: number): number | null {
  const token = plain(code);
  if (!SIX_DIGITS.test(token)) return null;
  const drift = new TOTP({ secret: Secret.fromBase32(secret) }).validate({
    token,
    timestamp: now,
    window: DRIFT,
  });
  return drift === null ? null : Math.floor(now / STEP_MS) + drift;
}

/** Ten codes of 80 random bits, in groups of four letters and digits. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const { buffer, byteOffset, length } = randomBytes(RECOVERY_BYTES);
    return new Secret({ buffer: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer }).base32
      .match(/.{4}/g)!
      .join('-');
  });

/** SHA-256 (hex) of a recovery code, however it was typed. */
export const recoveryHash = (code: string): string => createHash('sha256').update(plain(code)).digest('hex');

const plain = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();
