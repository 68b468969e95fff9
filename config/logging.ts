import { variable, type Variable } from './variable.js';

/** What a platform says of itself, and where. */
export const logging = {
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
    'Where figures for Prometheus are answered at `/metrics`, without a token, as `127.0.0.1:9464`; '
      + 'port 0 takes a free one; empty: nowhere',
  ),
} as const satisfies Record<string, Variable>;
