import type { ActingEdge } from '../../domain/goals/ports.js';
import { isOfSignal, type Assumption } from '../../domain/scenarios/assumptions.js';
import type { ScenarioWarning } from '../../domain/scenarios/facts.js';
import { edgesOff, type Known } from '../../domain/scenarios/known.js';
import { stepsIn } from '../../domain/scenarios/path.js';
import type { Unknown } from '../../domain/scenarios/refusals.js';
import type { OfEvents } from './events-known.js';

/** Edges that are off, and did not act. */
export const unknownEdges = (
  assumptions: readonly Assumption[],
  edges: readonly ActingEdge[],
): readonly Unknown[] =>
  assumptions.flatMap((assumption, place) => {
    if (assumption.kind !== 'edge_off') return [];
    const { edgeId } = assumption;
    const msg = `no edge ${edgeId} acted on the goal when the base was made`;
    return edges.some(edge => edge.edgeId === edgeId) ? [] : [{ place, field: 'edge_id', msg }];
  });

/** Values that are neither one nor as many as the steps that they are for. */
export const unfitValues = (
  { allTimes, times }: Known,
  assumptions: readonly Assumption[],
): readonly Unknown[] =>
  assumptions.flatMap((assumption, place) => {
    if (assumption.kind !== 'signal_set' || assumption.values.length === 1) return [];
    const steps = stepsIn(allTimes, assumption, allTimes.length - times.length);
    const { length: got } = assumption.values;
    const msg = `there are ${got}, and the window has ${steps} steps`;
    return got === steps ? [] : [{ place, field: 'values', msg }];
  });

/** Signals that nothing follows from, and why. */
export const signalWarnings = (
  { issued, signals }: Known,
  assumptions: readonly Assumption[],
): ScenarioWarning[] =>
  assumptions.flatMap((assumption, index): ScenarioWarning[] => {
    if (!isOfSignal(assumption) || assumption.key === issued.read.key) return [];
    const { key } = assumption;
    const signal = signals.get(key);
    if (!signal) {
      const message = `No edge leads from ${key} to this goal: nothing follows from it`;
      return [{ index, code: 'no_edge', message }];
    }
    const message = `Too few values of ${key} stand beside the target to tell how it follows`;
    return signal.response ? [] : [{ index, code: 'response_unknown', message }];
  });

/** Edges by which assumptions act. */
export function edgesUsed(
  { signals }: Known,
  { base, changes }: Pick<OfEvents, 'base' | 'changes'>,
  assumptions: readonly Assumption[],
): string[] {
  const touched = changes.flatMap(({ gone, come }) => [
    ...come.map(({ edgeId }) => edgeId),
    ...base.filter(({ eventId, over }) => !over && gone.includes(eventId!)).map(({ edgeId }) => edgeId),
  ]);
  const ofSignals = [...signals.values()].filter(({ response }) => response).map(({ edgeId }) => edgeId);
  return [...new Set([...touched, ...ofSignals, ...edgesOff(assumptions)])].sort();
}
