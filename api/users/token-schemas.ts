import { scopes } from '../../domain/tokens/scopes.js';
import { goneOr } from '../edge/dry-run.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';
import { array, nullable, object } from '../../json-schema.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const scope = { enum: scopes } as const;
const name = { type: 'string', minLength: 1, maxLength: 120, pattern: '\\S' } as const;
const workspaceIds = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: { type: 'string', maxLength: 64 },
} as const;

const record = {
  token_id: text,
  name: text,
  prefix: text,
  last4: text,
  scopes: array(scope),
  workspace_ids: { ...nullable(array(text)), description: 'null: every workspace its owner is in' },
  created_at: time,
  expires_at: nullable(time),
  last_used_at: { ...nullable(time), description: 'to the minute' },
  last_used_ip: nullable(text),
  revoked_at: nullable(time),
  status: { enum: ['active', 'expired', 'revoked'] },
  replaced_by: { ...nullable(text), description: 'the token that was made in its place' },
  version: {
    type: ['integer', 'null'],
    minimum: 1,
    description:
      'counts its changes; `If-Match: "<version>"` takes it. Null: not known yet, a while after an upgrade',
  },
} as const;
export const tokenAnswer = object({ data: object(record) });
export const tokenMadeAnswer = object({
  data: object(record, {
    token: {
      type: 'string',
      description: 'the value, shown this once: not in a repeat under the same `Idempotency-Key`',
    },
  }),
});
export const tokensQuery = object(perPageQuery(), { status: record.status });
export const tokensAnswer = object({ data: object({ tokens: array(object(record)), ...perPageMembers }) });
export const tokenParams = object({
  token_id: { type: 'string', maxLength: 64, examples: ['tok_29x29ijjuj1roy1q'] },
});

const scopeList = { type: 'array', maxItems: 100, items: scope } as const;
export const newTokenBody = object(
  { name },
  {
    scopes: {
      ...scopeList,
      description: 'default: workspaces.read, goals.read, models.read, inferences.create',
    },
    expires_in_days: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 3_650,
      description:
        'null: never; default: as late as the token used for this call and the organizations allow',
    },
    workspace_ids: {
      ...workspaceIds,
      type: ['array', 'null'],
      description: 'default: as the token used for this call; null: every workspace of its owner',
    },
  },
);
export const tokenPatchBody = object(
  {},
  { name, scopes: scopeList, workspace_ids: { ...workspaceIds, type: ['array', 'null'] } },
);
export const regenerateBody = object(
  {},
  {
    grace_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: 86_400,
      default: 0,
      description: 'how long the old value still works',
    },
  },
);
export const revokedAnswer = goneOr({ token_id: text });
