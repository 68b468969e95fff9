import { errorResponses, responseRef, type Json } from './openapi-shared.js';
import { isOpen, type Row } from './row.js';
import type { Schema } from '../../json-schema.js';

/** What the row answers, and every refusal that a call of it can meet. */
export function responsesOf(row: Row): Record<string, Json> {
  const responses: Record<string, Json> = {};
  for (const [
    status,
    { description, schema, example, media: type = 'application/json', also },
  ] of Object.entries(row.answers)) {
    const media = { schema, ...(example !== undefined && { example }) };
    responses[status] = {
      description,
      ...(schema && {
        headers: headersOf(row, Number(status)),
        content: { [type]: media, ...contentOf(also) },
      }),
    };
  }
  if (row.versioned && row.method === 'get')
    responses[304] = { description: 'Unchanged', headers: headersOf(row, 304) };
  for (const status of errorsOf(row)) {
    responses[status] = withError(responses[status], status, row.errors?.[status] ?? []);
  }
  return responses;
}

const contentOf = (schemas: Readonly<Record<string, Schema>> = {}): Json =>
  Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]));

const common = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

function headersOf(row: Row, status: number): Json {
  const extra = [
    ...(row.body || row.query ? ['X-Ignored-Fields'] : []),
    ...(status < 400 && takesAsOf(row) ? ['X-As-Of'] : []),
    ...(row.versioned && status < 400 ? ['ETag'] : []),
    ...(row.method === 'post' && !isOpen(row.access) ? ['Idempotency-Replayed'] : []),
  ];
  return Object.fromEntries(
    [...common, ...extra].map(name => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Every status a call of the row can be refused with. */
function errorsOf({ method, path, body, rawBody, access, policy, errors = {} }: Row): number[] {
  const own = Object.keys(errors).map(Number);
  const shared = [422, 431, 500];
  if (access.kind !== 'public') shared.push(401, 409, 429, 503);
  if (!isOpen(access)) shared.push(406);
  if (access.kind === 'workspace') shared.push(400, 403);
  if (access.kind === 'internal') shared.push(403);
  if (access.kind === 'account' && access.scope) shared.push(403);
  if (policy) shared.push(429, 503);
  if (path.includes('{')) shared.push(404);
  if (body) shared.push(400);
  if (body || rawBody) shared.push(408, 413, 415, 503);
  if (method === 'post') shared.push(409);
  return [...new Set([...own, ...shared])].sort((a, b) => a - b);
}

/**
 * The shared answer, with the row's own codes; beside a body of the row's own at that status it is the other
 * possibility.
 */
function withError(own: Json | undefined, status: number, codes: readonly string[]): Json {
  if (!own && codes.length === 0) return { $ref: responseRef(status) };
  const shared = errorResponses[status]!;
  if (!own) {
    const named = codes.map(code => `\`${code}\``).join(', ');
    return { ...shared, description: `${shared.description}. Codes: ${named}` };
  }
  const { schema } = shared.content['application/json'];
  const media = (own.content as Record<string, { schema: Schema }>)['application/json']!;
  return { ...own, content: { 'application/json': { ...media, schema: { anyOf: [media.schema, schema] } } } };
}

const takesAsOf = ({ query, body }: Row): boolean =>
  [query, body].some(schema => schema && 'as_of' in schema.properties);
