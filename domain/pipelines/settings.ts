import type { Intensity } from '../models/facts.js';
import type { Windows } from '../schedules.js';
import type { TrainingMetric } from '../trainings/ports.js';

/** What a pool names: a model of the catalogue, or a foundation model by its line and its size. */
export type EntryRef = { readonly model: string } | { readonly family: string; readonly slug: string };

/**
 * A model of a pool, and what it was found to be when it was put there; it is looked up again at each cycle.
 * `intensity`, `lookback`: null where the model has none, or the usual one is meant.
 */
export type PoolEntry = {
  readonly ref: EntryRef;
  readonly kind: 'custom' | 'foundation' | 'byom';
  /** In the catalogue. */
  readonly modelId: string;
  readonly family: string | null;
  readonly slug: string | null;
  readonly name: string;
  readonly intensity: Intensity | null;
  readonly lookback: number | null;
};

export const MODES = ['auto', 'manual', 'off'] as const;
/** What becomes of a candidate: it is deployed, somebody decides, or there is none. */
export type Mode = (typeof MODES)[number];
export type PromotionPolicy = {
  readonly mode: Mode;
  /** Whether what served goes out of service once the candidate serves. */
  readonly demotePrevious: boolean;
  /** The lower end of the improvement's interval must be above this share. */
  readonly minImprovement: number;
};

/** When new points of a segment's target and inputs begin a cycle. */
export type OnNewData = {
  readonly minRows: number;
  readonly quietSeconds: number;
  readonly maxWaitSeconds: number;
  readonly cooldownSeconds: number;
};

export type PipelineSettings = {
  readonly name: string;
  readonly segmentId: string;
  readonly entries: readonly PoolEntry[];
  /** Steps; null: the horizon of the segment's split. */
  readonly horizon: number | null;
  readonly metric: TrainingMetric;
  /** Null: it is trained once when it is made, and then on a word or a trigger alone. */
  readonly schedule: Windows | null;
  readonly policy: PromotionPolicy;
  readonly onNewData: OnNewData | null;
  /** Credits; null: no cap. */
  readonly monthlyCreditCap: number | null;
  /** What it deploys may have a licence that forbids commercial use; absent: it may not. */
  readonly acceptNonCommercial?: true;
};

/** What stands for what a caller does not name. */
export const DEFAULTS = {
  metric: 'mase',
  policy: { mode: 'manual', demotePrevious: true, minImprovement: 0 },
  onNewData: { minRows: 100, quietSeconds: 300, maxWaitSeconds: 3600, cooldownSeconds: 3600 },
  /** Once a day. */
  gapSeconds: 86_400,
} as const;

/** How an entry is called in answers: by its model and, where it has such, how deep and from how much. */
export function refOf({ modelId, intensity, lookback }: PoolEntry): string {
  const more = [intensity, lookback].filter(part => part !== null);
  return more.length === 0 ? modelId : `${modelId}@${more.join('/')}`;
}

/** Two entries that are the same would be trained twice alike. */
const sameness = ({ modelId, intensity, lookback }: PoolEntry): string =>
  JSON.stringify([modelId, intensity, lookback]);

/** The entries without those that stand there already; the first of each is kept. */
export function withoutDoubles(entries: readonly PoolEntry[]): readonly PoolEntry[] {
  const seen = new Set<string>();
  return entries.filter(entry => {
    const is = sameness(entry);
    return !seen.has(is) && seen.add(is);
  });
}
