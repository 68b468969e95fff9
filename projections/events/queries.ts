import type { Reader } from '../engine/reader.js';
import { comparisonQueries } from './comparison-queries.js';
import { described, type BacklogDoc, type EventDoc, type RevisionDoc, type TotalsDoc } from './documents.js';
import { dueQueries } from './due-queries.js';
import { TOTALS } from './projection.js';
import { streamQueries } from './stream-queries.js';

export type Revision = RevisionDoc['before'] & { readonly until: number | null };
export type Revisions = { readonly revisions: Revision[]; readonly total: number };

export type Scored = Pick<EventDoc, 'workspace' | 'event_id' | 'status' | 'score_version'>;

export type EventQueries = ReturnType<typeof eventQueries>;

export const eventQueries = (read: Reader) => ({
  ...streamQueries(read),
  ...dueQueries(read),
  ...comparisonQueries(read),

  upTo: read.upTo,

  event: (workspace: string, eventId: string) => read.get<EventDoc>('events', `${workspace}/${eventId}`),

  /**
   * Events of the whole platform in the order of their ids, behind one: whose they are, and what made their
   * scores.
   */
  versions: (after: string | null, limit: number) =>
    read.find<Scored & { readonly _id: string }>('events', {
      where: {},
      sort: { by: ['_id'] },
      ...(after !== null && { after: [after] }),
      limit,
      fields: ['workspace', 'event_id', 'status', 'score_version'],
    }),

  /** How an event has stood, oldest first, as it stands now last; null when there is no such event. */
  async revisions(
    workspace: string,
    eventId: string,
    offset: number,
    limit: number,
  ): Promise<Revisions | null> {
    const where = { workspace, event_id: eventId };
    const [now, total, past] = await Promise.all([
      read.get<EventDoc>('events', `${workspace}/${eventId}`),
      read.count('event_revisions', where),
      read.find<RevisionDoc>('event_revisions', { where, sort: { by: ['_id'] }, offset, limit }),
    ]);
    if (!now) return null;
    const revisions = past.map(({ before, until }): Revision => ({ ...before, until }));
    if (offset <= total && revisions.length < limit)
      revisions.push({ ...now, ...described(now), until: null });
    return { revisions, total: total + 1 };
  },

  /** How many events wait for a score, by workspace: of those where more than `least` do. */
  async backlogs(least: number): Promise<Map<string, number>> {
    const pages = read.pages<BacklogDoc>('event_backlogs', {
      where: { pending: { gt: least } },
      sort: { by: ['pending', '_id'] },
    });
    const found = new Map<string, number>();
    for await (const page of pages) for (const { _id, pending } of page) found.set(_id, pending);
    return found;
  },

  totals: async () => (await read.get<TotalsDoc>('event_totals', TOTALS)) ?? { count: 0, pending: 0 },
});
