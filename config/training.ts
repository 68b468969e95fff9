import { variable, type Variable } from './variable.js';

/** How much of the machine trainings take. */
export const training = {
  TRAINING_PROCESSES: variable(
    { type: 'integer', minimum: 0, maximum: 256 },
    0,
    'Trainings at once, each in a process of its own, in a process with the role `training`; 0: a quarter of '
      + 'the cores, at least 1',
  ),
  TRAINING_MEMORY_MB: variable(
    { type: 'integer', minimum: 256, maximum: 1_048_576 },
    2_048,
    'Memory of one training; one that needs more fails with `too_much_memory`',
  ),
  TRAINING_WITHIN_S: variable(
    { type: 'integer', minimum: 1, maximum: 604_800 },
    14_400,
    'Longest time of one training; one that needs more fails with `took_too_long`',
  ),
} as const satisfies Record<string, Variable>;
