import { count, variable, type Variable } from './variable.js';

/** How much is taken on at once, how long things may take, and how often they may be asked for. */
export const limits = {
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
  BODIES_WAITING_BYTES: variable(
    { type: 'integer', minimum: 1_048_576, maximum: 17_179_869_184 },
    134_217_728,
    'Memory of bodies that are still being sent, all together; more are answered 503 with `Retry-After`',
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
    'Events that may wait for a score in all; beyond it a further text is answered 503 with `Retry-After`',
  ),
  SCORING_BACKLOG_PER_WORKSPACE: variable(
    count,
    100_000,
    'Events of one workspace that may wait for a score; beyond it a further text of it is answered 429',
  ),
  REVISION_MERGE_MS: variable(
    { type: 'integer', minimum: 0, maximum: 3_600_000 },
    60_000,
    'Changes of history within this time of the first are made into one revision',
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
  RATE_PUSH_BYTES: variable(
    count,
    100_000_000,
    'Bytes a minute of requests that record events or push signals, for each workspace',
  ),
  RATE_WEBHOOK: variable(count, 600, 'Deliveries a minute to each webhook source'),
  RATE_HEAVY: variable(count, 30, 'Heavy analyses a minute for each token'),
  RATE_UPLOAD: variable(count, 60, 'Files an hour that one token may upload'),
  FORECASTS_REMEMBERED_BYTES: variable(
    { type: 'integer', minimum: 0, maximum: 17_179_869_184 },
    67_108_864,
    'Memory of forecasts of the past that need not be made again to set bands right',
  ),
  RATE_INFERENCE: variable(count, 300, 'Forecasts and other inferences a minute for each workspace'),
  INFERENCE_AT_ONCE: variable(
    count,
    20,
    'Inferences that one workspace may have under way at once; beyond it a further one is answered 429',
  ),
  INFERENCE_QUEUED: variable(
    count,
    1_000,
    'Inferences of one workspace that may be queued or worked on later; beyond it one more is answered 429',
  ),
  RATE_AUTH: variable(count, 30, 'Refused tokens a minute for each address'),
} as const satisfies Record<string, Variable>;
