import { hash } from 'node:crypto';
import { MOST_ERRORS, WRONG_SIGNATURE, type DeliveryKind } from '../../domain/ingestion/deliveries.js';
import { readersOf, type Readers } from '../../domain/ingestion/event-config.js';
import { eventsIn, itemsIn, rowsIn, type ItemFault } from '../../domain/ingestion/items.js';
import type { Source } from '../../domain/ingestion/sources/state.js';
import type { Rejected } from '../../domain/rejected.js';
import { HOUR, MINUTE } from '../../domain/time.js';
import type { Context } from '../engine/handle.js';
import type { Bodies } from './bodies.js';
import { incomingEvents, incomingPoints, type Intake, type Taken } from './intake.js';
import type { Moments, Outcome } from './moments.js';
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
  /** When that body first came, which items without a time are of; absent: now. */
  readonly arrivedAt?: number;
};
/** What became of it: answered once read models hold `positions`. */
export type Delivered = {
  readonly deliveryId: string;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly ignored: number;
  readonly errors: readonly ItemFault[];
  readonly positions: Taken['positions'];
};
export type DeliveryCommands = ReturnType<typeof deliveryCommands>;

type Deps = {
  readonly intake: Intake;
  readonly bodies: Bodies;
  readonly moments: Moments;
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
export function deliveryCommands({ intake, bodies, moments }: Deps) {
  const repeated = recently(REPEATS_KNOWN, REPEATED_WITHIN);
  const refusals = new Map<string, { readonly hour: number; count: number }>();

  const failure = (
    { workspace, sourceId, kind, raw, signatureHeader, replayOf, arrivedAt }: Delivery,
    { status, code, message, body }: Pick<Outcome, 'status' | 'body'> & { code: string; message: string },
    context: Context,
  ): void => {
    const counts = { accepted: 0, duplicates: 0, rejected: 0, ignored: 0, repeats: false };
    const errors = [{ index: 0, field: null, code, message }];
    const came = { kind, bytes: raw.length, signatureHeader, replayOf, body };
    const first = arrivedAt === undefined ? {} : { arrivedAt };
    moments.note(workspace, sourceId, { status, code, errors, ...counts, ...came, ...first }, context);
  };

  return {
    /**
     * Takes in what a body holds; `json`: the same parsed. @throws Rejected 429 or 503 when not all of it can
     * be taken just now: it may be sent again as a whole
     */
    async deliver(delivery: Delivery, source: Source, json: unknown, context: Context): Promise<Delivered> {
      const { workspace, sourceId, kind, raw, arrivedAt } = delivery;
      const { eventConfig } = source;
      const readers = readersFor(source);
      const all = itemsIn(json, readers);
      const items = all.length > MOST_ITEMS ? all.slice(0, MOST_ITEMS) : all;
      const read = kind === 'events' ? eventsIn(items, eventConfig, readers, context.at) : null;
      const rows = kind === 'signal' ? rowsIn(items, eventConfig, readers, arrivedAt ?? context.at) : null;
      const taken = await intake(
        {
          workspace,
          sourceId,
          events: read ? incomingEvents(read.events, eventConfig, raw.length, arrivedAt) : [],
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
      const repeats =
        eventConfig.idPath === null && repeated(`${sourceId}/${hash('sha256', raw)}`, context.at);
      const outcome = {
        kind,
        status: 200,
        code: null,
        accepted,
        duplicates,
        rejected,
        ignored,
        bytes: raw.length,
        signatureHeader: delivery.signatureHeader,
        repeats,
        errors: rejected > MOST_ERRORS ? errors.slice(0, MOST_ERRORS) : errors,
        replayOf: delivery.replayOf,
        ...(arrivedAt !== undefined && { arrivedAt }),
        body: bodies.keep(workspace, raw),
      };
      const deliveryId = moments.note(workspace, sourceId, outcome, context);
      return { deliveryId, accepted, duplicates, rejected, ignored, errors, positions };
    },

    /** Notes that a delivery was refused, or failed, although its signature was right. */
    failed(delivery: Delivery, status: number, refusal: Rejected | null, context: Context): void {
      const code = refusal?.code ?? 'internal_error';
      const message = refusal?.message ?? 'Internal error';
      const body = bodies.keep(delivery.workspace, delivery.raw);
      failure(delivery, { status, code, message, body }, context);
    },

    /** Notes at once what waits to be noted; answers the position of the last of it; null: nothing was. */
    settled: moments.settled,

    /** Notes a delivery whose signature was not right, unless many of its source were noted this hour. */
    refused(delivery: Omit<Delivery, 'replayOf'>, { code, message }: Rejected, context: Context): void {
      const { sourceId } = delivery;
      const hour = Math.floor(context.at / HOUR);
      const before = refusals.get(sourceId);
      const counted = before?.hour === hour ? before : { hour, count: 0 };
      if (++counted.count > REFUSALS_NOTED) return;
      if (refusals.size >= SOURCES_COUNTED) refusals.clear();
      refusals.set(sourceId, counted);
      const why = { status: WRONG_SIGNATURE, code, message, body: null };
      failure({ ...delivery, replayOf: null }, why, context);
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
