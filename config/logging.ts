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
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    { type: 'string', pattern: '^$|^https?://[^\\s]+$' },
    '',
    'Where traces are sent, by OTLP over HTTP, as `http://127.0.0.1:4318`; empty: nowhere',
  ),
  OTEL_SERVICE_NAME: variable(
    { type: 'string', minLength: 1 },
    'presage',
    'What this process is called in traces',
  ),
  OTEL_TRACES_SAMPLER_ARG: variable(
    { type: 'string', pattern: '^(0(\\.[0-9]+)?|1(\\.0+)?)$' },
    '1',
    'The share of traces that is kept, 0 to 1',
  ),
} as const satisfies Record<string, Variable>;
