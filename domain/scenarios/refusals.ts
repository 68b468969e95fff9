import { Rejected } from '../rejected.js';
import type { ScenarioStatus } from './state.js';

export const scenarioNotFound = (scenarioId: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no scenario ${scenarioId}`, { scenario_id: scenarioId });

/** `what`: the rest of a sentence, `be run again`. */
export const invalidState = (status: ScenarioStatus, what: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `A scenario that is ${status} cannot ${what}`, { status });

/** What an assumption names that the base did not know; `place`: in the list. */
export type Unknown = { readonly place: number; readonly field: string; readonly msg: string };

/** Tells of all of them. @throws Rejected 422 where there are any */
export function mindUnknown(all: readonly Unknown[]): void {
  const inOrder = all.toSorted((a, b) => a.place - b.place);
  const [first, ...others] = inOrder;
  if (!first) return;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const message = `assumptions.${first.place}.${first.field}: ${first.msg}${more}`;
  throw new Rejected('unprocessable', 'validation_error', message, {
    detail: inOrder.map(({ place, field, msg }) => ({
      ...{ loc: ['body', 'assumptions', place, field], msg, type: 'not_known' },
    })),
  });
}
