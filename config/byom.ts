import { count, variable, type Variable } from './variable.js';

/** Models that users bring: how much a workspace may keep, and how much looking at one may take. */
export const byom = {
  BYOM_MODELS: variable(count, 100, 'Models of its own that a workspace may keep'),
  BYOM_BYTES: variable(
    { type: 'integer', minimum: 1, maximum: 1_099_511_627_776 },
    5_368_709_120,
    'Bytes of their files together; beyond these a further one is answered 403 `plan_limit_reached`',
  ),
  BYOM_MEMORY_MB: variable(
    { type: 'integer', minimum: 256, maximum: 1_048_576 },
    2_048,
    'Memory of a process that tries a model out, or serves it; one that needs more is rejected',
  ),
  BYOM_WITHIN_S: variable(
    { type: 'integer', minimum: 5, maximum: 3_600 },
    120,
    'Longest time of all checks of a model; one that takes longer is rejected',
  ),
} as const satisfies Record<string, Variable>;
