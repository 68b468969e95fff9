import type { EventCommands } from '../../commands/events.js';
import type { Context } from '../../commands/engine/handle.js';
import { begunInTurns } from '../../commands/engine/turns.js';
import { Rejected } from '../../domain/rejected.js';
import type { FromSchema } from '../../json-schema.js';
import { bodyCheckOf } from '../edge/prepare.js';
import { notValid, type Fault } from '../edge/errors.js';
import { submissionOf } from './requests.js';
import { recordBody } from './record-schemas.js';
import { recordedView } from './views.js';

type ItemError = {
  readonly index: number;
  /** '': the item itself. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
};

const check = bodyCheckOf(recordBody);
const LISTED_ERRORS = 100;
/** Items that one turn is for. */
const ITEMS_A_TURN = 25;

/**
 * Records items side by side, each taken or refused by itself. @throws Rejected 422 when every one is
 * refused; 429 or 503 when one of these was refused only for now
 */
export async function recordBatch(
  commands: EventCommands,
  workspace: string,
  items: readonly unknown[],
  context: Context,
) {
  const record = async (item: unknown, index: number) => {
    try {
      check(item);
      const submission = submissionOf(item as FromSchema<typeof recordBody>);
      return { index, recorded: await commands.record(workspace, submission, context) };
    } catch (error) {
      if (error instanceof Rejected) return { index, error };
      throw error;
    }
  };
  const parts = await begunInTurns(workspace, items, ITEMS_A_TURN, (some, from) =>
    Promise.all(some.map((item, i) => record(item, from + i))),
  );
  const outcomes = parts.flat();
  const errors = outcomes.flatMap(({ index, error }) => (error ? [itemError(index, error)] : []));
  const later = outcomes.find(({ error }) => error && isForNow(error))?.error;
  if (errors.length === items.length && later) throw later;
  if (errors.length === items.length)
    throw notValid(outcomes.map(({ index, error }) => faultOf(index, error!)));
  const recorded = outcomes.flatMap(({ index, recorded: one }) => (one ? [{ index, one }] : []));
  return {
    accepted: recorded.length,
    duplicates: recorded.filter(({ one }) => !one.changed).length,
    rejected: errors.length,
    errors: errors.slice(0, LISTED_ERRORS),
    events: recorded.map(({ index, one }) => ({ index, ...recordedView(one) })),
    position: recorded.reduce<number | null>(
      (last, { one }) => (one.position === null ? last : Math.max(last ?? 0, one.position)),
      null,
    ),
  };
}

/** What a refusal is about that names no field. */
const FIELDS: Readonly<Record<string, string>> = {
  event_key_required: 'key',
  event_text_required: 'text',
  stream_read_only: 'key',
  occurred_at_too_far: 'occurred_at',
};

const isForNow = ({ kind }: Rejected): boolean => kind === 'limited' || kind === 'unavailable';

const firstFault = ({ details }: Rejected) => (details['detail'] as readonly Fault[] | undefined)?.[0];

function itemError(index: number, error: Rejected): ItemError {
  const fault = firstFault(error);
  return {
    index,
    field: fault?.loc.slice(1).join('.') ?? FIELDS[error.code] ?? '',
    code: error.code,
    message: fault?.msg ?? error.message,
  };
}

function faultOf(index: number, error: Rejected): Fault {
  const fault = firstFault(error);
  return {
    loc: ['body', 'events', index, ...(fault?.loc.slice(1) ?? [FIELDS[error.code] ?? []].flat())],
    msg: fault?.msg ?? error.message,
    type: fault?.type ?? error.code,
  };
}
