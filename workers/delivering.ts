import type { ChannelCommands } from '../commands/channels.js';
import type { Sending } from '../commands/channels/sending.js';
import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { notificationsOf } from '../domain/notifications/channels/deliveries.js';
import { channelStep } from '../domain/notifications/channels/keeping.js';
import type { DeliveryCommand } from '../domain/notifications/channels/delivery-facts.js';
import type { Content, Telling } from '../domain/notifications/channels/messages.js';
import { DELIVERABLE } from '../domain/notifications/channels/state.js';
import { SECOND } from '../domain/time.js';
import { doingOf, type ChannelDoc, type WaitingDoc } from '../projections/channels/documents.js';
import type { ChannelQueries } from '../projections/channels/queries.js';
import type { Stored } from '../projections/engine/read-models.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';
import { Lanes } from './lanes.js';

/**
 * What notifications say, oldest first, once the read models hold the fact at a position; those are left out
 * that may not be told any more.
 */
export type Tellings = (uid: string, ids: readonly string[], position: number) => Promise<readonly Telling[]>;

type Deps = {
  readonly queries: ChannelQueries;
  readonly commands: Pick<ChannelCommands, 'standing' | 'delivery' | 'deliver' | 'keep'>;
  readonly sending: Pick<Sending, 'deliver'>;
  readonly tellings: Tellings;
  readonly clock: () => number;
  readonly newId: () => string;
  /** Resolves when the read models of channels hold what was written at a position. */
  readonly visible: (position: number | null) => Promise<void>;
  readonly log: Log;
};
type Waiting = Stored<WaitingDoc>;

const EVERY_MS = 250;
const LOOKED_AT = 200;
const LONGEST_PAUSE_MS = 30 * SECOND;
/** What is under way at the end gets so long to come to its own. */
const GRACE_MS = 2 * SECOND;

/**
 * Sends what is due, of each channel the oldest first, channels in turn; however slow one target is, others
 * have lanes of their own. It remembers nothing: what waits, and how often it was tried, is in the log, so
 * that after a crash what was under way is sent again under the same id.
 */
export function delivering(deps: Deps): Running {
  const { queries, clock, log } = deps;
  const lanes = new Lanes();
  const resting = new Map<string, { readonly failures: number; readonly until: number }>();
  const underWay = new Set<Promise<void>>();
  const ending = new AbortController();
  let stopping = false;

  const begin = (doc: Waiting, channel: ChannelDoc | null): void => {
    const place = lanes.enter({ ...doc, lane: channel?.lane ?? '' });
    if (!place) return;
    const work = attempt(deps, doc, ending.signal)
      .then(isDone => (isDone ? resting.delete(doc._id) : rest(doc._id)))
      .catch((err: unknown) => {
        rest(doc._id);
        log.error({ err, delivery: doc._id }, 'a delivery could not be worked on; tried again');
      })
      .then(async () => {
        place.leave();
        if (!lanes.isCrowded()) await beginOver(doc.channel_id);
      })
      .catch((err: unknown) => log.error({ err }, FAILED))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };
  const rest = (id: string): void => {
    const failures = (resting.get(id)?.failures ?? 0) + 1;
    const pauseMs = Math.min(EVERY_MS * 2 ** failures, LONGEST_PAUSE_MS);
    resting.set(id, { failures, until: performance.now() + pauseMs });
  };
  const forgetRested = (): void => {
    for (const [id, { until }] of resting)
      if (until + LONGEST_PAUSE_MS < performance.now()) resting.delete(id);
  };
  const rests = (id: string): boolean => (resting.get(id)?.until ?? 0) > performance.now();

  /** Begins as many of those due over a channel as there is room for. */
  const beginOver = async (channelId: string): Promise<void> => {
    if (stopping || lanes.room(channelId) === 0) return;
    const channel = await queries.anybodys(channelId);
    const known = lanes.under(channelId) + lanes.room(channelId) + resting.size;
    const due = await queries.dueOver(channelId, clock(), known);
    for (const doc of due) {
      if (stopping || lanes.room(channelId) === 0) return;
      if (!rests(doc._id)) begin(doc, channel);
    }
  };

  const lookAfter = async (doc: ChannelDoc): Promise<void> => {
    const command = channelStep(doingOf(doc), clock());
    if (!command || stopping) return;
    const { position } = await deps.commands.keep(command, contextOf(deps));
    await deps.visible(position);
    log.info({ step: command.type, ...command.data }, 'a channel changed');
  };
  const failedAt = (doc: ChannelDoc) => (err: unknown) =>
    log.error({ err, channel: doc._id }, 'a channel could not be looked after; tried again');

  const round = async (goesOn: () => boolean): Promise<void> => {
    forgetRested();
    for (const doc of await queries.toLookAt(clock(), LOOKED_AT)) await lookAfter(doc).catch(failedAt(doc));
    let channelId = '';
    while (goesOn()) {
      const first = await queries.dueBehind(channelId, clock());
      if (!first) return;
      channelId = first.channel_id;
      await beginOver(channelId);
    }
  };
  const looking = rounds(EVERY_MS, log, FAILED, round);
  return {
    async stop() {
      stopping = true;
      await looking.stop();
      const grace = setTimeout(() => ending.abort(), GRACE_MS);
      await Promise.all(underWay);
      clearTimeout(grace);
    },
  };
}

const FAILED = 'what is to be delivered could not be looked for; tried again';

/**
 * Sends one delivery once and takes note of what came of it, or of why it is not sent. False: nothing could
 * be done with it just now.
 */
async function attempt(deps: Deps, doc: Waiting, signal: AbortSignal): Promise<boolean> {
  const { commands, sending, tellings, clock, visible } = deps;
  const { uid, channel_id: channelId, _id: deliveryId, attempts } = doc;
  const id = { uid, channelId, deliveryId };
  const settle = async (command: DeliveryCommand): Promise<boolean> => {
    const { position } = await commands.deliver(command, contextOf(deps));
    await visible(position);
    return true;
  };
  const [delivery, standing] = await Promise.all([
    commands.delivery(uid, deliveryId),
    commands.standing(uid, channelId),
  ]);
  // The documents are behind the log: what was done is not done again
  if (delivery.status !== 'waiting' || delivery.attempts !== attempts) return false;
  if (!standing) return settle({ type: 'WithdrawDelivery', data: id });
  if (!DELIVERABLE.includes(standing.status)) {
    const reason = standing.status === 'disabled' ? 'channel_disabled' : 'channel_not_verified';
    return settle({ type: 'ParkDelivery', data: { ...id, reason } });
  }
  const told = await tellings(uid, notificationsOf(delivery), doc._at);
  if (told.length === 0) return settle({ type: 'WithdrawDelivery', data: id });
  const content: Content = { digest: delivery.digest, tellings: told };
  const outcome = await sending.deliver(standing.target, deliveryId, content, signal);
  // Cut short, it is sent again after the start
  if (signal.aborted && !outcome.ok) return false;
  const recorded = { ...id, attempt: attempts + 1, outcome, now: clock() };
  return settle({ type: 'RecordAttempt', data: recorded });
}

const contextOf = ({ newId, clock }: Deps): Context => ({
  ...{ workspace: null, actor: 'scheduler:delivering', request: null, correlation: newId(), causation: null },
  at: clock(),
});
