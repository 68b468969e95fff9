import type { Readable } from 'node:stream';
import type { Downloads } from '../../commands/downloads.js';
import type { TrainingFiles } from '../../commands/trainings/files.js';
import type { Retries } from '../../commands/trainings/retrying.js';
import type { TrainingCommands } from '../../commands/trainings/records.js';
import type { ModelWanted, Resolved } from '../../commands/trainings/resolving.js';
import type { Credits } from '../../commands/billing/credits.js';
import type { LogLine } from '../../domain/trainings/facts.js';
import type { TrainingQueries } from '../../projections/trainings/queries.js';

export type TrainingDeps = {
  readonly commands: TrainingCommands;
  readonly queries: TrainingQueries;
  readonly files: TrainingFiles;
  readonly credits: Pick<Credits, 'priceOf'>;
  readonly retries: Retries;
  readonly resolve: (workspace: string, wanted: ModelWanted) => Promise<Resolved>;
  readonly hasSegment: (workspace: string, segmentId: string) => Promise<boolean>;
  /** What was said while a training was done, the oldest first. @throws Rejected 404 */
  readonly logOf: (workspace: string, trainingId: string) => Promise<readonly LogLine[]>;
  /** Names of who made models, by uid; null for those who were erased. */
  readonly namesOf: (uids: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;
  /** The file of an uploaded model that a workspace may use; null: it has none such. @throws Rejected 409 */
  readonly original: (
    workspace: string,
    byomId: string,
  ) => Promise<{
    readonly path: string;
    readonly filename: string;
    readonly bytes: number;
    readonly sha256: string;
  } | null>;
  readonly downloads: Downloads;
  /** The address that others reach the platform at. */
  readonly url: () => string;
  /** A file that a training made. @throws Rejected 410 */
  readonly artifact: (sha256: string) => Promise<Readable>;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of trainings hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Trainings';
export const readAccess = { kind: 'workspace', scope: 'trainings.read' } as const;
export const runAccess = { kind: 'workspace', scope: 'trainings.run' } as const;
