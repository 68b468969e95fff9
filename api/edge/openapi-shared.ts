import { array, object, type Schema } from '../../json-schema.js';

/** A part of the description. */
export type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' } as const;

const errorMembers = {
  error: object({
    code: { ...text, description: 'For programs; compare without regard to case' },
    message: { ...text, description: 'For people' },
    details: { ...object({ request_id: text }), additionalProperties: true },
  }),
  status: { ...text, description: 'The message again' },
} as const;

const fault = object(
  {
    loc: {
      ...array({ type: ['string', 'integer'] }),
      description: 'Where: `body`, `query`, `path`, `header`, then the way down',
    },
    msg: text,
    type: text,
  },
  { input: { description: 'What was sent; left out for secrets and long texts' } },
);

export const schemas: Readonly<Record<string, Schema>> = {
  Error: object(errorMembers),
  ValidationError: object({ detail: { ...array(fault), maxItems: 50 }, ...errorMembers }),
};

type ErrorResponse = {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example: unknown } };
};

const response = (
  status: number,
  description: string,
  code: string,
  message: string,
  details: object = {},
): ErrorResponse => {
  const names =
    status === 431 ? [] : ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...(more[status] ?? [])];
  const envelope = {
    error: { code, message, details: { request_id: 'req_1', ...details } },
    status: message,
  };
  return {
    description,
    headers: Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      'application/json':
        status === 422
          ? {
              schema: { $ref: '#/components/schemas/ValidationError' },
              example: { detail: [faultExample], ...envelope },
            }
          : { schema: { $ref: '#/components/schemas/Error' }, example: envelope },
    },
  };
};

const more: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};
const faultExample = { loc: ['body', 'value'], msg: 'must be a number', type: 'number_type', input: 'ten' };

/** The refusals an endpoint can have, by status. */
export const errorResponses: Readonly<Record<number, ErrorResponse>> = {
  400: response(
    400,
    'Something the call needs is missing or cannot be read',
    'workspace_required',
    'Workspace ID required',
    { header: 'X-Workspace-Id' },
  ),
  401: response(401, 'No valid token', 'authorization_required', 'A bearer token is required'),
  402: response(402, 'Not enough credits', 'insufficient_credits', 'Not enough credits'),
  403: response(403, 'Not allowed', 'insufficient_scope', 'This token lacks the scope data.write', {
    required: ['data.write'],
    granted: ['data.read'],
  }),
  404: response(404, 'Not found', 'not_found', 'There is nothing at this path'),
  406: response(
    406,
    'The header Accept takes none of the types that are answered',
    'not_acceptable',
    'The header Accept takes nothing that is answered here: application/json',
    { available: ['application/json'] },
  ),
  408: response(
    408,
    'The body came too slowly',
    'request_timeout',
    'The body came too slowly; send it again',
  ),
  409: response(
    409,
    'In conflict with how things stand',
    'wrong_cell',
    'This belongs to the cell eu-1; call https://eu.example',
    { home_cell: 'eu-1', redirect_api_base_url: 'https://eu.example' },
  ),
  410: response(410, 'No longer there', 'download_expired', 'The download has expired'),
  413: response(
    413,
    'The body is too large',
    'payload_too_large',
    'The body may have at most 2000000 bytes',
    { limit_bytes: 2_000_000, limit_of: 'body' },
  ),
  415: response(
    415,
    'The body is of another type',
    'unsupported_media_type',
    'Send the body as JSON: Content-Type: application/json',
  ),
  422: response(422, 'Fields of the request are not valid', 'validation_error', '1 field is not valid'),
  426: response(
    426,
    'The connection must leave HTTP',
    'upgrade_required',
    'This is a WebSocket; ask for one',
    { upgrade: 'websocket' },
  ),
  429: response(429, 'Too many calls', 'rate_limited', "The limit 'default' is reached; try again in 1 s", {
    policy: 'default',
    limit: 600,
    window_s: 60,
    retry_after_s: 1,
  }),
  431: response(431, 'The headers are too large', 'headers_too_large', 'Request Header Fields Too Large'),
  500: response(500, 'A fault of the service', 'internal_error', 'Internal error'),
  503: response(503, 'Too much is under way', 'overloaded', 'Too much is under way; try again soon', {
    retry_after_s: 1,
  }),
};

export const responseRef = (status: number): string => `#/components/responses/${status}`;
