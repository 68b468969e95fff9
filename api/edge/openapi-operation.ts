import { parametersOf } from './openapi-parameters.js';
import { responsesOf } from './openapi-responses.js';
import type { Json } from './openapi-shared.js';
import { isOpen, type Row } from './row.js';
import { FILE } from './upload-rules.js';
import type { Schema } from '../../json-schema.js';

export type Operation = Json & {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Json>>;
};

/** One endpoint of the description. */
export function operationOf(row: Row): Operation {
  const { access } = row;
  const scopes = 'scope' in access ? [access.scope ?? []].flat() : [];
  return {
    operationId: row.operation,
    summary: row.summary,
    ...(row.description && { description: row.description }),
    tags: [row.tag],
    security: isOpen(access) ? [] : [{ bearer: [] }],
    ...(scopes.length > 0 && { 'x-required-scope': scopes }),
    ...('everywhere' in access && { 'x-unlimited-token': true }),
    'x-rate-limit-policy': row.policy ?? 'default',
    ...(row.calls !== undefined && { 'x-rate-limit-calls': row.calls }),
    parameters: parametersOf(row),
    ...(row.upload && { requestBody: formOf(row.body) }),
    ...(row.body && !row.upload && { requestBody: bodyOf(row.body) }),
    ...(row.rawBody && { requestBody: rawBodyOf(row.rawBody) }),
    responses: responsesOf(row),
  };
}

const bodyOf = (schema: Schema) => ({
  required: ((schema.required ?? []) as unknown[]).length > 0,
  content: { 'application/json': { schema } },
});

const rawBodyOf = (schema: Schema) => ({
  required: true,
  description: 'Read as JSON, whatever its `Content-Type`',
  content: { 'application/json': { schema }, '*/*': { schema } },
});

const formOf = (fields: Schema | undefined) => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          [FILE]: { type: 'string', contentMediaType: 'application/octet-stream' },
          ...(fields?.properties as Schema | undefined),
        },
        required: [FILE, ...((fields?.required ?? []) as readonly string[])],
      },
    },
  },
});
