import { CODE_LENGTH, cellCode } from '../cell.js';

/** What every token begins with, so that people and secret scanners know one when they see it. */
export const TOKEN_PREFIX = 'psg_live_';
const SECRET_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECK_LENGTH = 6;
const LENGTH = TOKEN_PREFIX.length + CODE_LENGTH + SECRET_LENGTH + CHECK_LENGTH;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^psg_live_[0-9a-z]{4}[0-9A-Za-z]{49}$/;

/**
 * A token's full value: prefix, code of its home cell, the 32 random bytes in base 62, and a checksum over
 * all of it.
 * @throws RangeError when `random` is not 32 bytes
 */
export function tokenValue(cell: string, random: Uint8Array): string {
  if (random.length !== SECRET_BYTES)
    throw new RangeError(`A token takes ${SECRET_BYTES} random bytes, not ${random.length}`);
  const secret = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const unchecked = TOKEN_PREFIX + cellCode(cell) + base62(secret);
  return unchecked + checksum(unchecked);
}

/**
 * The cell's code inside a token; null when it is no token at all (wrong form or checksum), which needs no
 * look-up.
 */
export function parseToken(value: string): { readonly cell: string } | null {
  if (value.length !== LENGTH || !FORM.test(value)) return null;
  const end = LENGTH - CHECK_LENGTH;
  if (checksum(value.slice(0, end)) !== value.slice(end)) return null;
  return { cell: value.slice(TOKEN_PREFIX.length, TOKEN_PREFIX.length + CODE_LENGTH) };
}

/** What lists show of a token: enough to recognise it, useless to use. */
export const maskToken = (value: string): { prefix: string; last4: string } => ({
  prefix: value.slice(0, 12),
  last4: value.slice(-4),
});

function base62(value: bigint): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)]! + text;
  return text.padStart(SECRET_LENGTH, '0');
}

/** In plain numbers: it is reckoned for every request. */
function checksum(text: string): string {
  let check = '';
  let rest = crc32(text);
  while (check.length < CHECK_LENGTH) {
    check = DIGITS[rest % 62]! + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let c = byte;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** CRC-32 (ISO-HDLC, as in zip and PNG) of an ASCII text. */
function crc32(text: string): number {
  let c = 0xffffffff;
  for (let i = 0; i < text.length; i++) c = table[(c ^ text.charCodeAt(i)) & 0xff]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
