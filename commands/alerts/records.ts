import { hash } from 'node:crypto';
import { alertJournalId, alerts } from '../../domain/alerts/decider.js';
import type { AlertCommand, Check, Verdict } from '../../domain/alerts/commands.js';
import type { AlertSettings } from '../../domain/alerts/kinds.js';
import type { Context, Handle, Load } from '../engine/handle.js';
import { newId } from '../engine/ids.js';

export type OfAlert = { readonly workspace: string; readonly alertId: string };
/** An instance, and who says something of it. */
export type OfInstance = OfAlert & { readonly instanceId: string; readonly by: string };
export type AlertCommands = ReturnType<typeof alertCommands>;

const PREFIX = 'ain_';
/** Of the part of an id that follows from what it is of. */
const ID_LENGTH = 16;

/** A check by its name: what it begins has an id that follows from it. */
export const checkOf = ({ workspace, alertId }: OfAlert, key: string, verdict: Verdict): Check => ({
  ...{ key, verdict },
  instanceId: PREFIX + hash('sha256', `${workspace}/${alertId}/${key}`).slice(0, ID_LENGTH),
});

/** What is written of alerts. */
export function alertCommands({ handle, load }: { readonly handle: Handle; readonly load: Load }) {
  const give = (command: AlertCommand, context: Context) =>
    handle(alerts, command, { ...context, workspace: command.data.workspace });
  return {
    /** As its facts tell it now. */
    state: ({ workspace, alertId }: OfAlert) => load(alerts, alertJournalId(workspace, alertId)),
    async create(
      workspace: string,
      said: { readonly goalId: string | null; readonly settings: AlertSettings; readonly by: string },
      context: Context,
    ) {
      const alertId = newId('alr_');
      const data = { workspace, alertId, ...said };
      return { alertId, outcome: await give({ type: 'CreateAlert', data }, context) };
    },
    /** `seen`: the version it is meant for; null: whichever. @throws Rejected 404, 409 */
    change: (of: OfAlert, settings: AlertSettings, seen: number | null, context: Context) =>
      give({ type: 'ChangeAlert', data: { ...of, settings, seen } }, context),
    /** @throws Rejected 404, 409 */
    remove: (of: OfAlert, seen: number | null, context: Context) =>
      give({ type: 'DeleteAlert', data: { ...of, seen } }, context),
    /** @throws Rejected 404 */
    test: (of: OfAlert, context: Context) => give({ type: 'TestAlert', data: of }, context),
    /** @throws Rejected 404, 409 */
    acknowledge: (of: OfInstance, context: Context) => give({ type: 'AcknowledgeAlert', data: of }, context),
    /** `until`: epoch ms. @throws Rejected 404, 409 */
    snooze: (of: OfInstance, until: number, context: Context) =>
      give({ type: 'SnoozeAlert', data: { ...of, until } }, context),
    /** @throws Rejected 404, 409 */
    resolve: (of: OfInstance, context: Context) => give({ type: 'ResolveAlert', data: of }, context),

    // What follows from facts and from time. Where it does not fit any more nothing is written.
    /** `position`: of the fact that they look at; null: they are made by time. */
    check: (of: OfAlert, checks: readonly Check[], position: number | null, context: Context) =>
      give({ type: 'CheckAlert', data: { ...of, checks, position, at: context.at } }, context),
    rest: (of: OfAlert, context: Context) =>
      give({ type: 'RestAlert', data: { ...of, at: context.at } }, context),
  };
}
