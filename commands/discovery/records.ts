import { hash } from 'node:crypto';
import type { DiscoveryCommand } from '../../domain/discovery/commands.js';
import { discoveries, discoveryJournalId } from '../../domain/discovery/decider.js';
import type {
  DiscoveryBegan,
  DiscoveryGathered,
  DiscoveryStarted,
  DiscoveryTested,
} from '../../domain/discovery/facts.js';
import { discoveryNotFound } from '../../domain/discovery/refusals.js';
import type { DiscoveryState, KnownDiscovery } from '../../domain/discovery/state.js';
import type { Context, Handle, Load } from '../engine/handle.js';

const derived = (text: string): string => `dis_${hash('sha256', text).slice(0, 16)}`;
/** Ids that follow from what they are of: what is begun again after a kill makes nothing twice. */
export const numberedId = (goalId: string, number: number): string => derived(`${goalId}/${number}`);
export const followingId = (goalId: string, cause: string): string => derived(`${goalId} ${cause}`);
/** A number from 0 to 2^32 - 1. */
export const seedOf = (discoveryId: string): number =>
  Number.parseInt(hash('sha256', discoveryId).slice(0, 8), 16);

export type OfDiscovery = { readonly workspace: string; readonly discoveryId: string };
export type DiscoveryCommands = ReturnType<typeof discoveryCommands>;

/** What is written of discoveries. */
export function discoveryCommands({ handle, load }: { readonly handle: Handle; readonly load: Load }) {
  const give = (command: DiscoveryCommand, context: Context) =>
    handle(discoveries, command, { ...context, workspace: command.data.workspace });
  const state = ({ workspace, discoveryId }: OfDiscovery): Promise<DiscoveryState> =>
    load(discoveries, discoveryJournalId(workspace, discoveryId));
  return {
    /** As its facts tell it now. */
    state,
    /** @throws Rejected 404 */
    async read(of: OfDiscovery): Promise<KnownDiscovery> {
      const found = await state(of);
      if (found.status === 'none') throw discoveryNotFound(of.discoveryId);
      return found;
    },
    start: (workspace: string, data: DiscoveryStarted['data'], context: Context) =>
      give({ type: 'StartDiscovery', data: { workspace, ...data } }, context),
    begin: (workspace: string, data: DiscoveryBegan['data'], context: Context) =>
      give({ type: 'BeginDiscovery', data: { workspace, ...data } }, context),
    gathered: (workspace: string, data: DiscoveryGathered['data'], context: Context) =>
      give({ type: 'NoteGathered', data: { workspace, ...data } }, context),
    tested: (workspace: string, data: DiscoveryTested['data'], context: Context) =>
      give({ type: 'NoteTested', data: { workspace, ...data } }, context),
    complete: (data: OfDiscovery, context: Context) => give({ type: 'CompleteDiscovery', data }, context),
    fail: (of: OfDiscovery, why: { readonly code: string; readonly message: string }, context: Context) =>
      give({ type: 'FailDiscovery', data: { ...of, code: why.code, message: why.message } }, context),
    /** @throws Rejected 404; 409 once it is over */
    cancel: (data: OfDiscovery, context: Context) => give({ type: 'CancelDiscovery', data }, context),
  };
}
