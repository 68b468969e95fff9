import { randomUUID } from 'node:crypto';

const OWN = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * A client's own id where it is fit to be one (1 to 64 of `A-Za-z0-9._-`), else the one that is suggested,
 * else a new one: no count, which would tell how much others ask.
 */
export const requestIdOf = (header: string | string[] | undefined, suggested?: string | null): string =>
  typeof header === 'string' && OWN.test(header) ? header : (suggested ?? madeUp());

const madeUp = (): string => `req_${randomUUID().replaceAll('-', '')}`;
