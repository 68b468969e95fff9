import { Rejected } from '../rejected.js';
import type { ScenarioStatus } from './state.js';

export const scenarioNotFound = (scenarioId: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no scenario ${scenarioId}`, { scenario_id: scenarioId });

/** `what`: the rest of a sentence, `be run again`. */
export const invalidState = (status: ScenarioStatus, what: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `A scenario that is ${status} cannot ${what}`, { status });

/** What an assumption names that the base did not know; `place`: in the list. */
export const notKnown = (place: number, field: string, message: string): Rejected => {
  const loc = ['body', 'assumptions', place, field];
  return new Rejected('unprocessable', 'validation_error', `assumptions.${place}.${field}: ${message}`, {
    detail: [{ loc, msg: message, type: 'not_known' }],
  });
};
