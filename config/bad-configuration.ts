/** A setting that cannot be: which, what it is, and what may be. */
export class BadConfiguration extends Error {}
