import { parse } from 'node:querystring';
import type { ObjectSchema, Schema } from '../../json-schema.js';
import { notValid } from './errors.js';
import { checkOf } from './validation.js';

export type Values = Record<string, unknown>;
/** Reads the query string (without its `?`); names it does not know go into `ignored`. */
export type ReadQuery = (text: string, ignored: Set<string>) => Values;

const none: Values = Object.freeze({});
const noNames: ReadonlySet<string> = new Set();

/** Text to typed values as a row's schema says: defaults set, numbers clamped, the rest checked. */
export function queryReader(schema: ObjectSchema | undefined): ReadQuery {
  if (!schema) return passOver;
  const check = checkOf(schema, 'query');
  const known = new Set(Object.keys(schema.properties));
  const readers = Object.entries(schema.properties).map(
    ([name, property]) => [name, readerOf(property), property.default] as const,
  );
  return (text, ignored) => {
    const texts = parse(text);
    if (text !== '') refuseTimeTravel(Object.keys(texts), known, ignored);
    const values: Values = {};
    for (const [name, read, fallback] of readers) {
      const value = texts[name];
      if (value !== undefined) values[name] = read(value);
      else if (fallback !== undefined) values[name] = fallback;
    }
    check(values);
    return values;
  };
}

/** For rows that take no query. */
const passOver: ReadQuery = (text, ignored) => {
  if (text !== '') refuseTimeTravel(Object.keys(parse(text)), noNames, ignored);
  return none;
};

/**
 * What looks like a wish for another time than now is never passed over: today's values would be taken for
 * those of then. `as_of` itself is refused by the rows that do not declare it.
 */
function refuseTimeTravel(names: readonly string[], known: ReadonlySet<string>, ignored: Set<string>): void {
  for (const name of names) {
    if (known.has(name)) continue;
    ignored.add(name);
    if (!AS_OF.has(name.toLowerCase().replace(/[-_.\s]/g, ''))) continue;
    const asOf = known.has('as_of');
    throw notValid([
      {
        loc: ['query', name],
        type: 'unknown_parameter',
        msg: asOf ? 'is not known here; did you mean as_of?' : 'is not known here: this answers for now only',
      },
    ]);
  }
}

const AS_OF = new Set(['asof', 'vintage', 'vintagedate']);

type Read = (value: string | string[]) => unknown;

function readerOf(schema: Schema): Read {
  const types = [schema.type].flat();
  if (types.includes('integer') || types.includes('number')) return numberReader(schema);
  if (types.includes('boolean')) return booleanIn;
  if (types.includes('array')) return value => [value].flat();
  return value => value;
}

/** What is neither word stays text, which the check refuses. */
function booleanIn(value: string | string[]): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

function numberReader(schema: Schema): Read {
  const ceiling = schema['x-clamp'] ? (schema.maximum as number) : Infinity;
  return value =>
    typeof value === 'string' && NUMBER.test(value) ? Math.min(Number(value), ceiling) : value;
}

const NUMBER = /^-?\d{1,308}(?:\.\d{1,100})?(?:[eE][+-]?\d{1,3})?$/;
