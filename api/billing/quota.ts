import { endOf, monthOf } from '../../domain/billing/account.js';
import { quotaNames, quotas, type PlanLimits, type QuotaName } from '../../domain/billing/plans.js';
import { iso } from '../../domain/time.js';
import { array, nullable, object } from '../../json-schema.js';
import { row, type Row } from '../edge/row.js';
import { common } from './deps.js';
import { text, time } from './schemas.js';

export type QuotaDeps = {
  /** How much of one there is in a workspace at a moment. */
  readonly count: (workspace: string, quota: QuotaName, at: number) => Promise<number>;
  readonly limits: (workspace: string) => Promise<PlanLimits>;
  readonly clock: () => number;
  /** Waits, a bounded time, until what was written is counted. */
  readonly counted: (workspace: string) => Promise<void>;
};

const whole = { type: 'integer', minimum: 0 } as const;
const answer = object({
  data: object({
    quotas: array(
      object({
        name: { enum: quotaNames },
        used: whole,
        limit: { ...nullable(whole), description: 'Of the plan; null: none' },
        unit: text,
        period: { enum: ['month', 'total', 'minute'] },
        resets_at: { ...nullable(time), description: 'When a month begins anew (UTC)' },
      }),
    ),
  }),
});

/** How much of what a plan limits there is. */
export const quotaRow = ({ count, limits, clock, counted }: QuotaDeps): Row =>
  row({
    ...common,
    path: '/v1/billing/quota',
    operation: 'getQuota',
    summary: 'How much is used of what the plan allows',
    description:
      '`streaming_rows`: events and points written, `storage_bytes`: their size as they were sent, 16 bytes '
      + 'a point; both count also what was deleted since. `tokens`: those that open this workspace.',
    answers: { 200: { description: 'Each quota of the workspace', schema: answer } },
    async run({ workspace }) {
      await counted(workspace);
      const now = clock();
      const [most, used] = await Promise.all([
        limits(workspace),
        Promise.all(quotaNames.map(name => count(workspace, name, now))),
      ]);
      const shown = quotaNames.map((name, i) => {
        const { unit, period } = quotas[name];
        const resets = period === 'month' ? iso(endOf(monthOf(now))) : null;
        return { name, used: used[i]!, limit: most[name], unit, period, resets_at: resets };
      });
      return { body: { data: { quotas: shown } } };
    },
  });
