import type {
  ActivateGoal,
  ChangeChampion,
  CreateGoal,
  GoalCommand,
  NoteCompeted,
  NoteDiscovered,
  NoteHealth,
} from '../../domain/goals/commands.js';
import { goalJournalId, goals } from '../../domain/goals/decider.js';
import type { GoalSettings } from '../../domain/goals/settings.js';
import type { Context, Handle, Load } from '../engine/handle.js';
import { newId } from '../engine/ids.js';

export type OfGoal = { readonly workspace: string; readonly goalId: string };
type Said<C extends { readonly data: OfGoal }> = Omit<C['data'], keyof OfGoal>;
export type GoalCommands = ReturnType<typeof goalCommands>;

/** What is written of goals. */
export function goalCommands({ handle, load }: { readonly handle: Handle; readonly load: Load }) {
  const give = (command: GoalCommand, context: Context) =>
    handle(goals, command, { ...context, workspace: command.data.workspace });
  return {
    /** As its facts tell it now. */
    state: ({ workspace, goalId }: OfGoal) => load(goals, goalJournalId(workspace, goalId)),
    async create(workspace: string, said: Said<CreateGoal>, context: Context, goalId = newId('goa_')) {
      const data = { workspace, goalId, ...said };
      return { goalId, outcome: await give({ type: 'CreateGoal', data }, context) };
    },
    /** `seen`: the version it is meant for; null: whichever. @throws Rejected 404, 409 */
    change: (of: OfGoal, settings: GoalSettings, seen: number | null, context: Context) =>
      give({ type: 'ChangeGoal', data: { ...of, settings, seen } }, context),
    /** @throws Rejected 404, 409 */
    activate: (of: OfGoal, said: Said<ActivateGoal>, context: Context) =>
      give({ type: 'ActivateGoal', data: { ...of, ...said } }, context),
    /** @throws Rejected 404, 409 */
    pause: (data: OfGoal, context: Context) => give({ type: 'PauseGoal', data }, context),
    /** By its fleet, which has it go on later. @throws Rejected 404, 409 */
    restWithFleet: (of: OfGoal, context: Context) =>
      give({ type: 'PauseGoal', data: { ...of, byFleet: true } }, context),
    /** @throws Rejected 404, 409 */
    resume: (data: OfGoal, context: Context) => give({ type: 'ResumeGoal', data }, context),
    /** @throws Rejected 404, 409 */
    archive: (data: OfGoal, context: Context) => give({ type: 'ArchiveGoal', data }, context),
    /** @throws Rejected 404, 409 */
    restore: (data: OfGoal, context: Context) => give({ type: 'RestoreGoal', data }, context),
    /** @throws Rejected 404, 409 */
    remove: (of: OfGoal, seen: number | null, context: Context) =>
      give({ type: 'DeleteGoal', data: { ...of, seen } }, context),

    // What follows from facts and from time. Where it does not fit any more nothing is written.
    discovered: (of: OfGoal, said: Said<NoteDiscovered>, context: Context) =>
      give({ type: 'NoteDiscovered', data: { ...of, ...said } }, context),
    wentActive: (of: OfGoal, said: Said<NoteCompeted>, context: Context) =>
      give({ type: 'NoteCompeted', data: { ...of, ...said } }, context),
    champion: (of: OfGoal, said: Said<ChangeChampion>, context: Context) =>
      give({ type: 'ChangeChampion', data: { ...of, ...said } }, context),
    health: (of: OfGoal, said: Partial<Said<NoteHealth>>, context: Context) =>
      give({ type: 'NoteHealth', data: { ...of, add: [], remove: [], ...said } }, context),
  };
}
