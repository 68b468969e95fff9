import type { Document } from 'mongodb';
import type { Doc, Stored } from '../../projections/engine/read-models.js';

/** A document as MongoDB holds it. */
export type Held = Document & { readonly _id: string };

/**
 * Scalars are kept as they are, so that indexes and conditions reach them; a list or an object as `{ json:
 * its text }`, since BSON cannot hold every JSON value (names with `$`, `.` or U+0000, lone surrogates, deep
 * nesting) and some servers hold less.
 */
export function held(doc: Stored): Held {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(doc))
    out[name] = isNested(value) ? { json: JSON.stringify(value) } : value;
  return out as Held;
}

export function unheld<D extends Doc>(doc: Document): Stored<D> {
  for (const [name, value] of Object.entries(doc))
    if (isNested(value)) doc[name] = JSON.parse((value as { json: string }).json);
  return doc as unknown as Stored<D>;
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
