import { roles } from '../../domain/groups/roles.js';
import { scopes } from '../../domain/tokens/scopes.js';
import { array, nullable, object } from '../../json-schema.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const flag = { type: 'boolean' } as const;
const scope = { enum: scopes } as const;
const name = { type: 'string', minLength: 1, maxLength: 120, pattern: '\\S' } as const;
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

export const acknowledged = object({ status: { const: 'ok' } });
