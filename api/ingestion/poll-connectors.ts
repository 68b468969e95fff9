import { object } from '../../json-schema.js';
import type { Connector } from './connectors.js';

const text = (maxLength: number, description: string) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const;
const number = (minimum: number, maximum: number, fallback: number, description: string) =>
  ({ type: 'integer', minimum, maximum, default: fallback, description }) as const;

const LONGEST_URL = 2_000;
const LONGEST_SECRET = 4_000;
const HEADER = "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$";
/** What HTTP allows in a header, without the ends of lines. */
const VALUE = '^[\\t\\x20-\\x7e\\x80-\\xff]*$';
/** `writeOnly` keeps what was sent out of the answer about it. */
const hidden = { writeOnly: true } as const;
const secretHeader = { type: 'string', maxLength: LONGEST_SECRET, pattern: VALUE, ...hidden } as const;
const secret = (description: string) => ({ ...secretHeader, minLength: 1, description }) as const;

const token = secret('sent as `Authorization: Bearer`');
const name = { type: 'string', pattern: HEADER } as const;
const kindsOfAuth = [
  { ...object({ type: { const: 'none' } }), ...hidden },
  { ...object({ type: { const: 'bearer' }, token }), ...hidden },
  { ...object({ type: { const: 'basic' }, username: secretHeader, password: secretHeader }), ...hidden },
  { ...object({ type: { const: 'header' }, name, value: secretHeader }), ...hidden },
] as const;
const auth = {
  ...{ ...hidden, type: 'object', description: 'what lets us in' },
  oneOf: kindsOfAuth,
  discriminator: { propertyName: 'type' },
} as const;

const interval = number(60, 86_400, 300, 'seconds between the beginnings of two runs; of its first job');
const timeout = number(1, 60, 20, 'seconds that an answer may take');
const produces = {
  enum: ['events', 'signals'],
  default: 'events',
  description: 'what the items are: events, or rows of signals',
} as const;

/** What is asked of an address, besides how its items are read. */
export const restMembers = {
  url: {
    ...text(LONGEST_URL, 'what is asked'),
    format: 'uri',
    examples: ['https://status.example.org/items'],
  },
  method: { enum: ['GET', 'POST'], default: 'GET' },
  headers: {
    type: 'object',
    maxProperties: 30,
    propertyNames: { pattern: HEADER },
    additionalProperties: secretHeader,
    ...hidden,
    description: 'sent with each request; their values are secrets',
  },
  body: { description: 'of a POST: any JSON' },
  auth,
  interval_seconds: interval,
  cursor_path: text(500, 'path in an answer to what the next page, or the next run, goes on from'),
  cursor_param: text(100, 'name under which that is sent: in the query, or in the body of a POST'),
  timeout_seconds: timeout,
  max_pages: number(1, 50, 10, 'pages of one run'),
} as const;

const { url, ...restOptional } = restMembers;

/** The same as answers show it, with stars in place of secrets. */
export const shownRestMembers = {
  ...restMembers,
  auth: { type: 'object', description: auth.description },
  headers: { type: 'object', description: 'their values are shown as `***`' },
} as const;
export const restPoll: Connector = {
  id: 'rest_poll',
  name: 'REST poll',
  kind: 'poll',
  produces: ['events', 'signals'],
  config: object({ url }, { ...restOptional, produces }),
  secretPlaces: ['auth.token', 'auth.password', 'auth.value', 'headers.*'],
  status: 'available',
};

const ssl = {
  enum: ['verify-full', 'require', 'disable'],
  default: 'verify-full',
  description: 'TLS with a certificate that is looked at, TLS with any, or none',
} as const;
export const postgres: Connector = {
  id: 'postgres',
  name: 'PostgreSQL',
  kind: 'poll',
  produces: ['events', 'signals'],
  config: object(
    {
      host: text(253, 'of the server'),
      database: text(63, 'its name'),
      user: text(63, 'who reads; it needs no right but to read'),
      query: text(20_000, 'one SELECT; each row is an item'),
    },
    {
      port: number(1, 65_535, 5_432, 'of the server'),
      password: { type: 'string', maxLength: 1_000, ...hidden },
      ssl,
      ca: text(100_000, 'PEM of who signed its certificate, where that is nobody known'),
      cursor_column: text(63, 'column of the answer that grows: a run goes on at the value read last'),
      interval_seconds: interval,
      timeout_seconds: timeout,
      produces,
    },
  ),
  secretPlaces: ['password'],
  status: 'available',
};

export const s3: Connector = {
  id: 's3',
  name: 'S3',
  kind: 'poll',
  produces: ['events', 'signals'],
  config: object(
    { bucket: { ...text(63, 'its name'), pattern: '^[a-z0-9][a-z0-9.-]*$' } },
    {
      endpoint: { ...text(LONGEST_URL, 'of a server that is not of Amazon'), format: 'uri' },
      region: { ...text(60, 'of the bucket'), default: 'us-east-1', pattern: '^[a-z0-9-]+$' },
      path_style: {
        type: 'boolean',
        description: 'whether the bucket stands in the path; default: with an `endpoint`',
      },
      prefix: { type: 'string', maxLength: 1_000, default: '', description: 'which objects are read' },
      format: { enum: ['csv', 'ndjson'], default: 'ndjson', description: 'what is in the objects' },
      access_key_id: text(200, 'without keys the bucket is asked as anybody asks'),
      secret_access_key: { type: 'string', minLength: 1, maxLength: 1_000, ...hidden },
      interval_seconds: interval,
      timeout_seconds: timeout,
      produces,
    },
  ),
  secretPlaces: ['secret_access_key'],
  status: 'available',
};

export const pollConnectors: readonly Connector[] = [restPoll, postgres, s3];
