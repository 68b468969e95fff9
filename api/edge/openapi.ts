import { operationOf, type Operation } from './openapi-operation.js';
import { sharedParameters } from './openapi-parameters.js';
import { headers } from './openapi-headers.js';
import { errorResponses, schemas, type Json } from './openapi-shared.js';
import { DESCRIPTION_VERSION, OPENAPI_VERSION } from './platform.js';
import type { Row } from './row.js';
import { tags } from './tags.js';

/** The OpenAPI document, as data. */
export type Description = Json & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json;
};

/** Describes the rows. @throws Error when two rows share an operation or an endpoint, or a tag is unknown */
export function descriptionOf(rows: readonly Row[]): Description {
  refuseDoubles(rows.map(row => row.operation));
  refuseDoubles(rows.map(row => `${row.method} ${row.path}`));
  const paths: Record<string, Record<string, Operation>> = {};
  for (const row of rows) {
    const operations = paths[row.path] ?? {};
    operations[row.method] = operationOf(row);
    paths[row.path] = operations;
  }
  return {
    openapi: OPENAPI_VERSION,
    info,
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

const info = {
  title: 'Presage',
  version: DESCRIPTION_VERSION,
  summary: 'Time-series forecasting',
  description:
    'Signals, events, models and forecasts over JSON. What all endpoints share is on the page "Conventions".',
  license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
};

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
  const named = new Set(Array.from(text.matchAll(/"#\/components\/(\w+\/[^"]+)"/g), ([, name]) => name));
  return Object.fromEntries(Object.entries(parts).filter(([name]) => named.has(`${kind}/${name}`)));
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
