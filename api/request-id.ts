import { randomBytes } from 'node:crypto';

const OWN = /^[A-Za-z0-9._-]{1,64}$/;

// A random part for the process and a count: unique, and far cheaper than new randomness for each request
const process = `req_${randomBytes(9).toString('hex')}`;
let count = 0;

/** A client's own id where it is fit to be one (1 to 64 of `A-Za-z0-9._-`), else a new one. */
export const requestIdOf = (given: string | string[] | undefined): string =>
  typeof given === 'string' && OWN.test(given) ? given : process + (count++).toString(36);
