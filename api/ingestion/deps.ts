import type { Bodies } from '../../commands/ingestion/bodies.js';
import type { DeliveryCommands } from '../../commands/ingestion/deliveries.js';
import type { Refusal } from '../../commands/ingestion/connectors.js';
import type { JobCommands } from '../../commands/ingestion/jobs.js';
import type { SourceCommands } from '../../commands/ingestion/sources.js';
import type { Tried } from '../../commands/ingestion/trying.js';
import type { Config } from '../../domain/ingestion/masking.js';
import type { Source } from '../../domain/ingestion/sources/state.js';
import { Rejected } from '../../domain/rejected.js';
import type { Awaitable } from '../../projections/engine/awaitable.js';
import type { PollQueries } from '../../projections/ingestion/poll-queries.js';
import type { SourceDoc } from '../../projections/ingestion/source-documents.js';
import type { SourceQueries } from '../../projections/ingestion/source-queries.js';
import { mindMost } from '../edge/most.js';
import type { InOtherCell } from '../edge/other-cells.js';
import type { Connector } from './connectors.js';

type Visible = (position: number | null) => Promise<void>;

export type IngestionDeps = {
  readonly sources: SourceCommands;
  readonly jobs: JobCommands;
  /** The same, and nothing is written. */
  readonly dry: {
    readonly sources: Pick<SourceCommands, 'delete'>;
    readonly jobs: Pick<JobCommands, 'remove'>;
  };
  readonly polls: PollQueries;
  /** Why what a source of a connector is to ask may not be asked; null: it may. */
  readonly refusal: (connectorId: string, config: Config) => Promise<Refusal | null>;
  /** The first page of a source that is asked; nothing is stored. */
  readonly tried: (source: Source, signal: AbortSignal) => Promise<Tried>;
  readonly deliveries: DeliveryCommands;
  readonly bodies: Bodies;
  readonly queries: SourceQueries;
  readonly connectors: ReadonlyMap<string, Connector>;
  /** What a workspace may still write this month. */
  readonly allowance: {
    /** Why it may write no more; null: it may. */
    readonly refusal: (workspace: string) => Promise<Rejected | null>;
    readonly wrote: (workspace: string, rows: number) => void;
  };
  /** So many sources and jobs a workspace may have, and jobs one source. */
  readonly most: { readonly sources: number; readonly jobs: number; readonly jobsOfSource: number };
  /** An archived workspace takes nothing. */
  readonly isArchived: (workspace: string) => Awaitable<boolean>;
  /** Where others reach this platform, without a slash at its end. */
  readonly publicUrl: () => string;
  /** Why an id that is not known here is refused: it was made in another cell. */
  readonly inOtherCell: InOtherCell;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of ingestion, of events and of signals hold a fact. */
  readonly visible: Visible;
  readonly shown: { readonly events: Visible; readonly signals: Visible };
  /** Position of the last fact there is. */
  readonly head: () => Promise<number>;
};

export const tag = 'Ingestion';
export const reads = { kind: 'workspace', scope: 'data.read' } as const;
export const writes = { kind: 'workspace', scope: 'data.write' } as const;
export const one = '/v1/ingestion/sources/{source_id}';

/** @throws Rejected 404 for a source that is not of the workspace */
export async function foundSource(
  { queries }: IngestionDeps,
  workspace: string,
  sourceId: string,
): Promise<SourceDoc> {
  const source = await queries.source(workspace, sourceId);
  if (!source) throw new Rejected('missing', 'not_found', 'Source not found');
  return source;
}

/** @throws Rejected 403 where the workspace may have no more sources */
export async function mindSources(
  { queries, most }: Pick<IngestionDeps, 'queries' | 'most'>,
  workspace: string,
): Promise<void> {
  mindMost('A workspace', 'sources', await queries.count(workspace), most.sources);
}

/** @throws Rejected 403 where the workspace may have no more jobs */
export async function mindJobs(
  { polls, most }: Pick<IngestionDeps, 'polls' | 'most'>,
  workspace: string,
): Promise<void> {
  mindMost('A workspace', 'jobs', await polls.jobCount({ workspace }), most.jobs);
}

/** An answer to a delivery does not wait until what came of it is shown: whoever reads that does. */
export async function allNoted({ deliveries, visible, head }: IngestionDeps): Promise<void> {
  await deliveries.settled();
  await visible(await head());
}
