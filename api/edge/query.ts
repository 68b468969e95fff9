import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { Rejected } from '../../domain/rejected.js';
import type { ObjectSchema, Schema } from '../../json-schema.js';
import { notValid } from './errors.js';
import { checkOf } from './validation.js';

export type Values = Record<string, unknown>;
/** Reads the query string (without its `?`); names it does not know go into `ignored`. */
export type ReadQuery = (text: string, ignored: Set<string>) => Values;

const none: Values = Object.freeze({});
/** What a row knows, and whether it is one that does something (any but a GET). */
type Known = { readonly names: ReadonlySet<string>; readonly does: boolean };

/** Text to typed values as a row's schema says: defaults set, numbers clamped, the rest checked. */
export function queryReader(schema: ObjectSchema | undefined, does: boolean): ReadQuery {
  if (!schema) return nothing({ names: new Set(), does });
  const check = checkOf(schema, 'query');
  const known: Known = { names: new Set(Object.keys(schema.properties)), does };
  const readers = Object.entries(schema.properties).map(
    ([name, property]) => [name, readerOf(property), property.default] as const,
  );
  return (text, ignored) => {
    const texts = parse(text);
    if (text !== '') passOver(texts, known, ignored);
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
const nothing =
  (known: Known): ReadQuery =>
  (text, ignored) => {
    if (text !== '') passOver(parse(text), known, ignored);
    return none;
  };

/** Notes what is not known here, and refuses what must not be passed over. */
function passOver(texts: ParsedUrlQuery, { names, does }: Known, ignored: Set<string>): void {
  for (const [name, value] of Object.entries(texts)) {
    if (names.has(name)) continue;
    ignored.add(name);
    const plain = plainOf(name);
    if (AS_OF.has(plain)) throw unknown(name, 'as_of', names, 'is not known here: this answers for now only');
    if (does && plain === DRY_RUN && !isFalse(value))
      throw unknown(name, 'dry_run', names, 'is not supported here; nothing was done');
  }
}

/**
 * What looks like a wish for another time than now: today's values would be taken for those of then. `as_of`
 * itself is refused by the rows that do not declare it.
 */
const AS_OF = new Set(['asof', 'vintage', 'vintagedate']);
/** What looks like a wish that nothing be done, in any spelling: it would be done all the same. */
const DRY_RUN = 'dryrun';
const plainOf = (name: string): string => name.toLowerCase().replace(/[-_.\s[\]]/g, '');

/** The same wish in a body, which no row knows there. @throws Rejected 422 */
export function mindDryRun(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  for (const [name, value] of Object.entries(body))
    if (plainOf(name) === DRY_RUN && value !== false) {
      const msg = 'is not known here, but in the query of what can be tried; nothing was done';
      throw notValid([{ loc: ['body', name], type: 'unknown_parameter', msg }]);
    }
}

/** `meant`: what a row that knows it calls it. */
const unknown = (name: string, meant: string, known: ReadonlySet<string>, msg: string): Rejected =>
  notValid([
    {
      loc: ['query', name],
      type: 'unknown_parameter',
      msg: known.has(meant) ? `is not known here; did you mean ${meant}?` : msg,
    },
  ]);

const isFalse = (value: string | string[] | undefined): boolean =>
  [value ?? ''].flat().every(each => each.toLowerCase() === 'false');

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
  const ceiling = (schema['x-clamp'] as number | undefined) ?? Infinity;
  return value =>
    typeof value === 'string' && NUMBER.test(value) ? Math.min(Number(value), ceiling) : value;
}

const NUMBER = /^-?\d{1,308}(?:\.\d{1,100})?(?:[eE][+-]?\d{1,3})?$/;
