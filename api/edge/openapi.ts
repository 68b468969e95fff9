import type { Schema } from './schema.js';
import { errorResponses, headers, responseRef, schemas } from './openapi-shared.js';
import { DESCRIPTION_VERSION, OPENAPI_VERSION } from './platform.js';
import { tags } from './tags.js';
import type { Row } from './row.js';

type Json = Readonly<Record<string, unknown>>;
/** The OpenAPI document, as data. */
export type Description = Json & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json;
};
export type Operation = Json & {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Json>>;
};

/** Describes the rows. @throws Error when two rows share an operation or an endpoint, or a tag is unknown */
export function descriptionOf(rows: readonly Row[]): Description {
  refuseDoubles(rows.map(row => row.operation));
  refuseDoubles(rows.map(row => `${row.method} ${row.path}`));
  const paths: Record<string, Record<string, Operation>> = {};
  for (const row of rows) (paths[row.path] ??= {})[row.method] = operationOf(row);
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title: 'Presage',
      version: DESCRIPTION_VERSION,
      summary: 'Time-series forecasting',
      description:
        'Signals, events, models and forecasts over JSON. What all endpoints share is on the page "Conventions".',
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', name: 'This server' }],
    tags: tagsOf(rows),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'psg_live_',
          description: 'An API token; its scopes bound it',
        },
      },
      ...sharedBy(paths),
    },
  };
}

/** The shared parts that are referred to, straight or through another one. */
function sharedBy(paths: Json): Json {
  const parameters = used('parameters', sharedParameters, [paths]);
  const responses = used('responses', errorResponses, [paths]);
  const users = [paths, responses];
  return {
    schemas: used('schemas', schemas, users),
    headers: used('headers', headers, users),
    responses,
    parameters,
  };
}

function used(kind: string, parts: Json, users: readonly Json[]): Json {
  const text = JSON.stringify(users);
  return Object.fromEntries(
    Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  );
}

function refuseDoubles(names: readonly string[]): void {
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new Error(`${double} is described twice`);
}

function tagsOf(rows: readonly Row[]): Json[] {
  const unknown = rows.find(row => !tags.some(({ name }) => name === row.tag));
  if (unknown) throw new Error(`The tag ${unknown.tag} of ${unknown.operation} is not in api/edge/tags.ts`);
  const used = new Set(rows.map(row => row.tag));
  for (const { name, parent } of tags) if (parent && used.has(name)) used.add(parent);
  return tags.filter(({ name }) => used.has(name)).map(tag => ({ ...tag, kind: 'nav' }));
}

function operationOf(row: Row): Operation {
  const { access } = row;
  const scopes = 'scope' in access ? [access.scope ?? []].flat() : [];
  return {
    operationId: row.operation,
    summary: row.summary,
    ...(row.description && { description: row.description }),
    tags: [row.tag],
    security: access.kind === 'public' ? [] : [{ bearer: [] }],
    ...(scopes.length > 0 && { 'x-required-scope': scopes }),
    ...('everywhere' in access && { 'x-unlimited-token': true }),
    'x-rate-limit-policy': row.policy ?? 'default',
    parameters: parametersOf(row),
    ...(row.body && { requestBody: bodyOf(row.body) }),
    responses: responsesOf(row),
  };
}

const bodyOf = (schema: Schema) => ({
  required: ((schema.required ?? []) as unknown[]).length > 0,
  content: { 'application/json': { schema } },
});

function parametersOf({ path, method, params, query, access, versioned }: Row): Json[] {
  const shared = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    parameterOf('path', name!, params?.properties[name!] ?? {}, true),
  );
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) =>
    parameterOf('query', name, schema, query!.required.includes(name) && schema.default === undefined),
  );
  return [
    ...inPath,
    ...inQuery,
    ...(access.kind === 'workspace' ? [shared('WorkspaceId')] : []),
    ...(access.kind !== 'public' && method === 'post' ? [shared('IdempotencyKey')] : []),
    ...(versioned ? [shared(method === 'get' ? 'IfNoneMatch' : 'IfMatch')] : []),
  ];
}

function parameterOf(place: 'path' | 'query', name: string, given: Schema, required: boolean): Json {
  const { description, ...schema } =
    given.type || given.enum || given.oneOf ? given : { ...given, type: 'string' };
  const example = exampleOf(schema, name);
  return { name, in: place, required, ...(description !== undefined && { description }), schema, example };
}

/** An example for tools that want one: the schema's own, its default, or the plainest value of its type. */
function exampleOf(schema: Schema, name: string): unknown {
  const { examples, default: fallback, type, minimum } = schema;
  const first =
    (examples as unknown[] | undefined)?.[0] ?? fallback ?? (schema.enum as unknown[] | undefined)?.[0];
  if (first !== undefined) return first;
  const types = [type].flat();
  if (types.includes('integer') || types.includes('number')) return minimum ?? 1;
  if (types.includes('boolean')) return true;
  return types.includes('array') ? [name] : name;
}

function responsesOf(row: Row): Record<string, Json> {
  const responses: Record<string, Json> = {};
  for (const [status, { description, schema, example }] of Object.entries(row.answers)) {
    const media = { schema, ...(example !== undefined && { example }) };
    responses[status] = {
      description,
      headers: headersOf(row, Number(status)),
      content: { 'application/json': media },
    };
  }
  if (row.versioned && row.method === 'get')
    responses[304] = { description: 'Unchanged', headers: headersOf(row, 304) };
  for (const status of errorsOf(row))
    responses[status] = withError(responses[status], status, row.errors?.[status] ?? []);
  return responses;
}

const common = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

function headersOf(row: Row, status: number): Json {
  const extra = [
    ...(row.body || row.query ? ['X-Ignored-Fields'] : []),
    ...(row.versioned && status < 400 ? ['ETag'] : []),
    ...(row.method === 'post' && row.access.kind !== 'public' ? ['Idempotency-Replayed'] : []),
  ];
  return Object.fromEntries(
    [...common, ...extra].map(name => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Every status a call of the row can be refused with. */
function errorsOf({ method, path, body, rawBody, access, policy, errors = {} }: Row): number[] {
  const own = Object.keys(errors).map(Number);
  const shared = [422, 500];
  if (access.kind !== 'public') shared.push(401, 409, 429, 503);
  if (access.kind === 'workspace') shared.push(400, 403);
  if (access.kind === 'internal') shared.push(403);
  if (access.kind === 'account' && access.scope) shared.push(403);
  if (policy) shared.push(429, 503);
  if (path.includes('{')) shared.push(404);
  if (body) shared.push(400, 415);
  if (body || rawBody) shared.push(413);
  if (method === 'post') shared.push(409);
  return [...new Set([...own, ...shared])].sort((a, b) => a - b);
}

/**
 * The shared answer, with the row's own codes; beside a body of the row's own at that status it is the other
 * possibility.
 */
function withError(own: Json | undefined, status: number, codes: readonly string[]): Json {
  if (!own && codes.length === 0) return { $ref: responseRef(status) };
  const { schema } = errorResponses[status]!.content['application/json'];
  if (!own) {
    const description = `${errorResponses[status]!.description}. Codes: ${codes.map(code => `\`${code}\``).join(', ')}`;
    return { ...errorResponses[status], description };
  }
  const media = (own.content as Record<string, { schema: Schema }>)['application/json']!;
  return { ...own, content: { 'application/json': { ...media, schema: { anyOf: [media.schema, schema] } } } };
}

const sharedParameters = {
  WorkspaceId: {
    name: 'X-Workspace-Id',
    in: 'header',
    required: true,
    description: 'The workspace the call is about',
    schema: { type: 'string' },
    example: 'wsp_0a1bk3v9d2mq',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'The call happens once: the first answer is kept for 24 hours and repeated',
    example: '6f1c2a52-order-17',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    example: '"3"',
    description: 'The ETag the change is meant for; another version is refused with 409 `version_conflict`',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    example: '"3"',
    description: 'An ETag known already; unchanged it is answered with 304',
  },
};
