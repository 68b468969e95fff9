import { iso } from '../../domain/time.js';
import { notValid } from './errors.js';
import { timeIn } from './times.js';

/** The member of a query that asks for what was known at a past moment. */
export const asOfGiven = {
  type: 'string',
  description:
    'a past moment: only what was recorded by then, as it was then; what was deleted since is gone',
  examples: ['2026-01-01T00:00:00Z'],
} as const;

/** The same where what was deleted since is told of, too. */
export const asOfKept = {
  ...asOfGiven,
  description:
    'a past moment: only what was recorded by then, as it was then; what was deleted since is still there',
} as const;

/** The same of lists of events. */
export const asOfListed = {
  ...asOfGiven,
  description:
    'a past moment: only what was recorded by then, as it was then; events that were withdrawn since are'
    + ' still there, streams that were deleted since are not',
} as const;

/** The member of an answer that says which moment it is of. */
export const asOfMember = {
  type: ['string', 'null'],
  format: 'date-time',
  description: 'the moment that was asked for, otherwise null',
} as const;

/** The same where only an answer of a past moment has it. */
export const asOfThen = {
  type: 'string',
  format: 'date-time',
  description: 'the moment, where one was asked for',
} as const;

/** What is read as it is, or as of a past moment, which it says then. */
export const thenToo = <S extends { readonly properties: object }>(schema: S) => ({
  ...schema,
  properties: { ...schema.properties, as_of: asOfMember },
});

/**
 * The past moment that a caller asks for, epoch ms; null: none, so now. @throws Rejected 422 for what is no
 * time, or lies in the future: what will have been recorded by then nobody knows
 */
export function asOfIn(
  given: string | undefined,
  now: number,
  loc: readonly string[] = ['query', 'as_of'],
): number | null {
  if (given === undefined) return null;
  const asOf = timeIn(given, loc);
  if (asOf <= now) return asOf;
  throw notValid([{ loc, msg: 'must not lie in the future', type: 'range', input: given }]);
}

/** How `data.as_of` and the header say it. */
export const asOfView = (asOf: number | null): string | null => (asOf === null ? null : iso(asOf));
/** The member of `data` that says it, where only an answer of a past moment has it. */
export const asOfData = (asOf: number | null) => (asOf === null ? {} : { as_of: iso(asOf) });
export const asOfHeaders = (asOf: number | null): Readonly<Record<string, string>> =>
  asOf === null ? {} : { 'X-As-Of': iso(asOf) };
