import { deliveryIdIn, webhookDeliveries, type Taken } from '../../domain/ingestion/deliveries.js';
import { unwritten, type Context, type Handle } from '../engine/handle.js';
import { newId } from '../engine/ids.js';
import type { Log } from '../ports/log.js';

/** What came of a delivery, without what its moment gives it. */
export type Outcome = Omit<Taken, 'deliveryId' | 'at' | 'request'>;

/** Deliveries that are noted within so long are noted together, so many of them or letters of errors. */
const TOGETHER_MS = 50;
/** Times further apart are of no moment, also where a machine was asleep or its clock was set. */
const LONGEST_MS = 1_000;
const MOST_TOGETHER = 200;
const MOST_LETTERS = 200_000;

/** Deliveries of one source, asked for by one, that wait to be noted. */
type Moment = {
  readonly momentId: string;
  readonly key: string;
  readonly workspace: string;
  readonly sourceId: string;
  readonly actor: string;
  readonly deliveries: Taken[];
  letters: number;
  timer: NodeJS.Timeout;
};
type Deps = { readonly handle: Handle; readonly log: Log };
export type Moments = ReturnType<typeof momentsOf>;

/**
 * Notes what came of deliveries, off the way of their answers: what they brought is stored by then, this is
 * what is told of them. Those of a source that come within a moment are one fact.
 */
export function momentsOf({ handle, log }: Deps) {
  const open = new Map<string, Moment>();
  const writing = new Set<Promise<void>>();
  let position: number | null = null;

  const write = async ({ momentId, workspace, sourceId, actor, deliveries }: Moment): Promise<void> => {
    const { at, request } = deliveries.at(-1)!;
    const context: Context = {
      ...{ workspace, actor, at, causation: null },
      ...{ correlation: momentId, request: deliveries.length === 1 ? request : null },
    };
    const data = { workspace, sourceId, momentId, deliveries };
    const fact = { type: 'WebhookDeliveriesTaken', data } as const;
    const command = { type: 'NoteDeliveries', data: { fact } } as const;
    const noted = await handle(webhookDeliveries, command, context, unwritten(webhookDeliveries));
    position = Math.max(position ?? 0, noted.position ?? 0);
  };
  const close = (moment: Moment): void => {
    clearTimeout(moment.timer);
    if (open.get(moment.key) !== moment) return;
    open.delete(moment.key);
    const written = write(moment)
      .catch((err: unknown) =>
        log.warn({ err, deliveries: moment.deliveries.length }, 'deliveries were not noted'),
      )
      .finally(() => writing.delete(written));
    writing.add(written);
  };
  const momentFor = (workspace: string, sourceId: string, { actor, at }: Context): Moment => {
    const key = `${sourceId} ${actor}`;
    const before = open.get(key);
    if (before && Math.abs(at - before.deliveries[0]!.at) <= LONGEST_MS) return before;
    if (before) close(before);
    const moment: Moment = {
      ...{ momentId: newId('whd_'), key, workspace, sourceId, actor, deliveries: [], letters: 0 },
      timer: setTimeout(() => close(moment), TOGETHER_MS),
    };
    open.set(key, moment);
    return moment;
  };
  const settled = async (): Promise<number | null> => {
    for (const moment of [...open.values()]) close(moment);
    await Promise.all(writing);
    return position;
  };

  return {
    /** Notes a delivery, soon; answers its id. */
    note(workspace: string, sourceId: string, outcome: Outcome, context: Context): string {
      const moment = momentFor(workspace, sourceId, context);
      const deliveryId = deliveryIdIn(moment.momentId, moment.deliveries.length);
      // Written out, for this is done for each delivery: spreading objects would take most of its time
      const taken: Taken = {
        deliveryId,
        at: context.at,
        request: context.request,
        kind: outcome.kind,
        status: outcome.status,
        code: outcome.code,
        accepted: outcome.accepted,
        duplicates: outcome.duplicates,
        rejected: outcome.rejected,
        ignored: outcome.ignored,
        bytes: outcome.bytes,
        signatureHeader: outcome.signatureHeader,
        repeats: outcome.repeats,
        errors: outcome.errors,
        replayOf: outcome.replayOf,
        body: outcome.body,
      };
      const { arrivedAt } = outcome;
      moment.deliveries.push(arrivedAt === undefined ? taken : { ...taken, arrivedAt });
      if (outcome.errors.length > 0) moment.letters += JSON.stringify(outcome.errors).length;
      if (moment.deliveries.length >= MOST_TOGETHER || moment.letters >= MOST_LETTERS) close(moment);
      return deliveryId;
    },
    /** Notes at once what waits in this process; answers the position of the last of them; null: none yet. */
    settled,
    /** The same, at the end. */
    async close(): Promise<void> {
      await settled();
    },
  };
}
