import * as fc from 'fast-check';
import type { Description } from '../../api/edge/openapi.js';
import type { Operation } from '../../api/edge/openapi-operation.js';
import type { Schema } from '../../json-schema.js';
import type { Client, Sent } from './client.js';

type Parameter = { readonly name: string; readonly in: 'path' | 'query' | 'header'; readonly schema: Schema };
type Text = fc.Arbitrary<string>;

/**
 * Random calls of every operation of a description: nearly right, wrong in one place, or noise. Each answer
 * is held to the description by the client, and none may be a 5xx. Throws with the smallest call found that
 * fails.
 */
export async function fuzz(api: Client, runs: number, skip: readonly string[] = []): Promise<void> {
  const calls = callsOf(api.description, skip);
  const seen = new Map<string, string[]>();
  const recall = (_: string, name: string, back: string): string =>
    encodeURIComponent(seen.get(name)?.at(-1 - Number(back)) ?? 'none');
  await fc.assert(
    fc.asyncProperty(fc.oneof(...calls), async sent => {
      const { status, body } = await api.send({ ...sent, path: sent.path.replace(LATE, recall) });
      if (status >= 500) throw new Error(`${status}`);
      for (const [name, id] of idsIn(body).slice(0, 5))
        seen.set(name, [...(seen.get(name) ?? []).slice(-20), id]);
    }),
    { numRuns: runs, interruptAfterTimeLimit: 120_000, markInterruptAsFailure: true },
  );
}

/** Stands in a path for an id of that name which an answer gave, so and so many before the last. */
const late = (name: string): Text => fc.nat(9).map(back => `~${name}~${back}~`);
const LATE = /~(\w+)~(\d)~/g;

/** The texts of an answer by the names of their members: among them are the ids that paths take. */
function idsIn(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    if (typeof inner !== 'string') return idsIn(inner);
    return inner !== '' && inner.isWellFormed() ? [[name, inner]] : [];
  });
}

function callsOf(description: Description, skip: readonly string[]): fc.Arbitrary<Sent>[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => !skip.includes(operationId))
      .map(([method, operation]) =>
        callOf(path, method.toUpperCase(), parametersOf(description, operation), bodySchema(operation)),
      ),
  );
}

function callOf(
  path: string,
  method: string,
  parameters: readonly Parameter[],
  schema: Schema | undefined,
): fc.Arbitrary<Sent> {
  const named = (place: Parameter['in']) => parameters.filter(parameter => parameter.in === place);
  const valueIn = ({ name, schema }: Parameter) =>
    fc.oneof(late(name), late(name), likely(schema).map(String), words).map(segment);
  const inPath = fc.tuple(...named('path').map(valueIn));
  const query = fc.tuple(
    fc.subarray(named('query')).chain(some => fc.tuple(...some.map(pair))),
    fc.array(fc.tuple(words, words), { maxLength: 2 }),
  );
  return fc
    .record({
      values: inPath,
      query,
      headers: headersOf(),
      body: schema ? bodyOf(schema) : fc.constant(undefined),
    })
    .map(({ values, query: [known, unknown], headers, body }) => {
      let i = 0;
      const text = [...known, ...unknown]
        .map(([name, value]) => `${encode(name)}=${encode(value)}`)
        .join('&');
      return {
        method,
        path: path.replace(/\{\w+\}/g, () => values[i++]!) + (text && `?${text}`),
        headers,
        body,
      };
    });
}

const pair = ({ name, schema }: Parameter): fc.Arbitrary<[string, string]> =>
  fc.oneof(likely(schema).map(String), words).map(value => [name, value]);

/** A body as its schema wants it, with something else in one place, any JSON, or no JSON. */
function bodyOf(schema: Schema): fc.Arbitrary<unknown> {
  const right = likely(schema);
  const json = fc.jsonValue({ maxDepth: 4 });
  const bent = fc
    .tuple(right, words, json)
    .map(([body, name, value]) =>
      typeof body === 'object' && body !== null
        ? { ...body, [Object.keys(body)[name.length % 5] ?? name]: value }
        : value,
    );
  const broken = fc.tuple(right, fc.nat(60)).map(([body, cut]) => JSON.stringify(body).slice(0, -1 - cut));
  const noise = fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes));
  return fc.oneof(
    { weight: 3, arbitrary: right },
    { weight: 3, arbitrary: bent },
    json.map(value => JSON.stringify(value)),
    broken,
    noise,
  );
}

type Detailed = {
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
};

/** A value that a schema is likely to take. */
function likely(schema: Schema): fc.Arbitrary<unknown> {
  const alternatives = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (alternatives) return fc.oneof(...alternatives.map(likely));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  const types = [schema.type ?? []].flat() as string[];
  return types.length === 0
    ? fc.jsonValue({ maxDepth: 2 })
    : fc.oneof(...types.map(type => ofType(type, schema)));
}

function ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], items = {}, minimum = -1e12, maximum = 1e12 } = schema as Detailed;
  switch (type) {
    case 'object':
      return fc.record(members(properties), { requiredKeys: required });
    case 'array':
      return fc.array(likely(items), { maxLength: 4 });
    case 'integer':
      return fc.oneof(
        fc.integer({ min: Math.max(minimum, -1e9), max: Math.min(maximum, 1e9) }),
        fc.constantFrom(0, -1, 2 ** 53, 1e308),
      );
    case 'number':
      return fc.oneof(
        fc.double({ min: minimum, max: maximum, noNaN: true }),
        fc.constantFrom(0, -0, 1e308, 5e-324),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return words;
  }
}

const members = (properties: Record<string, Schema>): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, likely(inner)]));

const dates = fc
  .date({ min: new Date('1600-01-01'), max: new Date('3000-01-01'), noInvalidDate: true })
  .map(date => date.toISOString());
const words: Text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  dates,
  fc.integer().map(String),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '../..',
    'mkt-evt:x',
    '🌩',
    'שלום',
    '__proto__',
    'constructor',
    "' OR 1=1 --",
    '$where',
    '%',
    'x'.repeat(300),
  ),
);

/** One segment of a path, sometimes badly encoded. */
const segment = (value: string): string => encode(value) || '%';
const encode = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replaceAll('%25', '%').slice(0, 2000);

const noise: Text = fc.string({ unit: fc.constantFrom(...'abc09 "*,/;=._-'), maxLength: 80 });
function headersOf(): fc.Arbitrary<Record<string, string>> {
  const names = [
    'if-match',
    'if-none-match',
    'x-request-id',
    'idempotency-key',
    'accept',
    'accept-encoding',
    'content-type',
    'authorization',
    'x-workspace-id',
    'expect-ct',
  ];
  const bent = fc.tuple(fc.constantFrom(...names), noise).map(([name, value]) => ({ [name]: value }));
  return fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: bent });
}

function parametersOf({ components }: Description, operation: Operation): Parameter[] {
  const shared = components.parameters as Record<string, Parameter>;
  return (operation.parameters as (Parameter & { $ref?: string })[]).map(parameter =>
    parameter.$ref ? shared[parameter.$ref.split('/').at(-1)!]! : parameter,
  );
}

const JSON_BODY = 'application/json';

function bodySchema({ requestBody }: Operation): Schema | undefined {
  const body = requestBody as { content: Record<string, { schema: Schema }> } | undefined;
  return body?.content[JSON_BODY]?.schema;
}
