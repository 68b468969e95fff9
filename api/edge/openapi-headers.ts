const text = { type: 'string' } as const;

/** The headers of answers, as the description shows them. */
export const headers = {
  'X-Request-Id': {
    description: 'Id of this call, in the logs too; yours where you sent one',
    schema: text,
    example: 'req_1',
  },
  'RateLimit-Policy': { description: 'The limits that apply', schema: text, example: '"default";q=600;w=60' },
  RateLimit: {
    description: 'What is left, and the seconds until it is whole',
    schema: text,
    example: '"default";r=587;t=2',
  },
  'X-Ignored-Fields': {
    description: 'Names sent that are not known here',
    schema: text,
    example: 'colour, config.tpyo',
  },
  'X-As-Of': {
    description: 'The past moment that the answer is of, where `as_of` asked for one',
    schema: text,
    example: '2026-01-01T00:00:00.000Z',
  },
  ETag: { description: 'Version of the item', schema: text, example: '"3"' },
  'Idempotency-Replayed': { description: '`true` on a repeated answer', schema: text, example: 'true' },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' }, example: 1 },
  'WWW-Authenticate': { description: 'What is missing', schema: text, example: 'Bearer realm="presage"' },
};
