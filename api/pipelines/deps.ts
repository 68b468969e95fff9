import type { Context } from '../../commands/engine/handle.js';
import type { Cycles } from '../../commands/pipelines/cycles.js';
import type { PipelineCommands } from '../../commands/pipelines/records.js';
import type { HostedModels } from '../../domain/models/hosted.js';
import type { ModelWanted, Resolved } from '../../commands/trainings/resolving.js';
import type { PipelineQueries } from '../../projections/pipelines/queries.js';

/** What a plan allows, and what there is of it. `limit` null: as many as one likes. */
export type PipelineQuota = { readonly limit: number | null; readonly used: number; readonly plan: string };

export type PipelineDeps = {
  readonly commands: PipelineCommands;
  readonly cycles: Cycles;
  /** The same, and nothing is written. */
  readonly tried: { readonly commands: PipelineCommands; readonly cycles: Cycles };
  readonly queries: PipelineQueries;
  /** Which model is meant, and that it can be trained. @throws Rejected */
  readonly resolve: (workspace: string, wanted: ModelWanted) => Promise<Resolved>;
  readonly hosted: Pick<HostedModels, 'find'>;
  /** The goal that names a pipeline, the newest of several that are not archived; null: none does. */
  readonly goalOf: (workspace: string, pipelineId: string) => Promise<string | null>;
  /** A segment by its name, and the horizon of its split; null: the workspace has none with this id. */
  readonly segment: (
    workspace: string,
    segmentId: string,
  ) => Promise<{ readonly name: string; readonly horizon: number } | null>;
  /** Points of a segment's target and inputs that there are. */
  readonly rowsOf: (workspace: string, segmentId: string) => Promise<number>;
  readonly quota: (workspace: string) => Promise<PipelineQuota>;
  /** Begins to deploy an approved candidate; the id of its deployment, null: it cannot be deployed. */
  readonly promote: (
    of: { readonly workspace: string; readonly pipelineId: string },
    candidateId: string,
    context: Context,
  ) => Promise<string | null>;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of pipelines hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Pipelines';
export const readAccess = { kind: 'workspace', scope: 'trainings.read' } as const;
export const runAccess = { kind: 'workspace', scope: 'trainings.run' } as const;
export const one = '/v1/pipelines/{pipeline_id}';
