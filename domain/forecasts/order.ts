import {
  SEASONAL_NAIVE,
  type Champion,
  type GoalModel,
  type ServedBy,
  type ServedModel,
} from '../goals/model.js';
import type { GoalOptions } from '../goals/settings.js';

/** Something that may forecast a goal, in its place in the order of falling back. */
export type Candidate = { readonly servedBy: ServedBy; readonly model: GoalModel; readonly name: string };

type Served = {
  readonly champion: Champion | null;
  readonly runnerUp: Champion | null;
  readonly fallback: GoalOptions['fallback'];
};

export const NAIVE: Candidate = {
  servedBy: 'seasonal_naive',
  model: SEASONAL_NAIVE,
  name: 'seasonal naive',
};

/**
 * Who is asked for a goal's forecast, one after the other: champion, runner-up, a generalist as it is,
 * seasonal naive. `fallback` `none` ends with the champion, `last_champion` with the runner-up.
 * `generalist` null: none is served here.
 */
export function orderOf(
  { champion, runnerUp, fallback }: Served,
  generalist: { readonly model: ServedModel; readonly name: string } | null,
): readonly Candidate[] {
  const named = (servedBy: ServedBy, one: Pick<Champion, 'model' | 'name'> | null): readonly Candidate[] =>
    one ? [{ servedBy, model: one.model, name: one.name }] : [];
  return [
    ...named('champion', champion),
    ...(fallback === 'none' ? [] : named('runner_up', runnerUp)),
    ...(fallback === 'seasonal_naive' ? [...named('generalist', generalist), NAIVE] : []),
  ];
}
