import { takenIn, type GivenSeries } from '../../domain/inference/given.js';
import type { ObjectSchema } from '../../json-schema.js';
import { givenSeries } from './request-schemas.js';

/** A body without the names that its schema does not know: only what was understood is kept for ever. */
export function known<B extends object>(schema: ObjectSchema, body: B): B {
  const kept = only(schema, body) as Record<string, unknown>;
  if (Array.isArray(kept.series))
    kept.series = kept.series.map(one => takenIn(only(givenSeries, one as object) as GivenSeries));
  return kept as B;
}

const only = ({ properties }: ObjectSchema, value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)));
