import type { Grade } from '../../domain/inference/grade.js';

/** How good a forecast was. */
export const gradeView = ({ n, coverage80, coverage95, ...numbers }: Grade) => ({
  ...numbers,
  coverage_80: coverage80,
  coverage_95: coverage95,
  graded_steps: n,
});
