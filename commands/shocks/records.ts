import { hash } from 'node:crypto';
import type { NoteGraded, NoteQualifying, RemoveCause, ShockCommand } from '../../domain/shocks/commands.js';
import { shockJournalId, shocks } from '../../domain/shocks/decider.js';
import { eventEffects, type EventTookEffect } from '../../domain/shocks/effects.js';
import { causeKey } from '../../domain/shocks/state.js';
import type { Context, Handle, Load } from '../engine/handle.js';

export type OfGoal = { readonly workspace: string; readonly goalId: string };
type Said<C extends { readonly data: OfGoal }> = Omit<C['data'], keyof OfGoal | 'now'>;
export type ShockCommands = ReturnType<typeof shockCommands>;

/** Of the episode that an event would begin: what is begun again after a kill begins nothing twice. */
export const episodeIdOf = (goalId: string, cause: Parameters<typeof causeKey>[0]): string =>
  `shk_${hash('sha256', `${goalId}/${causeKey(cause)}`).slice(0, 16)}`;

/** What is written of goals' shocks. */
export function shockCommands({ handle, load }: { readonly handle: Handle; readonly load: Load }) {
  const give = (command: ShockCommand, context: Context) =>
    handle(shocks, command, { ...context, workspace: command.data.workspace });
  return {
    /** As its facts tell it now. */
    state: ({ workspace, goalId }: OfGoal) => load(shocks, shockJournalId(workspace, goalId)),
    /** What an event did to a goal, once. */
    noteEffect: (workspace: string, effect: EventTookEffect['data'], context: Context) =>
      handle(eventEffects, { type: 'NoteEffect', data: { workspace, effect } }, { ...context, workspace }),
    /** @throws Rejected 409 where the goal is not in a shock */
    exit: (of: OfGoal, reason: string, context: Context) =>
      give({ type: 'ExitShock', data: { ...of, reason, now: context.at } }, context),

    // What follows from facts and from time. Where it does not fit any more nothing is written.
    qualify: (of: OfGoal, said: Said<NoteQualifying>, context: Context) =>
      give({ type: 'NoteQualifying', data: { ...of, ...said, now: context.at } }, context),
    pass: (of: OfGoal, context: Context) =>
      give({ type: 'NoteTime', data: { ...of, now: context.at } }, context),
    removeCause: (of: OfGoal, said: Said<RemoveCause>, context: Context) =>
      give({ type: 'RemoveCause', data: { ...of, ...said, now: context.at } }, context),
    stop: (of: OfGoal, why: 'goal_stopped' | 'disabled', context: Context) =>
      give({ type: 'StopShock', data: { ...of, why, now: context.at } }, context),
    grade: (of: OfGoal, said: Said<NoteGraded>, context: Context) =>
      give({ type: 'NoteGraded', data: { ...of, ...said, now: context.at } }, context),
  };
}
