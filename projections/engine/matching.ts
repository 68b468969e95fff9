import type { Condition, Stored, Where } from './read-models.js';

/** A member of a document by its name; null where it has none. */
export const memberOf = (doc: Stored, field: string): unknown =>
  (doc as unknown as Record<string, unknown>)[field] ?? null;

/** Whether a document is among those that a store finds by the conditions. */
export const matches = (doc: Stored, where: Where): boolean =>
  Object.entries(where).every(([field, condition]) => holds(memberOf(doc, field), condition));

const holds = (value: unknown, condition: Condition): boolean => {
  if (typeof condition !== 'object' || condition === null) return value === condition;
  const { gt, gte, lt, lte, in: list, prefix } = condition;
  const bound = (limit: string | number | undefined, fits: (order: number) => boolean): boolean =>
    limit === undefined || (typeof value === typeof limit && fits(compare(value, limit)));
  return (
    bound(gt, order => order > 0)
    && bound(gte, order => order >= 0)
    && bound(lt, order => order < 0)
    && bound(lte, order => order <= 0)
    && (list === undefined || list.includes(value as string))
    && (prefix === undefined || (typeof value === 'string' && value.startsWith(prefix)))
  );
};

/**
 * Numbers by value, text by code point (which is the order of its UTF-8 bytes, but not of its UTF-16 units);
 * null first.
 */
export const compare = (a: unknown, b: unknown): number => {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return typeof a === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b as string))
    : Number(a) - Number(b);
};
