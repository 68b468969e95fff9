import { availableParallelism } from 'node:os';
import { opened } from '../adapters/sending.js';
import { trainApart } from '../adapters/trainings/apart.js';
import { artifactFile, keeping } from '../adapters/trainings/keeping.js';
import { secretsOf } from '../adapters/vault/secrets.js';
import type { TrainingDeps } from '../api/trainings/deps.js';
import { trainingRows } from '../api/trainings/rows.js';
import { downloads } from '../commands/downloads.js';
import { tables } from '../commands/segments/tables.js';
import type { SegmentFound } from '../commands/trainings/doing.js';
import { trainingFiles } from '../commands/trainings/files.js';
import { trainingCommands } from '../commands/trainings/records.js';
import { resolve, type ModelWanted, type ResolvingDeps } from '../commands/trainings/resolving.js';
import { isMade, type MadeModels } from '../domain/models/made.js';
import type { HostedModel, ModelRef } from '../domain/models/hosted.js';
import { trainingJournalId, trainingNotFound } from '../domain/trainings/decider.js';
import { trainingFrames } from '../domain/trainings/frames.js';
import { trainingLog } from '../domain/trainings/log.js';
import { ownersNamed } from '../projections/models/builtin.js';
import { trainingsProjection } from '../projections/trainings/projection.js';
import { trainingQueries } from '../projections/trainings/queries.js';
import { trainingWork } from '../workers/trainings.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import type { DeploymentsArea } from './deployments.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import type { ModelsArea } from './models.js';
import { trainingNotices } from './notices.js';
import type { SegmentsArea } from './segments.js';

type On = {
  readonly identity: IdentityArea;
  readonly segments: SegmentsArea;
  readonly models: ModelsArea;
  readonly billing: BillingArea;
  readonly deployments: DeploymentsArea;
  readonly made: Pick<MadeModels, 'find'>;
  /** Asked of uploaded models. */
  readonly uploaded: ResolvingDeps['uploaded'];
  readonly original: TrainingDeps['original'];
  /** Asked of pipelines, which are built on trainings. */
  readonly retries: TrainingDeps['retries'];
};

/** Models are trained on segments, and judged on folds that they did not see. */
export const trainingsArea = (kernel: Kernel, on: On) => {
  const { config, handle, load, read, stores, clock, newId, log, visibleIn, address } = kernel;
  const { identity, models, billing, deployments, made, uploaded, original, retries } = on;
  const queries = trainingQueries(read(trainingsProjection));
  const commands = trainingCommands({ handle, load, credits: billing.credits });
  const visible = visibleIn(trainingsProjection);
  const files = trainingFiles(stores.trainings);
  const links = downloads(secretsOf(config, false), clock);
  const resolved = (workspace: string, wanted: ModelWanted) =>
    resolve({ hosted: models.hosted, blueprint: blueprintIn(models), uploaded }, workspace, wanted);
  const segment = segmentIn(on.segments);
  const hosted = (ref: ModelRef): Promise<HostedModel | null> =>
    isMade(ref) ? made.find(ref) : models.hosted.find(ref);
  return area({
    name: 'trainings',
    ...{ commands, queries },
    /** Links to files that need no credential. */
    downloads: links,
    /** Which model is meant, and that it can be trained. @throws Rejected */
    resolve: resolved,
    notices: trainingNotices,
    frames: { of: trainingFrames(queries.after), shown: visible },
    rows: trainingRows({
      ...{
        commands,
        queries,
        files,
        credits: billing.credits,
        resolve: resolved,
        downloads: links,
        original,
        retries,
      },
      ...{ clock, visible, url: address.url, namesOf: ownersNamed(identity.namesOf) },
      hasSegment: async (workspace, id) => (await on.segments.queries.segment(workspace, id)) !== null,
      artifact: sha256 => opened(stores.files, artifactFile(sha256), sha256),
      async logOf(workspace, trainingId) {
        const lines = await load(trainingLog, trainingJournalId(workspace, trainingId));
        if (!lines) throw trainingNotFound(trainingId);
        return lines;
      },
    }),
    training: () =>
      trainingWork({
        ...{ commands, queries, segment, hosted, clock, newId, visible, log },
        tables: tables(stores.tables),
        modelFiles: stores.modelFiles,
        keep: keeping({ files, modelFiles: stores.modelFiles, artifacts: stores.files }),
        train: trainApart({
          memoryMb: config.TRAINING_MEMORY_MB,
          withinS: config.TRAINING_WITHIN_S,
          folder: stores.modelFiles.folder,
        }),
        async deployed(workspace, promotionId) {
          const doc = await deployments.queries.deployment(workspace, promotionId);
          return doc && hosted(doc);
        },
        atOnce: config.TRAINING_PROCESSES || Math.max(1, Math.floor(availableParallelism() / 4)),
        worker: newId().slice(0, 8),
        alone: !stores.shared,
      }),
  });
};
export type TrainingsArea = ReturnType<typeof trainingsArea>;

/** Those that a workspace may see: its own, and public ones. */
const blueprintIn =
  ({ queries }: ModelsArea): ResolvingDeps['blueprint'] =>
  async (workspace, uid) => {
    const doc = await queries.blueprint(uid);
    // What was uploaded is asked for beside these
    if (!doc || doc.kind === 'byom') return null;
    const isTheirs = doc.visibility === 'public' || doc.workspace === workspace;
    return isTheirs ? { ...doc, uid } : null;
  };

/** A segment with the table that was built last, and the recipe that it was built of. */
const segmentIn =
  ({ queries }: SegmentsArea) =>
  async (workspace: string, segmentId: string): Promise<SegmentFound | null> => {
    const doc = await queries.segment(workspace, segmentId);
    if (!doc) return null;
    const { status, error, table, version, recipe } = doc;
    if (!table) return { status, error, built: null };
    const isLast = table.version === version;
    const of = isLast ? { recipe } : await queries.version(workspace, segmentId, table.version);
    return { status, error, built: of && { version: table.version, recipe: of.recipe, table } };
  };
