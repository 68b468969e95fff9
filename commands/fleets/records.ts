import { hash } from 'node:crypto';
import type {
  FleetCommand,
  NoteFleetGoals,
  PlanFleet,
  SettleFleet,
  SyncFleet,
} from '../../domain/fleets/commands.js';
import { fleetJournalId, fleets } from '../../domain/fleets/decider.js';
import type { FleetSettings } from '../../domain/fleets/settings.js';
import type { Context, Handle, Load } from '../engine/handle.js';
import { newId } from '../engine/ids.js';

export type OfFleet = { readonly workspace: string; readonly fleetId: string };
type Said<C extends { readonly data: OfFleet }> = Omit<C['data'], keyof OfFleet>;
export type FleetCommands = ReturnType<typeof fleetCommands>;

/** The id of the goal of an entity: whoever makes it again after a kill makes the same one. */
export const goalIdOf = ({ workspace, fleetId }: OfFleet, entity: string): string =>
  `goa_${hash('sha256', `${workspace}/${fleetId}/${entity}`).slice(0, 16)}`;

/** What is written of fleets. */
export function fleetCommands({ handle, load }: { readonly handle: Handle; readonly load: Load }) {
  const give = (command: FleetCommand, context: Context) =>
    handle(fleets, command, { ...context, workspace: command.data.workspace });
  return {
    /** As its facts tell it now. */
    state: ({ workspace, fleetId }: OfFleet) => load(fleets, fleetJournalId(workspace, fleetId)),
    async create(
      workspace: string,
      settings: FleetSettings,
      owner: string,
      context: Context,
      fleetId = newId('flt_'),
    ) {
      const data = { workspace, fleetId, settings, owner };
      return { fleetId, outcome: await give({ type: 'CreateFleet', data }, context) };
    },
    /** `seen`: the version it is meant for; null: whichever. @throws Rejected 404, 409 */
    change: (of: OfFleet, settings: FleetSettings, seen: number | null, context: Context) =>
      give({ type: 'ChangeFleet', data: { ...of, settings, seen } }, context),
    /** @throws Rejected 404, 409 */
    sync: (of: OfFleet, said: Said<SyncFleet>, context: Context) =>
      give({ type: 'SyncFleet', data: { ...of, ...said } }, context),
    /** @throws Rejected 404, 409 */
    pause: (data: OfFleet, context: Context) => give({ type: 'PauseFleet', data }, context),
    /** @throws Rejected 404, 409 */
    resume: (data: OfFleet, context: Context) => give({ type: 'ResumeFleet', data }, context),
    /** @throws Rejected 404, 409 */
    remove: (of: OfFleet, seen: number | null, context: Context) =>
      give({ type: 'DeleteFleet', data: { ...of, seen } }, context),

    // What the work on it leads to. Where it does not fit any more nothing is written.
    plan: (of: OfFleet, said: Said<PlanFleet>, context: Context) =>
      give({ type: 'PlanFleet', data: { ...of, ...said } }, context),
    note: (of: OfFleet, said: Said<NoteFleetGoals>, context: Context) =>
      give({ type: 'NoteFleetGoals', data: { ...of, ...said } }, context),
    settle: (of: OfFleet, said: Said<SettleFleet>, context: Context) =>
      give({ type: 'SettleFleet', data: { ...of, ...said } }, context),
  };
}
