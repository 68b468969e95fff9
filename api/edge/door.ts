import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import type { Rejected } from '../../domain/rejected.js';
import type { Admit } from './auth.js';
import type { Limiter } from './limiter.js';
import type { Caller } from './row.js';

/** For what is no request but comes in by the same door, under the same rules: long connections. */
export type Door = {
  readonly admit: Admit;
  /** Told of each token that is let in: must be quick. */
  readonly used: (tokenId: string, from: { readonly ip: string }) => void;
  /** Where a request comes from, by the proxies that are believed. */
  readonly addressOf: (req: IncomingMessage) => string;
  /** Counts calls of a token; the refusal, where there were too many. */
  readonly charge: (caller: Caller, address: string, calls: number) => Rejected | null;
  /** Counts a refused token against its address; the refusal, where there were too many. */
  readonly guessed: (address: string) => Rejected | null;
  /** Whether a page of this origin may call; `own`: the host that was called. */
  readonly welcomes: (origin: string, own: string | undefined) => boolean;
};

type Parts = {
  readonly app: Koa;
  readonly admit: Admit;
  readonly used: Door['used'];
  readonly limiter: Limiter;
  readonly corsOrigins: readonly string[];
};

export const doorOf = ({ app, admit, used, limiter, corsOrigins }: Parts): Door => ({
  admit,
  used,
  addressOf(req) {
    const request = Object.create(app.request) as Koa.Request;
    return Object.assign(request, { app, req }).ip;
  },
  charge: (caller, address, calls) => limiter.count('default', caller, address, calls),
  guessed: address => limiter.guessed(address),
  welcomes: (origin, own) =>
    corsOrigins.includes('*') || corsOrigins.includes(origin) || hostOf(origin) === own,
});

/** `null`, which pages without an origin send, has none. */
function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
}
