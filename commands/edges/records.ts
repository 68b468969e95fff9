import { hash } from 'node:crypto';
import type { EdgeCommand } from '../../domain/edges/commands.js';
import { edgeJournalId, edges } from '../../domain/edges/decider.js';
import type { EdgeOf, Measured } from '../../domain/edges/facts.js';
import { edgeNotFound, invalidState } from '../../domain/edges/refusals.js';
import type { EdgeState, KnownEdge } from '../../domain/edges/state.js';
import type { Finding } from '../../domain/maths/effects/answer.js';
import type { Context, Handle, Load } from '../engine/handle.js';

export type OfEdge = { readonly workspace: string; readonly edgeId: string };
type Source = Pick<EdgeOf, 'goalId' | 'kind' | 'sourceKey'>;

/** One for each source of a goal: what is found again goes on with its history. */
export const edgeIdOf = ({ goalId, kind, sourceKey }: Source): string =>
  `edg_${hash('sha256', JSON.stringify([goalId, kind, sourceKey])).slice(0, 16)}`;

/** What a finding says, without whose it is. */
export const measuredOf = (finding: Finding): Measured => ({
  ...{ direction: finding.direction, lift: finding.lift, liftInterval: finding.liftInterval },
  ...{ pValue: finding.pValue, qValue: finding.qValue, placeboP: finding.placeboP },
  ...{ nOccurrences: finding.nOccurrences, optimalLagS: finding.optimalLagS },
  ...{ halfLifeS: finding.halfLifeS, halfLifeInterval: finding.halfLifeInterval },
  ...{ responseCurve: finding.responseCurve, response: finding.response },
  ...{ stability: finding.stability, strength: finding.strength },
  ...{ relationshipType: finding.relationshipType, knownInAdvance: finding.knownInAdvance },
  ...{ confounders: finding.confounders, confoundedBy: finding.confoundedBy },
});

export type EdgeCommands = ReturnType<typeof edgeCommands>;
/** By which discovery, and of which moment (epoch ms). */
export type Check = { readonly checkId: string; readonly asOf: number; readonly alpha: number };

/** What is written of edges. */
export function edgeCommands({ handle, load }: { readonly handle: Handle; readonly load: Load }) {
  const give = (command: EdgeCommand, context: Context) =>
    handle(edges, command, { ...context, workspace: command.data.workspace });
  const state = ({ workspace, edgeId }: OfEdge): Promise<EdgeState> =>
    load(edges, edgeJournalId(workspace, edgeId));
  const read = async (of: OfEdge): Promise<KnownEdge> => {
    const found = await state(of);
    if (found.status === 'none') throw edgeNotFound(of.edgeId);
    return found;
  };
  return {
    /** As its facts tell it now. */
    state,
    /** @throws Rejected 404 */
    read,
    /** What was found of a source; the same check twice is taken in once. */
    check(workspace: string, goalId: string, finding: Finding, check: Check, context: Context) {
      const { kind, sourceKey, reasons, verdict } = finding;
      const of = { edgeId: edgeIdOf({ goalId, kind, sourceKey }), goalId, kind, sourceKey };
      const told = { ...check, reasons, measured: measuredOf(finding) };
      const data = { workspace, ...of, ...told, isValid: verdict === 'validated' };
      return give({ type: 'CheckEdge', data }, context);
    },
    /** @throws Rejected 404 */
    pin: (data: OfEdge, context: Context) => give({ type: 'PinEdge', data }, context),
    /** @throws Rejected 404 */
    block: (data: OfEdge, context: Context) => give({ type: 'BlockEdge', data }, context),
    /** @throws Rejected 404; 409 where it is not blocked */
    unblock: (data: OfEdge, context: Context) => give({ type: 'UnblockEdge', data }, context),
    /** @throws Rejected 404; 409 where it is blocked, and is not looked at */
    async mindRecheck(of: OfEdge): Promise<void> {
      const { status } = await read(of);
      if (status === 'blocked') throw invalidState(status, 'be looked at again: unblock it');
    },
    outdate: (data: OfEdge & { readonly checkId: string }, context: Context) =>
      give({ type: 'OutdateEdge', data }, context),
  };
}
