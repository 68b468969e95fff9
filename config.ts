import { Ajv2020 } from 'ajv/dist/2020.js';
import { cellCode } from './domain/cell.js';
import type { FromSchema, Schema } from './api/edge/schema.js';

type Variable = {
  readonly schema: Schema;
  readonly default: string | number | boolean;
  readonly what: string;
  readonly secret?: true;
};

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 1, maximum: 1_000_000_000 } as const;
const variable = <const S extends Schema>(
  schema: S,
  fallback: FromSchema<S> & (string | number | boolean),
  what: string,
) => ({ schema, default: fallback, what }) as const;

/** One whose value is never shown. */
const secret = <const S extends Schema>(schema: S, fallback: FromSchema<S> & string, what: string) =>
  ({ ...variable(schema, fallback, what), secret: true }) as const;

/** Every setting of the platform; docs/configuration.md is made from this table. */
export const variables = {
  HOST: variable(text, '127.0.0.1', 'Address to listen on'),
  PORT: variable(
    { type: 'integer', minimum: 0, maximum: 65_535 },
    8080,
    'Port to listen on; 0 takes a free one',
  ),
  DATA_DIR: variable(
    { type: 'string', minLength: 1 },
    './data',
    'Folder of the embedded stores and of the operator socket',
  ),
  EVENTSTORE_URL: variable(
    { type: 'string', pattern: '^$|^esdb(\\+discover)?://' },
    '',
    'EventStoreDB, as `esdb://host:2113?tls=false`; empty: the embedded event store',
  ),
  MONGODB_URL: variable(
    { type: 'string', pattern: '^$|^mongodb(\\+srv)?://' },
    '',
    'MongoDB, as `mongodb://host:27017`; empty: the embedded read models',
  ),
  MONGODB_DATABASE: variable(
    { type: 'string', pattern: '^[A-Za-z0-9_-]{1,38}$' },
    'presage',
    'Database of the read models on MongoDB',
  ),
  SECRET_KEY: secret(
    { type: 'string', pattern: '^$|^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$' },
    '',
    'Opens sealed personal data: 32 bytes in base64; more, separated by commas: older ones. Empty: `DATA_DIR/secret.key`, made on first use',
  ),
  CELL: variable({ type: 'string', pattern: '^[a-z0-9-]{1,32}$' }, 'local', 'Name of this region'),
  CELLS: variable(
    {
      type: 'string',
      pattern: '^$|^[a-z0-9-]{1,32}=https?://[^,\\s]+(,[a-z0-9-]{1,32}=https?://[^,\\s]+)*$',
    },
    '',
    'The other regions and their addresses: `eu-1=https://eu-1.example.org,us-1=https://us-1.example.org`',
  ),
  TRUSTED_PROXIES: variable(
    { type: 'integer', minimum: 0, maximum: 16 },
    0,
    'Proxies in front whose `X-Forwarded-For` is believed',
  ),
  OPS_REDIRECT_URIS: variable(
    { type: 'string', pattern: '^$|^[a-z][a-z0-9+.-]*://[^,\\s]+(,[a-z][a-z0-9+.-]*://[^,\\s]+)*$' },
    '',
    'Addresses of internal applications that users may sign in to, exactly as they are asked for, separated by commas',
  ),
  PUBLIC_PROBE: variable(
    { type: 'boolean' },
    false,
    'Whether /ready and /openapi/v1.json answer without a token',
  ),
  CORS_ORIGINS: variable(
    text,
    '',
    'Origins that browsers may call from, separated by commas; `*` for any; empty: none',
  ),
  LOG_LEVEL: variable(
    { enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] },
    'info',
    'Least level that is logged',
  ),
  LOG_FORMAT: variable(
    { enum: ['auto', 'json', 'pretty'] },
    'auto',
    'One JSON line each, or for people; auto: pretty in a terminal',
  ),
  METRICS_LISTEN: variable(
    { type: 'string', pattern: '^$|^([^\\s/@:]+|\\[[0-9A-Fa-f:.]+\\]):\\d{1,5}$' },
    '',
    'Where figures for Prometheus are answered at `/metrics`, without a token, as `127.0.0.1:9464`; port 0 takes a free one; empty: nowhere',
  ),
  BODY_LIMIT_BYTES: variable(
    { type: 'integer', minimum: 1_024, maximum: 67_108_864 },
    2_000_000,
    'Largest JSON body of a request',
  ),
  MAX_IN_FLIGHT: variable(
    count,
    2_048,
    'Requests under way at once; more are answered 503 with `Retry-After`',
  ),
  VISIBLE_WITHIN_MS: variable(
    { type: 'integer', minimum: 0, maximum: 60_000 },
    2_000,
    'Longest time a write waits for the read models before it answers all the same',
  ),
  SHUTDOWN_WITHIN_MS: variable(
    { type: 'integer', minimum: 0, maximum: 600_000 },
    10_000,
    'Time that requests under way get at the end',
  ),
  SCORER_THREADS: variable(
    { type: 'integer', minimum: 0, maximum: 256 },
    0,
    'Threads that score events; 0: one less than there are cores',
  ),
  COMPUTE_WORKERS: variable(
    { type: 'integer', minimum: 0, maximum: 256 },
    0,
    'Processes for heavy analyses, started when needed; 0: one less than there are cores',
  ),
  COMPUTE_WITHIN_MS: variable(
    { type: 'integer', minimum: 100, maximum: 3_600_000 },
    30_000,
    'Longest time of one analysis; then it is answered 422, or 503 if it only waited',
  ),
  COMPUTE_MEMORY_MB: variable(
    { type: 'integer', minimum: 128, maximum: 1_048_576 },
    512,
    'Memory of one such process; an analysis that needs more is answered 422',
  ),
  SCORING_BACKLOG_MAX: variable(
    count,
    1_000_000,
    'Events that may wait for a score; beyond it recording answers 503 with `Retry-After`',
  ),
  RATE_DEFAULT: variable(count, 600, 'Requests a minute for each token'),
  RATE_PUSH: variable(
    count,
    1_200,
    'Requests a minute that record events or push signals, for each workspace',
  ),
  RATE_PUSH_POINTS: variable(
    count,
    1_000_000,
    'Events and points a minute recorded or pushed, for each workspace',
  ),
  RATE_HEAVY: variable(count, 30, 'Heavy analyses a minute for each token'),
  RATE_AUTH: variable(count, 30, 'Refused tokens a minute for each address'),
} as const satisfies Record<string, Variable>;

export type Config = { readonly [K in keyof typeof variables]: FromSchema<(typeof variables)[K]['schema']> };

/** A setting that cannot be: which, what it is, and what may be. */
export class BadConfiguration extends Error {}

/**
 * Reads all settings from the environment; throws `BadConfiguration` that names every variable with a wrong
 * value.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(variables).map(([name, { default: fallback }]) => [name, env[name] ?? fallback]),
  );
  const ajv = new Ajv2020({ allErrors: true, coerceTypes: true });
  const properties = Object.fromEntries(
    Object.entries(variables).map(([name, { schema }]) => [name, schema]),
  );
  const original = { ...given };
  if (ajv.validate({ type: 'object', properties }, given))
    return distinctCells(realAddresses(given as Config));
  const wrong = (ajv.errors ?? []).map(({ instancePath }) => instancePath.slice(1).split('/')[0]!);
  throw new BadConfiguration(
    [...new Set(wrong)]
      .map(
        name =>
          `${name}=${shown(name, original[name])} is not possible: ${allowed(variables[name as keyof Config].schema)}`,
      )
      .join('\n'),
  );
}

/** The other cells, by name. */
export const cellsOf = ({
  CELLS,
}: Pick<Config, 'CELLS'>): { readonly name: string; readonly url: string }[] =>
  CELLS.split(',')
    .filter(text => text !== '')
    .map(text => ({ name: text.slice(0, text.indexOf('=')), url: text.slice(text.indexOf('=') + 1) }));

/** Addresses of internal applications. */
export const opsAddresses = ({ OPS_REDIRECT_URIS }: Pick<Config, 'OPS_REDIRECT_URIS'>): string[] =>
  OPS_REDIRECT_URIS.split(',').filter(address => address !== '');

function realAddresses(config: Config): Config {
  const wrong = opsAddresses(config).find(address => !URL.canParse(address));
  if (wrong !== undefined)
    throw new BadConfiguration(
      `OPS_REDIRECT_URIS=${JSON.stringify(config.OPS_REDIRECT_URIS)} is not possible: ${wrong} is no address`,
    );
  return config;
}

function distinctCells(config: Config): Config {
  const codes = new Map<string, string>();
  for (const name of [config.CELL, ...cellsOf(config).map(cell => cell.name)]) {
    const other = codes.get(cellCode(name));
    if (other !== undefined)
      throw new BadConfiguration(
        `CELLS=${JSON.stringify(config.CELLS)} is not possible: ${other} and ${name} have the same code`,
      );
    codes.set(cellCode(name), name);
  }
  return config;
}

/** Addresses may hold a password. */
const shown = (name: string, value: unknown): string =>
  'secret' in variables[name as keyof Config]
    ? '***'
    : JSON.stringify(value).replace(/\/\/[^@/]*@/, '//***@');

function allowed(schema: Schema): string {
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`;
  if (schema['type'] === 'boolean') return 'true or false';
  if (schema['type'] === 'integer')
    return `a whole number from ${String(schema['minimum'])} to ${String(schema['maximum'])}`;
  return schema['pattern'] ? `a text that matches ${String(schema['pattern'])}` : 'a text that is not empty';
}
