import { Rejected } from '../../domain/rejected.js';

const refused = (message: string, limit: number, found: number): Rejected =>
  new Rejected('unprocessable', 'too_many_signals', message, { limit, found });

export const tooMany = (limit: number, found: number, ended: number): Rejected =>
  refused(
    `A list of a past moment looks at ${limit} signals at most; ${found} fit`
      + (ended === 0
        ? ': name a group or search'
        : `, with ${ended} that were deleted since, of any group: name a group or search, or a later moment`),
    limit,
    found,
  );

/** A group would be of no help: whether they were in it can only be told by reading them. */
export const tooManyEnded = (limit: number, found: number): Rejected =>
  refused(
    `A list of a past moment looks at ${limit} signals at most, and more were deleted since, of any group:`
      + ' search for a part of the key, or name a later moment',
    limit,
    found,
  );

export const tooManyToSearch = (limit: number, found: number): Rejected =>
  refused(`More than ${limit} signals were deleted since: name a later moment`, limit, found);
