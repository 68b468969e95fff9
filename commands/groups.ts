import type { Handle, Load } from './engine/handle.js';
import { groupInvitations } from './groups/invitations.js';
import { groupJournal } from './groups/journal.js';
import { groupLifecycle } from './groups/lifecycle.js';
import { groupMembers } from './groups/members.js';

type Deps = { readonly handle: Handle; readonly load: Load; readonly cell: string };
export type GroupCommands = ReturnType<typeof groupCommands>;

/** All that is written of workspaces and organizations. */
export function groupCommands({ handle, load, cell }: Deps) {
  const journal = groupJournal(handle, load);
  return {
    stateOf: journal.stateOf,
    ...groupLifecycle(journal, cell),
    ...groupMembers(journal),
    ...groupInvitations(journal),
  };
}
