import { array, object } from '../../json-schema.js';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** A code of a second factor. */
export const code = {
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
