import { roles } from '../../domain/groups/roles.js';
import { scopes } from '../../domain/tokens/scopes.js';
import { array, nullable, object } from '../edge/schema.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const flag = { type: 'boolean' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const scope = { enum: scopes } as const;
const name = { type: 'string', minLength: 1, maxLength: 120, pattern: '\\S' } as const;
const workspaceIds = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: { type: 'string', maxLength: 64 },
} as const;

const flagValues = {
  type: 'object',
  additionalProperties: { type: ['boolean', 'string', 'number'] },
} as const;

export const userAnswer = object({
  data: object({
    uid: text,
    email: nullable(text),
    name: nullable(text),
    avatar_url: nullable(text),
    locale: text,
    timezone: text,
    home_cell: text,
    created_at: time,
    totp_enabled: flag,
    ui_flags: flagValues,
    memberships: array(
      object({ workspace_id: text, workspace_name: text, organization_id: text, role: { enum: roles } }),
    ),
    token: {
      ...object({ token_id: text, name: text, scopes: array(scope) }),
      description: 'the one used for this call',
    },
  }),
});

export const profileBody = object(
  {},
  {
    name,
    timezone: { type: 'string', maxLength: 64, description: 'IANA', examples: ['Europe/Berlin'] },
    locale: {
      type: 'string',
      maxLength: 35,
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      examples: ['de-CH'],
    },
    avatar_url: {
      type: ['string', 'null'],
      format: 'uri',
      maxLength: 2_000,
      pattern: '^https?://',
      examples: ['https://example.org/a.png'],
    },
  },
);

export const flagBody = object({
  flag: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    examples: ['sidebar.collapsed'],
  },
  value: {
    type: ['boolean', 'string', 'number', 'null'],
    maxLength: 1_000,
    description: 'null takes the flag away; 200 flags at most',
  },
});
export const flagAnswer = object({ status: { const: 'ok' }, data: object({ ui_flags: flagValues }) });

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
export const acknowledged = object({ status: { const: 'ok' } });
export const revokedAnswer = object({ status: { const: 'deleted' } });

const code = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  writeOnly: true,
  description: 'from the app, or a recovery code',
  examples: ['123456'],
} as const;
const recoveryCodes = { ...array(text), description: 'each works once; shown this once' } as const;
export const codeBody = object({ code });
export const enrolledAnswer = object({
  data: object({ secret: text, otpauth_uri: { type: 'string', description: 'for a QR code' } }),
});
export const recoveryAnswer = object({
  data: object({ totp_enabled: flag }, { recovery_codes: recoveryCodes }),
});

const redirectUri = {
  type: 'string',
  minLength: 1,
  maxLength: 2_000,
  examples: ['https://ops.example.org/signed-in'],
} as const;
export const authorizeBody = object({ redirect_uri: redirectUri });
export const authorizeAnswer = object({
  data: object({
    code: text,
    redirect_uri: text,
    redirect_to: text,
    expires_at: time,
    expires_in_seconds: { type: 'integer' },
  }),
});
export const exchangeBody = object({
  code: { type: 'string', minLength: 1, maxLength: 200, writeOnly: true, examples: ['Jd3nW8b0k2Vx'] },
  redirect_uri: redirectUri,
});
export const exchangeAnswer = object({
  data: object({
    uid: text,
    email: nullable(text),
    name: nullable(text),
    totp_enabled: flag,
    totp_verified_at: nullable(time),
  }),
});
export const verifyBody = object({
  uid: { type: 'string', minLength: 1, maxLength: 64, examples: ['usr_2x2qnp6iow2wrxal'] },
  code,
});
export const verifyAnswer = object({
  data: object({
    verified: { const: true },
    method: { enum: ['totp', 'recovery_code'] },
    totp_verified_at: time,
    recovery_codes_remaining: count,
  }),
});
