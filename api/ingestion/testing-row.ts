import { readersFor } from '../../commands/ingestion/deliveries.js';
import { defaultEventConfig } from '../../domain/ingestion/event-config.js';
import type { DeliveryKind } from '../../domain/ingestion/deliveries.js';
import { eventsIn, itemsIn, rowsIn, type ItemFault } from '../../domain/ingestion/items.js';
import type { Source } from '../../domain/ingestion/sources/state.js';
import { Rejected } from '../../domain/rejected.js';
import { iso } from '../../domain/time.js';
import { row, type Row } from '../edge/row.js';
import { parseItems } from '../edge/json.js';
import * as schemas from './delivery-schemas.js';
import { allNoted, foundSource, one, tag, writes, type IngestionDeps } from './deps.js';
import { sourceParams } from './source-schemas.js';

const MOST_SAMPLES = 5;
const MOST_WARNINGS = 20;
/** Of the items of a page that was asked for. */
const MOST_LOOKED_AT = 1_000;

/** What a source would make of a body; nothing is stored. */
export const testingRow = (deps: IngestionDeps): Row =>
  row({
    method: 'post',
    path: `${one}/test`,
    operation: 'testSource',
    summary: 'See what a source would take; nothing is stored',
    tag,
    access: writes,
    leastRole: 'operator',
    policy: 'heavy',
    params: sourceParams,
    body: schemas.testBody,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'What it would take', schema: schemas.testedAnswer } },
    async run(call) {
      const { workspace, params, body } = call;
      const { _id: sourceId } = await foundSource(deps, workspace, params.source_id);
      const source = await deps.sources.found(workspace, sourceId);
      if (body.body === undefined && source.mode === 'poll') {
        const { items, fault } = await deps.tried(source, call.signal);
        if (items === null) return { body: { data: { ok: false, sample: [], warnings: [fault] } } };
        const kind = source.kind === 'signal' ? 'signal' : 'events';
        const some = items.slice(0, MOST_LOOKED_AT);
        return { body: { data: looked(source, kind, some, deps.clock()) } };
      }
      // As a delivery is read: the body of this request was read as all others are
      const sent = body.body === undefined ? null : (parseItems(call.raw!) as typeof body);
      const given = sent ?? (await lastBody(deps, workspace, sourceId));
      if ('fault' in given) return { body: { data: { ok: false, sample: [], warnings: [given.fault] } } };
      const kind = body.kind ?? given.kind ?? 'events';
      const items = itemsIn(given.body, readersFor(source));
      return { body: { data: looked(source, kind, items, deps.clock()) } };
    },
  });

/** The body that came last and is kept, with its kind; `fault`: there is none, or it is no JSON. */
async function lastBody(
  deps: IngestionDeps,
  workspace: string,
  sourceId: string,
): Promise<{ readonly body: unknown; readonly kind: DeliveryKind } | { readonly fault: string }> {
  const { queries, bodies } = deps;
  await allNoted(deps);
  const { items } = await queries.deliveries(sourceId, 0, { limit: MOST_SAMPLES, offset: 0 });
  for (const { body: place, kind } of items) {
    const raw = place && (await bodies.kept(workspace, place));
    if (raw) return bodyIn(raw, kind);
  }
  return { fault: 'nothing was delivered yet: send a body to be looked at' };
}

function bodyIn(raw: Buffer, kind: DeliveryKind) {
  try {
    return { body: parseItems(raw), kind };
  } catch (error) {
    if (error instanceof Rejected) return { fault: `the body that was delivered last: ${error.message}` };
    throw error;
  }
}

/** A sample of items, and what is wrong with the rest. */
function looked(source: Source, kind: DeliveryKind, items: readonly unknown[], now: number) {
  const { eventConfig } = source;
  const readers = readersFor(source);
  if (items.length === 0) return { ok: false, sample: [], warnings: ['there is no item in the body'] };
  if (kind === 'events') {
    const { events, rejected } = eventsIn(items, eventConfig, readers, now);
    const sample = events.slice(0, MOST_SAMPLES).map(({ text, occurredAt, externalId }) => ({
      ...{ key: eventConfig.stream, text, occurred_at: occurredAt ?? now, id: externalId },
    }));
    const untimed = events.filter(({ occurredAt }) => occurredAt === null).length;
    // That none has one is as it should be where nobody said where it stands
    const isNoted = eventConfig.occurredAtPath !== defaultEventConfig.occurredAtPath;
    const isOdd = untimed > 0 && (untimed < events.length || isNoted);
    const more = isOdd ? [`${untimed} items have no time, and count as of now`] : [];
    return { ok: rejected.length === 0, sample, warnings: [...warningsOf(rejected), ...more] };
  }
  const { series, rejected } = rowsIn(items, eventConfig, readers, now);
  const points = series.flatMap(({ key, times, values }) =>
    times.map((time, i) => ({ key, timestamp: iso(time), value: values[i]! })),
  );
  const none = points.length === 0 ? ['there is no number in the items'] : [];
  return {
    ok: rejected.length === 0 && points.length > 0,
    sample: points.slice(0, MOST_SAMPLES),
    warnings: [...warningsOf(rejected), ...none],
  };
}

const warningsOf = (rejected: readonly ItemFault[]): string[] =>
  rejected
    .slice(0, MOST_WARNINGS)
    .map(({ index, field, message }) => `item ${index}${field === null ? '' : `, ${field}`}: ${message}`);
