import { secret, text, variable, type Variable } from './variable.js';

/** Where a platform is on its machine, and where it keeps what happened. */
export const storage = {
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
    'Opens sealed personal data: 32 bytes in base64; more, separated by commas: older ones. '
      + 'Empty: `DATA_DIR/secret.key`, made on first use',
  ),
} as const satisfies Record<string, Variable>;
