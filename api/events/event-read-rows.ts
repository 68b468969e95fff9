import { Rejected } from '../../domain/rejected.js';
import { asOfData, asOfHeaders, asOfIn } from '../edge/as-of.js';
import { perPage } from '../edge/paging.js';
import { JsonText, row, type Row } from '../edge/row.js';
import { versionedTag } from '../edge/versions.js';
import { readAccess, tag, type EventDeps } from './deps.js';
import * as schemas from './event-schemas.js';
import { effectView, eventView, revisionView } from './views.js';

const notFound = () => new Rejected('missing', 'event_not_found', 'Event not found');

/** One event as it is and as it was. */
function eventReads({ reads, then }: Pick<EventDeps, 'reads' | 'then'>) {
  return {
    async eventNow(workspace: string, eventId: string) {
      const found = await reads.ofEvent(workspace, eventId);
      if (!found) return null;
      const { event, queries } = found;
      return { event, valueNormalized: () => queries.normalisedValue(event) };
    },
    async revisionsNow(workspace: string, eventId: string, offset: number, limit: number) {
      const seen = await reads.ofEvent(workspace, eventId);
      return (await seen?.queries.revisions(workspace, eventId, offset, limit)) ?? null;
    },
    async revisionsThen(workspace: string, eventId: string, offset: number, limit: number, asOf: number) {
      const found = await then.event(workspace, eventId, asOf);
      if (!found) return null;
      return { revisions: found.revisions.slice(offset, offset + limit), total: found.revisions.length };
    },
  };
}

/** One event, and how it became so; both also as of a past moment. */
export function eventReadRows(deps: EventDeps): Row[] {
  const { then, effects, clock } = deps;
  const { eventNow, revisionsNow, revisionsThen } = eventReads(deps);
  return [
    row({
      method: 'get',
      path: '/v1/event/{event_id}',
      operation: 'getEvent',
      summary: 'One event',
      tag,
      access: readAccess,
      params: schemas.eventParams,
      query: schemas.eventQuery,
      versioned: true,
      errors: { 404: ['event_not_found'] },
      answers: { 200: { description: 'The event', schema: schemas.eventAnswer } },
      async run({ workspace, params: { event_id }, query }) {
        const now = clock();
        const asOf = asOfIn(query.as_of, now);
        const found =
          asOf === null ? await eventNow(workspace, event_id) : await then.event(workspace, event_id, asOf);
        if (!found) throw notFound();
        const done = await (asOf === null
          ? effects(workspace, event_id)
          : then.effects(workspace, event_id, asOf));
        const seen = eventView(found.event, await found.valueNormalized(), asOf ?? now);
        const data = { ...seen, effects: done.map(effectView), ...asOfData(asOf) };
        const body = new JsonText(JSON.stringify({ data }));
        return { etag: versionedTag(found.event.revision, body), body, headers: asOfHeaders(asOf) };
      },
    }),
    row({
      method: 'get',
      path: '/v1/event/{event_id}/revisions',
      operation: 'listEventRevisions',
      summary: 'How an event has changed',
      tag,
      access: readAccess,
      params: schemas.eventParams,
      query: schemas.revisionsQuery,
      errors: { 404: ['event_not_found'] },
      answers: {
        200: { description: 'Oldest first, the current one last', schema: schemas.revisionsAnswer },
      },
      async run({ workspace, params: { event_id }, query }) {
        const offset = (query.page - 1) * query.per_page;
        const asOf = asOfIn(query.as_of, clock());
        const found =
          asOf === null
            ? await revisionsNow(workspace, event_id, offset, query.per_page)
            : await revisionsThen(workspace, event_id, offset, query.per_page, asOf);
        if (!found) throw notFound();
        const revisions = found.revisions.map(revisionView);
        const data = { event_id, revisions, ...perPage(query, found.total), ...asOfData(asOf) };
        return { body: { data }, headers: asOfHeaders(asOf) };
      },
    }),
  ];
}
