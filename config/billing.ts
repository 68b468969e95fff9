import { count, text, variable, type Variable } from './variable.js';

/** What plans there are, and what things cost. */
export const billing = {
  PLANS_FILE: variable(
    text,
    '',
    'JSON file of the plans, as `docs/plans.md` describes it; empty: the plans that it lists',
  ),
  RATES_FILE: variable(
    text,
    '',
    'JSON file of what things cost, as `docs/plans.md` describes it; empty: the rates that it lists',
  ),
  DEFAULT_PLAN: variable(
    { type: 'string', minLength: 1 },
    'free',
    'Plan of an organization until an operator sets another one',
  ),
  ORGANIZATIONS_PER_USER: variable(
    count,
    10,
    'Organizations that one user may own, each of which begins with credits; one more is answered 403',
  ),
} as const satisfies Record<string, Variable>;
