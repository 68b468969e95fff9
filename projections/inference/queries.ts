import type { Reader } from '../engine/reader.js';
import type { Stored, Where } from '../engine/read-models.js';
import {
  inferenceDocId,
  latencyOf,
  type InferenceCountDoc,
  type InferenceDoc,
  type UsageDoc,
} from './documents.js';
import { awaitedQueries } from './awaited.js';
import { dayOf } from './projection.js';

/** Which inferences of a workspace; null: whichever. Times (epoch ms) are both included. */
export type InferenceFilter = {
  readonly promotionId: string | null;
  readonly goalId: string | null;
  readonly status: string | null;
  readonly from: number | null;
  readonly to: number | null;
};
export type UsageGroup = 'day' | 'promotion' | 'token' | 'goal';
export type UsageSum = Pick<UsageDoc, 'calls' | 'errors' | 'series' | 'output_points'> & {
  /** Thousandths of a credit. */
  readonly credits: number;
  /** 95 of 100 calls took at most so long, ms, to within 5%; null: there were none. */
  readonly p95: number | null;
};
export type UsageBucket = UsageSum & { readonly key: string };
export type InferenceQueries = ReturnType<typeof inferenceQueries>;

/** Buckets that are read at a time. */
const AT_ONCE = 500;

export function inferenceQueries(read: Reader) {
  return {
    ...awaitedQueries(read),
    upTo: read.upTo,

    inference: (workspace: string, inferenceId: string) =>
      read.get<InferenceDoc>('inferences', inferenceDocId(workspace, inferenceId)),

    /** The newest first, and how many there are in all. */
    async page(workspace: string, filter: InferenceFilter, offset: number, limit: number) {
      const where = whereOf(workspace, filter);
      const query = { where, sort: { by: ['created_at', '_id'], descending: true }, offset, limit };
      const isAll = Object.values(filter).every(value => value === null);
      const [inferences, total] = await Promise.all([
        read.find<InferenceDoc>('inferences', query),
        isAll ? countOf(workspace) : read.count('inferences', where),
      ]);
      return { inferences, total };
    },

    /** How many are queued or worked on later. */
    open: (workspace: string): Promise<number> => read.count('inferences', { workspace, open: true }),

    /** When a deployment was last asked, epoch ms; null: it never was. */
    async lastOf(workspace: string, promotionId: string): Promise<number | null> {
      const [last] = await read.find<InferenceDoc>('inferences', {
        where: { workspace, promotion_id: promotionId },
        sort: { by: ['created_at', '_id'], descending: true },
        limit: 1,
        fields: ['created_at'],
      });
      return last?.created_at ?? null;
    },

    /**
     * Those that are queued or running of one workspace, the oldest first: of the first that has any behind
     * another, in the order of ids.
     */
    async openBehind(workspace: string, limit: number): Promise<Stored<InferenceDoc>[]> {
      const [first] = await read.find<InferenceDoc>('inferences', {
        where: { open: true, workspace: { gt: workspace } },
        sort: { by: ['workspace', 'created_at', '_id'] },
        limit: 1,
        fields: ['workspace'],
      });
      if (!first) return [];
      return read.find<InferenceDoc>('inferences', {
        where: { open: true, workspace: first.workspace },
        sort: { by: ['created_at', '_id'] },
        limit,
      });
    },

    /** What was used on days (UTC) from that of one time to that of another, both included. */
    async usage(workspace: string, from: number, to: number, by: UsageGroup) {
      const sums = new Map<string, Summing>();
      const all = new Summing();
      for await (const page of read.pages<UsageDoc>('inference_usage', {
        where: { workspace, day: { gte: dayOf(from), lte: dayOf(to) } },
        sort: { by: ['day', '_id'] },
        limit: AT_ONCE,
      }))
        for (const doc of page) {
          const key = keyOf(doc, by);
          const sum = sums.get(key) ?? new Summing();
          sums.set(key, sum);
          sum.add(doc);
          all.add(doc);
        }
      const buckets = [...sums].map(([key, sum]): UsageBucket => ({ key, ...sum.told() }));
      return { buckets: buckets.sort((a, b) => (a.key < b.key ? -1 : 1)), total: all.told() };
    },
  };

  async function countOf(workspace: string): Promise<number> {
    return (await read.get<InferenceCountDoc>('inference_counts', workspace))?.count ?? 0;
  }
}

/** Of what was used without a deployment, or for no goal. */
const NONE = 'none';
const keyOf = ({ day, promotion_id, token_id, goal_id }: UsageDoc, by: UsageGroup): string =>
  ({ day, promotion: promotion_id, token: token_id, goal: goal_id })[by] ?? NONE;

function whereOf(workspace: string, { promotionId, goalId, status, from, to }: InferenceFilter): Where {
  const time = { ...(from !== null && { gte: from }), ...(to !== null && { lte: to }) };
  return {
    workspace,
    ...(promotionId !== null && { promotion_id: promotionId }),
    ...(goalId !== null && { goal_id: goalId }),
    ...(status !== null && { status }),
    ...(Object.keys(time).length > 0 && { created_at: time }),
  };
}

class Summing {
  #sum = { calls: 0, errors: 0, series: 0, output_points: 0, credits: 0 };
  readonly #latencies = new Map<number, number>();

  add({ calls, errors, series, output_points, credits = 0, latencies }: UsageDoc): void {
    const sum = this.#sum;
    this.#sum = {
      calls: sum.calls + calls,
      errors: sum.errors + errors,
      series: sum.series + series,
      output_points: sum.output_points + output_points,
      credits: sum.credits + credits,
    };
    for (const [bucket, count] of Object.entries(latencies))
      this.#latencies.set(Number(bucket), (this.#latencies.get(Number(bucket)) ?? 0) + count);
  }

  told(): UsageSum {
    return { ...this.#sum, p95: this.#p95() };
  }

  #p95(): number | null {
    let left = Math.ceil(this.#sum.calls * 0.95);
    for (const [bucket, count] of [...this.#latencies].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return latencyOf(bucket);
    }
    return null;
  }
}
