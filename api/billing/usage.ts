import { creditsText } from '../../domain/billing/amounts.js';
import { DAY } from '../../domain/time.js';
import { USAGE_GROUPS, type UsageQueries } from '../../projections/usage/queries.js';
import { array, object } from '../../json-schema.js';
import { row, type Row } from '../edge/row.js';
import { spanIn } from '../edge/times.js';
import { common } from './deps.js';
import { credits, text } from './schemas.js';

export type UsageDeps = {
  readonly usage: Pick<UsageQueries, 'spent'>;
  readonly clock: () => number;
  /** Waits, a bounded time, until what was written is counted. */
  readonly counted: (workspace: string) => Promise<void>;
};

const DAYS = 30;
const whole = { type: 'integer', minimum: 0 } as const;
const sums = { credits, charges: { ...whole, description: 'How many charges that are' } } as const;
const time = { type: 'string', examples: ['2026-03-01T00:00:00Z'] } as const;

const query = object(
  { group_by: { enum: USAGE_GROUPS, default: 'day' } },
  {
    from: { ...time, description: 'the first day (UTC) is that of this time; 30 days ago when absent' },
    to: { ...time, description: 'the last day (UTC) is that of this time; today when absent' },
  },
);
const answer = object({
  data: object({
    buckets: array(
      object({ key: { ...text, description: 'day, item, or id; `none` for what is of none' }, ...sums }),
    ),
    total: object(sums),
  }),
});

/** What a workspace paid for. */
export const usageRow = ({ usage, clock, counted }: UsageDeps): Row =>
  row({
    ...common,
    path: '/v1/billing/usage',
    operation: 'getUsage',
    summary: 'What was paid for, on which days',
    description: 'Whole days (UTC). What is held and not charged yet is not in it.',
    query,
    answers: { 200: { description: 'Sums by day, item, pipeline or goal', schema: answer } },
    async run({ workspace, query: given }) {
      const { from, to } = spanIn(given);
      await counted(workspace);
      const until = to ?? clock();
      const found = await usage.spent(workspace, from ?? until - DAYS * DAY, until, given.group_by);
      const view = <T extends { readonly amount: number }>({ amount, ...rest }: T) => ({
        ...rest,
        credits: creditsText(amount),
      });
      return { body: { data: { buckets: found.buckets.map(view), total: view(found.total) } } };
    },
  });
