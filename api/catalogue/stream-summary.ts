import type { SourceSummary } from '../../domain/edges/summary.js';
import type { EventDoc, StreamDoc } from '../../projections/events/documents.js';
import { nullable, object } from '../../json-schema.js';

const ms = { type: 'integer', description: 'epoch milliseconds' } as const;
const text = { type: 'string' } as const;
const sentiment = {
  enum: ['negative', 'neutral', 'positive', null],
  description: 'tone; like all scores null while the event is pending',
} as const;

/** Members of a stream in the list of streams, and in that of signals. */
export const streamSummary = {
  key: text,
  count: { type: 'integer' },
  latest_occurred_at: {
    ...ms,
    description:
      'when the newest event that has happened did, epoch milliseconds; of a stream whose events are all to '
      + 'come, when the next one will. The other `latest_` members are of the same event',
  },
  latest_timestamp: { ...ms, description: 'when it was recorded, epoch milliseconds' },
  latest_text: text,
  latest_sentiment: sentiment,
  max_rank: { type: 'integer', minimum: 0, maximum: 100, description: '0 until an event is scored' },
  scheduled_count: { type: 'integer' },
  next_scheduled_at: nullable(ms),
  edges: nullable(
    object({
      goals_affected: { type: 'integer', description: 'goals that it drives now' },
      max_lift: { type: 'number' },
      half_life_s: { type: 'integer', description: 'the median' },
      weakening: { type: 'integer', description: 'edges that weaken' },
    }),
  ),
} as const;

/** What sources do to goals, by key; a source that never did anything is absent. */
export type Summaries = (
  workspace: string,
  sourceKeys: readonly string[],
) => Promise<ReadonlyMap<string, SourceSummary>>;

/** A stream as both lists show it; `latest`: the newest that has happened, `scheduled`: those to come. */
export const summaryView = (
  { key, count, ranks }: Pick<StreamDoc, 'key' | 'count' | 'ranks'>,
  latest: Pick<EventDoc, 'occurred_at' | 'timestamp' | 'text' | 'scores'>,
  scheduled: { count: number; next: number } | null | undefined,
  edges: SourceSummary | undefined,
) => ({
  key,
  count,
  latest_occurred_at: latest.occurred_at,
  latest_timestamp: latest.timestamp,
  latest_text: latest.text,
  latest_sentiment: latest.scores?.sentiment ?? null,
  max_rank: maxRank(ranks),
  scheduled_count: scheduled?.count ?? 0,
  next_scheduled_at: scheduled?.next ?? null,
  edges: edges ?? null,
});

const maxRank = (ranks: StreamDoc['ranks']): number => Math.max(0, ...Object.keys(ranks).map(Number));
