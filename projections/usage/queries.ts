import { monthOf } from '../../domain/billing/account.js';
import type { Millicredits } from '../../domain/billing/credits.js';
import { iso } from '../../domain/time.js';
import type { Reader } from '../engine/reader.js';
import type { Spent, UsageDayDoc, UsageMonthDoc } from './documents.js';

export const USAGE_GROUPS = ['day', 'item', 'pipeline', 'goal'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];
/** What was paid under one key; quantities of one item add up, those of several do not. */
export type UsageBucket = { readonly key: string; readonly amount: Millicredits; readonly charges: number };
export type UsageQueries = ReturnType<typeof usageQueries>;

/** Charges that are of no pipeline or goal. */
const NONE = 'none';

export const usageQueries = (read: Reader) => ({
  /** What a workspace did in the month (UTC) of a moment, and what it wrote in all. */
  async counted(workspace: string, at: number) {
    const month = monthOf(at);
    const sums = { rows: 0, calls: 0, bytes: 0 };
    const pages = read.pages<UsageMonthDoc>('usage_months', {
      where: { workspace },
      sort: { by: ['month', '_id'] },
    });
    for await (const page of pages)
      for (const doc of page) {
        sums.bytes += doc.bytes;
        if (doc.month === month) Object.assign(sums, { rows: doc.rows, calls: doc.calls });
      }
    return sums;
  },

  /** Workspaces that did anything behind a position of the log in the month of a moment, page by page. */
  async *busy(at: number, behind: number): AsyncGenerator<readonly string[]> {
    const pages = read.pages<UsageMonthDoc>('usage_months', {
      where: { month: monthOf(at), _at: { gt: behind } },
      sort: { by: ['_id'] },
      fields: ['workspace'],
    });
    for await (const page of pages) yield page.map(({ workspace }) => workspace);
  },
  /** The position up to which what was done is counted. */
  upTo: () => read.upTo(),

  /** What was paid on days (UTC) from that of one time to that of another, both included. */
  async spent(workspace: string, from: number, to: number, by: UsageGroup) {
    const buckets = new Map<string, UsageBucket>();
    let amount = 0;
    let charges = 0;
    const pages = read.pages<UsageDayDoc>('usage_days', {
      where: { workspace, day: { gte: iso(from).slice(0, 10), lte: iso(to).slice(0, 10) } },
      sort: { by: ['day', '_id'] },
    });
    for await (const page of pages)
      for (const doc of page)
        for (const [place, spent] of Object.entries(doc.spent)) {
          const key = keyOf(doc.day, place, by);
          buckets.set(key, added(buckets.get(key), key, spent));
          amount += spent.amount;
          charges += spent.charges;
        }
    const sorted = [...buckets.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    return { buckets: sorted, total: { amount, charges } };
  },
});

/** `place`: `<item>/<pipeline>`, and `/<goal>` behind it where it was paid for one. */
function keyOf(day: string, place: string, by: UsageGroup): string {
  const [item = '', pipeline = '', goal = ''] = place.split('/');
  return { day, item, pipeline: pipeline || NONE, goal: goal || NONE }[by];
}

const added = (bucket: UsageBucket | undefined, key: string, { amount, charges }: Spent): UsageBucket => ({
  key,
  amount: (bucket?.amount ?? 0) + amount,
  charges: (bucket?.charges ?? 0) + charges,
});
