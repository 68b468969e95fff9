import type { Reader } from '../engine/reader.js';
import type { DueDoc, EventDoc } from './documents.js';

/** Events whose time has not come. */
export const dueQueries = (read: Reader) => ({
  /** Events whose time has not come, soonest first. */
  async upcoming(
    workspace: string,
    from: number,
    until: number,
    keys: readonly string[] | null,
    limit: number,
  ) {
    const where = { workspace, due_at: { gt: from, lte: until }, ...(keys && { key: { in: keys } }) };
    const due = await read.find<DueDoc>('event_due', { where, sort: { by: ['due_at', '_id'] }, limit });
    const events = await read.load<EventDoc>(
      'events',
      due.map(({ _id }) => _id),
    );
    return {
      events: due.flatMap(({ _id }) => events.get(_id) ?? []),
      total: await read.count('event_due', where),
    };
  },

  /**
   * All that came due up to `now` and did not fire yet, soonest first, at most `limit`; and the time of the
   * next one after.
   */
  async due(now: number, limit: number): Promise<{ due: DueDoc[]; next: number | null }> {
    const found = await read.find<DueDoc>('event_due', { where: {}, sort: { by: ['due_at', '_id'] }, limit });
    const due = found.filter(({ due_at }) => due_at <= now);
    return { due, next: found[due.length]?.due_at ?? null };
  },

  /**
   * How many events of each stream of a workspace (`keys`: of these) are still to come, and when the next one
   * lands.
   */
  async scheduled(
    workspace: string,
    now: number,
    keys: readonly string[] | null = null,
  ): Promise<Map<string, { count: number; next: number }>> {
    const byKey = new Map<string, { count: number; next: number }>();
    const pages = read.pages<DueDoc>('event_due', {
      where: { workspace, due_at: { gt: now }, ...(keys && { key: { in: keys } }) },
      sort: { by: ['due_at', '_id'] },
      fields: ['key', 'due_at'],
    });
    for await (const page of pages)
      for (const { key, due_at } of page) {
        const { count, next } = byKey.get(key) ?? { count: 0, next: due_at };
        byKey.set(key, { count: count + 1, next });
      }
    return byKey;
  },

  /** How many events of a stream are still to come, and when the next one lands. */
  async scheduledIn(
    workspace: string,
    key: string,
    now: number,
  ): Promise<{ count: number; next: number } | null> {
    const where = { workspace, key, due_at: { gt: now } };
    const [next] = await read.find<DueDoc>('event_due', {
      where,
      sort: { by: ['due_at'] },
      limit: 1,
      fields: ['due_at'],
    });
    return next ? { count: await read.count('event_due', where), next: next.due_at } : null;
  },
});
