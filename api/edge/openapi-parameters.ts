import type { Json } from './openapi-shared.js';
import { isOpen, type Row } from './row.js';
import type { Schema } from '../../json-schema.js';

/** Of the path, of the query, and the headers that the row understands. */
export function parametersOf({ path, method, params, query, headers = {}, access, versioned }: Row): Json[] {
  const shared = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    parameterOf('path', name!, params?.properties[name!] ?? {}, true),
  );
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) =>
    parameterOf('query', name, schema, query!.required.includes(name) && schema.default === undefined),
  );
  const inHeaders = Object.entries(headers).map(([name, schema]) =>
    parameterOf('header', name, schema, false),
  );
  return [
    ...inPath,
    ...inQuery,
    ...inHeaders,
    ...(access.kind === 'workspace' ? [shared('WorkspaceId')] : []),
    ...(access.kind === 'account' && access.workspace ? [shared('ChosenWorkspaceId')] : []),
    ...(!isOpen(access) && method === 'post' ? [shared('IdempotencyKey')] : []),
    ...(versioned ? [shared(method === 'get' ? 'IfNoneMatch' : 'IfMatch')] : []),
  ];
}

function parameterOf(
  place: 'path' | 'query' | 'header',
  name: string,
  declared: Schema,
  required: boolean,
): Json {
  const isTyped = declared.type || declared.enum || declared.oneOf;
  const { description, ...schema } = isTyped ? declared : { ...declared, type: 'string' };
  const most = schema['x-clamp'] as number | undefined;
  const told = [description, most && `more than ${most} is taken as ${most}`].filter(Boolean).join('; ');
  const example = exampleOf(schema, name);
  return { name, in: place, required, ...(told !== '' && { description: told }), schema, example };
}

/** An example for tools that want one: the schema's own, its default, or the plainest value of its type. */
function exampleOf(schema: Schema, name: string): unknown {
  const { examples, default: fallback, type, minimum } = schema;
  const [example] = (examples ?? []) as unknown[];
  const [member] = (schema.enum ?? []) as unknown[];
  const first = example ?? fallback ?? member;
  if (first !== undefined) return first;
  const types = [type].flat();
  if (types.includes('integer') || types.includes('number')) return minimum ?? 1;
  if (types.includes('boolean')) return true;
  return types.includes('array') ? [name] : name;
}

/** Headers that many rows understand. */
export const sharedParameters = {
  WorkspaceId: {
    name: 'X-Workspace-Id',
    in: 'header',
    required: true,
    description: 'The workspace the call is about',
    schema: { type: 'string' },
    example: 'wsp_0a1bk3v9d2mq',
  },
  ChosenWorkspaceId: {
    name: 'X-Workspace-Id',
    in: 'header',
    required: false,
    description: 'The workspace the call is about; all of the caller when absent',
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
