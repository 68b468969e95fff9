import type { Credits } from '../../commands/billing/credits.js';
import type { WorkDeps } from '../../commands/inference/work.js';
import type { Replayed } from '../../commands/inference/replay.js';
import type { InferenceRecords } from '../../commands/inference/records.js';
import type { InferenceQueries } from '../../projections/inference/queries.js';
import type { RecordedInference } from '../../domain/inference/state.js';
import type { Actuals } from './record-views.js';
import type { Slots } from './slots.js';

export type InferenceDeps = WorkDeps & {
  readonly records: InferenceRecords;
  readonly queries: InferenceQueries;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models hold the fact at a position; null: nothing was written. */
  readonly visible: (position: number | null) => Promise<void>;
  /** Names of API tokens, of those that there are. */
  readonly tokenNames: (tokenIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** What came of forecasts of signals, as far as it came. */
  readonly actuals: (workspace: string, record: RecordedInference) => Promise<Actuals>;
  /** Makes an answer again from the log alone. @throws Rejected 409 where there is none */
  readonly replay: (workspace: string, record: RecordedInference, signal: AbortSignal) => Promise<Replayed>;
  readonly slots: Slots;
  readonly credits: Credits;
  /** So many of a workspace may be queued or worked on later. */
  readonly mostQueued: number;
};

export const tag = 'Inference';
export const reads = { kind: 'workspace', scope: 'inferences.read' } as const;
export const creates = { kind: 'workspace', scope: 'inferences.create' } as const;
/** Bodies of series are large. */
export const INFERENCE_BODY_BYTES = 16_000_000;
export const posts = {
  method: 'post',
  tag,
  access: creates,
  policy: 'inference',
  bodyLimit: INFERENCE_BODY_BYTES,
} as const;
