import { Rejected } from '../rejected.js';
import type { GoalStatus } from './state.js';

/** Points that a target must have before its goal is activated. */
export const LEAST_POINTS = 40;

export const goalNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Goal not found');

/** `what`: the rest of a sentence, `be paused`. */
export const invalidState = (status: GoalStatus, what: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `A goal that is ${status} cannot ${what}`, { status });

export const goalActive = (what: string): Rejected =>
  new Rejected('conflict', 'goal_active', `The goal is in use: pause it before ${what}`);

/** `got`: points that the target has. */
export const tooShort = (target: string, got: number): Rejected =>
  new Rejected(
    'unprocessable',
    'insufficient_history',
    `${target} has ${got} ${got === 1 ? 'point' : 'points'}, and at least ${LEAST_POINTS} are needed`,
    { needed: LEAST_POINTS, got },
  );
