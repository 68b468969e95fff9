import { monthsOfLength } from '../maths/series/grid.js';
import { SECOND } from '../time.js';
import type { GoalSettings } from './settings.js';

/** How long the steps of a goal are. */
export type GoalStep = Pick<GoalSettings, 'stepS' | 'stepMonths'>;
/** What says which steps a goal stands on. */
export type GoalSteps = GoalStep & Pick<GoalSettings, 'timezone'>;

/** As it is kept: one of before there were months has none. */
export const stepKept = ({ stepS, stepMonths }: GoalStep): GoalStep =>
  stepMonths ? { stepS, stepMonths } : { stepS };

export const goalSteps = (of: GoalSteps): GoalSteps => ({ ...stepKept(of), timezone: of.timezone });

/** The step that seconds ask for: calendar months where they are as long as those are on average. */
export const stepAsked = (stepS: number): GoalStep =>
  stepKept({ stepS, stepMonths: monthsOfLength(stepS * SECOND) });

export const isSameStep = (a: GoalStep, b: GoalStep): boolean =>
  a.stepS === b.stepS && a.stepMonths === b.stepMonths;
