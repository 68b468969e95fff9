import type { Decider } from '../decider.js';
import { CANDIDATE_Q } from '../maths/effects/verdict.js';
import type { CheckEdge, EdgeCommand } from './commands.js';
import type { EdgeFact, EdgeOf, Measured } from './facts.js';
import { edgeNotFound, invalidState } from './refusals.js';
import { evolve, initialState, type EdgeState, type KnownEdge } from './state.js';

type Facts = readonly EdgeFact[];

/** So many failed checks one after the other end a candidate, and a weakening edge. */
const FAILURES = { candidate: 2, weakening: 3 } as const;
/** A lift below this share of the validated one is weak. */
const WEAK = 0.5;

function decide(command: EdgeCommand, state: EdgeState): Facts {
  if (command.type === 'CheckEdge') return checked(command, state);
  const { edgeId } = command.data;
  if (state.status === 'none') {
    if (command.type === 'OutdateEdge') return [];
    throw edgeNotFound(edgeId);
  }
  const { status } = state;
  const of = edgeOf(state);
  switch (command.type) {
    case 'PinEdge':
      return status === 'pinned' ? [] : [{ type: 'EdgePinned', data: of }];
    case 'BlockEdge':
      return status === 'blocked' ? [] : [{ type: 'EdgeBlocked', data: of }];
    case 'UnblockEdge':
      if (status !== 'blocked') throw invalidState(status, 'be unblocked');
      return [{ type: 'EdgeUnblocked', data: of }];
    case 'OutdateEdge':
      return state.lastCheckId === command.data.checkId ? outdated(state) : [];
  }
}

/** The table of open-parts 15: what becomes of an edge by what was measured now. */
function checked({ data }: CheckEdge, state: EdgeState): Facts {
  const { qValue } = data.measured;
  const isFound = data.isValid || (qValue !== null && qValue < CANDIDATE_Q);
  const isNew = state.status === 'none' || state.status === 'rejected' || state.status === 'retired';
  if (state.status !== 'none' && state.lastCheckId === data.checkId) return [];
  if (state.status === 'blocked') return [];
  if (isNew) {
    if (isFound) return [{ type: 'EdgeFound', data: edgeOf(data) }, ...asCandidate(data, 0)];
    return state.status === 'none' ? [] : [note(data, false)];
  }
  if (state.status === 'candidate') return asCandidate(data, state.failed);
  return asActing(data, state);
}

const figuresOf = ({ lift, halfLifeS }: Measured) => ({ lift, halfLifeS });
const note = ({ workspace: _, isValid: __, ...told }: CheckEdge['data'], passed: boolean): EdgeFact => ({
  type: 'EdgeChecked',
  data: { ...told, passed },
});

/** `failed`: checks before this one. */
function asCandidate(data: CheckEdge['data'], failed: number): Facts {
  const of = edgeOf(data);
  const check = note(data, data.isValid);
  if (data.isValid) return [check, { type: 'EdgeValidated', data: { ...of, ...figuresOf(data.measured) } }];
  if (failed + 1 < FAILURES.candidate) return [check];
  return [check, { type: 'EdgeRejected', data: { ...of, reasons: data.reasons } }];
}

function asActing(data: CheckEdge['data'], state: KnownEdge): Facts {
  const reason = weaknessOf(data, state);
  const check = note(data, reason === null);
  const told = { ...edgeOf(data), ...figuresOf(data.measured) };
  switch (state.status) {
    case 'validated':
      return reason === null ? [check] : [check, { type: 'EdgeWeakened', data: { ...told, reason } }];
    case 'weakening':
      if (reason === null) return [check, { type: 'EdgeValidated', data: told }];
      if (state.failed + 1 < FAILURES.weakening) return [check];
      return [check, { type: 'EdgeRetired', data: { ...told, reason } }];
    default:
      // What a person pinned stays so
      return [check];
  }
}

/** Why a check of an edge that acts failed; null: it did not. */
function weaknessOf(
  { measured: { lift, qValue }, alpha: asked, reasons }: CheckEdge['data'],
  { validatedLift, alpha: own }: KnownEdge,
): string | null {
  // It is held to what it was validated with, also by a search that asks for more
  const alpha = Math.max(asked, own ?? 0);
  if (qValue === null) return reasons[0]?.text ?? 'It could not be tested';
  if (qValue > alpha) return `Chance alone may do as much: q ${figure(qValue)} is above ${alpha}`;
  const least = WEAK * (validatedLift ?? 0);
  if (lift === null) return reasons[0]?.text ?? 'Its lift could not be measured';
  if (lift < least) return `Its lift is ${figure(lift)}; it was validated with ${figure(validatedLift!)}`;
  return null;
}
const figure = (x: number): string => String(Number(x.toPrecision(3)));

/** Nothing that was measured holds; what a person said of the source does. */
function outdated(state: KnownEdge): Facts {
  const of = edgeOf(state);
  if (state.measured === null) return [];
  const fact: EdgeFact = { type: 'EdgeOutdated', data: of };
  const isOver = state.status === 'rejected' || state.status === 'retired';
  if (isOver || state.status === 'pinned' || state.status === 'blocked') return [fact];
  const reason = 'The goal is of another series now';
  // What never acted is not retired: nothing goes without it
  if (state.status === 'candidate') {
    const reasons = [{ code: 'other_series' as const, text: reason }];
    return [fact, { type: 'EdgeRejected', data: { ...of, reasons } }];
  }
  return [fact, { type: 'EdgeRetired', data: { ...of, lift: null, halfLifeS: null, reason } }];
}

const edgeOf = ({ edgeId, goalId, kind, sourceKey }: EdgeOf): EdgeOf => ({
  ...{ edgeId, goalId, kind, sourceKey },
});

/** Of the journal, within its category. */
export const edgeJournalId = (workspace: string, edgeId: string): string => `${workspace}.${edgeId}`;

/** What moves a goal's target, from where it was found to where it no longer does. */
export const edges: Decider<EdgeCommand, EdgeFact, EdgeState> = {
  category: 'edge',
  idOf: ({ data }) => edgeJournalId(data.workspace, data.edgeId),
  initialState,
  decide,
  evolve,
};
