import { randomBytes } from 'node:crypto';
import { maskToken, tokenValue } from '../domain/tokens/value.js';
import { secretHash } from './engine/secrets.js';

/** What a token is recognized by, in facts and by people; its value is in none of them. */
type Traces = { readonly hash: string } & ReturnType<typeof maskToken>;

/** A new token of a cell: its value, and what is written of it. */
export function newTokenValue(cell: string): { readonly value: string; readonly traces: Traces } {
  const value = tokenValue(cell, randomBytes(32));
  return { value, traces: { hash: secretHash(value), ...maskToken(value) } };
}
