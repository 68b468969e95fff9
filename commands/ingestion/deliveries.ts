import { hash } from 'node:crypto';
import {
  MOST_ERRORS,
  webhookDeliveries,
  type DeliveryFact,
  type DeliveryKind,
  type WebhookDelivered,
} from '../../domain/ingestion/deliveries.js';
import { readersOf, type Readers } from '../../domain/ingestion/event-config.js';
import { eventsIn, itemsIn, rowsIn, type ItemFault } from '../../domain/ingestion/items.js';
import type { Source } from '../../domain/ingestion/sources/state.js';
import type { Rejected } from '../../domain/rejected.js';
import { HOUR, MINUTE } from '../../domain/time.js';
import { unwritten, type Context, type Handle } from '../engine/handle.js';
import { newId } from '../engine/ids.js';
import type { Log } from '../ports/log.js';
import type { Bodies } from './bodies.js';
import { incomingEvents, incomingPoints, type Intake, type Taken } from './intake.js';
import { recently } from './recently.js';

/** A delivery on its way in, whose signature was right. */
export type Delivery = {
  readonly workspace: string;
  readonly sourceId: string;
  readonly kind: DeliveryKind;
  /** The bytes as they came. */
  readonly raw: Buffer;
  /** The header whose signature was right; null: it is not signed. */
  readonly signatureHeader: string | null;
  /** The delivery whose body this is again; null: it comes from outside. */
  readonly replayOf: string | null;
};
/** What became of it: answered once `noted` has ended and read models hold `positions`. */
export type Delivered = {
  readonly deliveryId: string;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly ignored: number;
  readonly errors: readonly ItemFault[];
  readonly positions: Taken['positions'];
  readonly noted: Promise<unknown>;
};
export type DeliveryCommands = ReturnType<typeof deliveryCommands>;

type Deps = {
  readonly handle: Handle;
  readonly intake: Intake;
  readonly bodies: Bodies;
  readonly log: Log;
};

/** Items of one delivery; further ones are ignored. */
const MOST_ITEMS = 1_000;
/** The same body again within this is suspected of being sent twice, where items have no ids. */
const REPEATED_WITHIN = 10 * MINUTE;
const REPEATS_KNOWN = 100_000;
/** Refusals of one source that are noted in an hour, and sources they are counted of. */
const REFUSALS_NOTED = 20;
const SOURCES_COUNTED = 10_000;

/** What other systems send to webhook sources. */
export function deliveryCommands({ handle, intake, bodies, log }: Deps) {
  const repeated = recently(REPEATS_KNOWN, REPEATED_WITHIN);
  const refusals = new Map<string, { readonly hour: number; count: number }>();

  const note = (fact: DeliveryFact, context: Context) =>
    handle(
      webhookDeliveries,
      { type: 'NoteDelivery', data: { fact } },
      context,
      unwritten(webhookDeliveries),
    );
  const unnoted = (err: unknown): void => log.warn({ err }, 'a delivery was not noted');

  const factOf = (
    { workspace, sourceId, kind, raw, signatureHeader, replayOf }: Delivery,
    deliveryId: string,
    outcome: Pick<WebhookDelivered['data'], 'status' | 'code' | 'ignored' | 'repeats' | 'errors' | 'body'> &
      Pick<Taken, 'accepted' | 'duplicates' | 'rejected'>,
  ): WebhookDelivered => ({
    type: 'WebhookDelivered',
    // Written out, for this is done for each delivery: spreading objects would take most of its time
    data: {
      workspace,
      sourceId,
      deliveryId,
      kind,
      status: outcome.status,
      code: outcome.code,
      accepted: outcome.accepted,
      duplicates: outcome.duplicates,
      rejected: outcome.rejected,
      ignored: outcome.ignored,
      bytes: raw.length,
      signatureHeader,
      repeats: outcome.repeats,
      errors: outcome.errors.length > MOST_ERRORS ? outcome.errors.slice(0, MOST_ERRORS) : outcome.errors,
      replayOf,
      body: outcome.body,
    },
  });

  return {
    /**
     * Takes in what a body holds; `json`: the same parsed. @throws Rejected 429 or 503 when not all of it can
     * be taken just now: it may be sent again as a whole
     */
    async deliver(delivery: Delivery, source: Source, json: unknown, context: Context): Promise<Delivered> {
      const { workspace, sourceId, kind, raw } = delivery;
      const { eventConfig } = source;
      const readers = readersFor(source);
      const all = itemsIn(json, readers);
      const items = all.length > MOST_ITEMS ? all.slice(0, MOST_ITEMS) : all;
      const read = kind === 'events' ? eventsIn(items, eventConfig, readers, context.at) : null;
      const rows = kind === 'signal' ? rowsIn(items, eventConfig, readers, context.at) : null;
      const taken = await intake(
        {
          workspace,
          sourceId,
          events: read ? incomingEvents(read.events, eventConfig, raw.length) : [],
          points: rows ? incomingPoints(rows.series) : [],
        },
        context,
      );
      const refused = (read ?? rows)!.rejected;
      const errors =
        taken.errors.length === 0 ? refused : [...refused, ...taken.errors].sort((a, b) => a.index - b.index);
      const { accepted, duplicates, positions } = taken;
      const rejected = errors.length;
      const ignored = all.length - items.length;
      const deliveryId = newId('whd_');
      const repeats =
        eventConfig.idPath === null && repeated(`${sourceId}/${hash('sha256', raw)}`, context.at);
      const fact = factOf(delivery, deliveryId, {
        status: 200,
        code: null,
        accepted,
        duplicates,
        rejected,
        ignored,
        repeats,
        errors,
        body: bodies.keep(workspace, raw),
      });
      const noted = note(fact, context).catch(unnoted);
      return { deliveryId, accepted, duplicates, rejected, ignored, errors, positions, noted };
    },

    /** Notes that a delivery was refused, or failed, although its signature was right. */
    async failed(delivery: Delivery, status: number, refusal: Rejected | null, context: Context) {
      const code = refusal?.code ?? 'internal_error';
      const message = refusal?.message ?? 'Internal error';
      const counts = { accepted: 0, duplicates: 0, rejected: 0, ignored: 0, repeats: false };
      const errors = [{ index: 0, field: null, code, message }];
      const deliveryId = newId('whd_');
      const body = bodies.keep(delivery.workspace, delivery.raw);
      const fact = factOf(delivery, deliveryId, { status, code, errors, body, ...counts });
      await note(fact, context).catch(unnoted);
    },

    /** Notes a delivery whose signature was not right, unless many of its source were noted this hour. */
    async refused(
      { workspace, sourceId, kind, raw, signatureHeader }: Omit<Delivery, 'replayOf'>,
      { code, message }: Rejected,
      context: Context,
    ) {
      const hour = Math.floor(context.at / HOUR);
      const before = refusals.get(sourceId);
      const counted = before?.hour === hour ? before : { hour, count: 0 };
      if (++counted.count > REFUSALS_NOTED) return;
      if (refusals.size >= SOURCES_COUNTED) refusals.clear();
      refusals.set(sourceId, counted);
      const id = { workspace, sourceId, deliveryId: newId('whd_'), kind };
      const why = { status: 401, code, message, bytes: raw.length, signatureHeader };
      await note({ type: 'WebhookRefused', data: { ...id, ...why } }, context).catch(unnoted);
    },
  };
}

const compiled = new WeakMap<Source, Readers>();

/** The readers of a source's paths, made once for each state of it. */
export function readersFor(source: Source): Readers {
  const known = compiled.get(source) ?? readersOf(source.eventConfig);
  compiled.set(source, known);
  return known;
}
