import { nullable, object } from '../../json-schema.js';
import { code } from './factor-schemas.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const flag = { type: 'boolean' } as const;
const count = { type: 'integer', minimum: 0 } as const;

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
