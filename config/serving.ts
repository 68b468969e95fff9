import { variable, type Variable } from './variable.js';

/** Models in service: whether, and with how much of the machine. */
export const serving = {
  SERVING: variable(
    { type: 'boolean' },
    true,
    'Whether models are served here; false: deploying one is answered 503 `SERVING_UNAVAILABLE`',
  ),
  SERVING_THREADS: variable(
    { type: 'integer', minimum: 0, maximum: 256 },
    0,
    'Threads that forecast, in a process with the role `serving`; 0: one less than there are cores',
  ),
  SERVING_LISTEN: variable(
    { type: 'string', pattern: '^$|^([^\\s/@:]+|\\[[0-9A-Fa-f:.]+\\]):\\d{1,5}$' },
    '',
    'Where a process with the role `serving` is asked by the others on the same servers, as `10.0.0.5:8090`; '
      + 'port 0 takes a free one; empty: it serves itself alone',
  ),
  SERVING_URL: variable(
    { type: 'string', pattern: '^$|^https?://[^\\s/]+$' },
    '',
    'The address that the others reach it at, as `http://serving-1:8090`; empty: the one it listens on',
  ),
} as const satisfies Record<string, Variable>;
