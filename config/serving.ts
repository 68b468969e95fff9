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
} as const satisfies Record<string, Variable>;
