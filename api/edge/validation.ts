import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Schema } from '../../json-schema.js';
import { notValid, type Fault } from './errors.js';

/**
 * Above this many bytes only the first fault is looked for: all faults of a large body would cost memory
 * without bound.
 */
const ALL_FAULTS_BELOW = 100_000;
const MAX_INPUT = 200;

/** `isChecking`: schemas themselves are held to the rules of JSON Schema, as a test does with all of them. */
export const ajvOf = (allErrors: boolean, isChecking = false): Ajv2020 => {
  const options = { verbose: true, strict: true, allowUnionTypes: true, discriminator: true };
  const ajv = new Ajv2020({ allErrors, ...options, meta: isChecking, validateSchema: isChecking });
  formats.default(ajv);
  return ajv.addFormat('path', true).addVocabulary(['x-required', 'x-clamp']);
};
const quick = ajvOf(false);
const thorough = ajvOf(true);

/** @throws Rejected 422 that lists what is wrong */
export type Check = (value: unknown, bytes?: number) => void;

/**
 * Holds values to a schema, which is made ready when the first one comes: all schemas together take a second.
 * `part` is where the value stands in a request: `body`, `query`, `path`.
 */
export function checkOf(schema: Schema, part: string): Check {
  let holds: ValidateFunction | undefined;
  let all: ValidateFunction | undefined;
  return (value, bytes = 0) => {
    holds ??= quick.compile(schema);
    if (holds(value)) return;
    if (bytes > ALL_FAULTS_BELOW) throw notValid(faultsOf(holds.errors!, part));
    all ??= thorough.compile(schema);
    all(value);
    throw notValid(faultsOf(all.errors!, part));
  };
}

/**
 * One fault for each place: the first said of it, which for alternatives is about the first of them. Where
 * something inside of a value is wrong, an alternative of its own kind was meant: that it is of no other kind
 * is not said.
 */
function faultsOf(errors: readonly ErrorObject[], part: string): Fault[] {
  const byPlace = new Map<string, Fault>();
  for (const error of errors) {
    const fault = faultOf(error, part);
    const place = JSON.stringify(fault.loc);
    const first = byPlace.get(place);
    if (!first) byPlace.set(place, fault);
    else if (error.params.type === 'null') byPlace.set(place, { ...first, msg: `${first.msg} or null` });
  }
  const faults = [...byPlace.values()];
  const around = new Set(
    faults.flatMap(({ loc }) => loc.slice(1).map((_, i) => JSON.stringify(loc.slice(0, i + 1)))),
  );
  return faults.filter(({ loc, type }) => !(isOfKind(type) && around.has(JSON.stringify(loc))));
}

const isOfKind = (type: string): boolean => type.endsWith('_type');

function faultOf(
  { keyword, params, instancePath, message, data, schema, parentSchema }: ErrorObject,
  part: string,
): Fault {
  const loc = [part, ...instancePath.split('/').slice(1).map(step)];
  if (keyword === 'required')
    return { loc: [...loc, params.missingProperty as string], msg: 'is required', type: 'missing' };
  if (keyword === 'additionalProperties') {
    const unknown = [...loc, params.additionalProperty as string];
    return { loc: unknown, msg: 'is not known here', type: 'unknown_member' };
  }
  if (keyword === 'discriminator') {
    const tag = params.tag as string;
    const msg = `must be one of ${tagsIn(parentSchema, tag).join(', ')}`;
    return { loc: [...loc, tag], msg, type: 'enum' };
  }
  const input = parentSchema?.writeOnly || !isShort(data) ? {} : { input: data as unknown };
  const msg = keyword === 'not' ? mustNotBe(schema as Schema, message) : messageOf(keyword, params, message);
  return { loc, msg, type: typeOf(keyword, params), ...input };
}

type Kinds = readonly { readonly properties: Readonly<Record<string, { readonly const: string }>> }[];
/** What the member that tells the kinds of an object apart may be. */
const tagsIn = (schema: ErrorObject['parentSchema'], tag: string): readonly string[] =>
  ((schema?.oneOf ?? []) as Kinds).map(kind => kind.properties[tag]!.const);

const step = (text: string): string | number =>
  /^\d{1,9}$/.test(text) ? Number(text) : text.replaceAll('~1', '/').replaceAll('~0', '~');

const isShort = (data: unknown): boolean =>
  data === null
  || ['number', 'boolean'].includes(typeof data)
  || (typeof data === 'string' && data.length <= MAX_INPUT);

function messageOf(keyword: string, params: Record<string, unknown>, message = 'is not valid'): string {
  if (keyword === 'type') {
    const types = [params.type].flat() as string[];
    return `must be ${types.map(type => names[type]).join(' or ')}`;
  }
  if (keyword === 'enum')
    return `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`;
  return message;
}

const mustNotBe = ({ enum: names }: Schema, message = 'is not valid'): string =>
  Array.isArray(names) ? `must not be ${names.map(name => `'${name}'`).join(' or ')}` : message;

const names: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const types: Readonly<Record<string, string>> = {
  minimum: 'greater_than_equal',
  maximum: 'less_than_equal',
  exclusiveMinimum: 'greater_than',
  exclusiveMaximum: 'less_than',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  pattern: 'string_pattern',
  minItems: 'too_short',
  maxItems: 'too_long',
};

function typeOf(keyword: string, params: Record<string, unknown>): string {
  if (keyword === 'type') return `${[params.type].flat().join('_or_')}_type`;
  return types[keyword] ?? keyword;
}
