import { count, variable, type Variable } from './variable.js';

const refused = 'one more is answered 403 `plan_limit_reached`';

/** How many things a workspace may have, whatever its plan. */
export const kept = {
  ALERTS_PER_WORKSPACE: variable(count, 20_000, `Alerts that a workspace may have; ${refused}`),
  ALERTS_PER_GOAL: variable(count, 100, `Alerts that one goal may have; ${refused}`),
  SOURCES_PER_WORKSPACE: variable(
    count,
    2_000,
    `Sources of events and points that a workspace may have; ${refused}`,
  ),
  JOBS_PER_WORKSPACE: variable(
    count,
    4_000,
    `Jobs that ask sources, of a workspace, the first of each source among them; ${refused}`,
  ),
  JOBS_PER_SOURCE: variable(count, 100, `Jobs that ask one source; ${refused}`),
  PUBLIC_MODELS_PER_WORKSPACE: variable(
    count,
    1_000,
    `Models of a workspace that all may see; ${refused}, a private one is made`,
  ),
} as const satisfies Record<string, Variable>;
