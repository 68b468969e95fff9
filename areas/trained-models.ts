import { notLost } from '../commands/model-files.js';
import { ContentLost } from '../commands/ports/contents.js';
import { hostedOf, trainingFiles, type TrainingFiles } from '../commands/trainings/files.js';
import { LEVELS } from '../domain/maths/forecasting/quantiles.js';
import { MADE, noSuch, type MadeModel, type MadeModels } from '../domain/models/made.js';
import type { HostedModels } from '../domain/models/hosted.js';
import type { TrainedModel } from '../domain/models/trained.js';
import { Rejected } from '../domain/rejected.js';
import type { TrainingDoc } from '../projections/trainings/documents.js';
import { trainingsProjection } from '../projections/trainings/projection.js';
import { trainingQueries, type TrainingQueries } from '../projections/trainings/queries.js';
import { isSeen, type IsIn } from './adapters.js';
import type { Kernel } from './kernel.js';

type Deps = {
  readonly queries: TrainingQueries;
  readonly files: TrainingFiles;
  readonly hosted: Pick<HostedModels, 'find'>;
  readonly isIn: IsIn;
};

/** What trainings made, as it is deployed and served. */
export function trainedModels(
  kernel: Kernel,
  { hosted, isIn }: Pick<Deps, 'hosted' | 'isIn'>,
): Pick<MadeModels, 'training' | 'adapter' | 'find'> & Pick<TrainingQueries, 'isServedBy'> {
  const deps: Deps = {
    queries: trainingQueries(kernel.read(trainingsProjection)),
    files: trainingFiles(kernel.stores.trainings),
    ...{ hosted, isIn },
  };
  const { queries } = deps;
  return {
    isServedBy: queries.isServedBy,
    async training(workspace, trainingId) {
      const doc = await queries.training(workspace, trainingId);
      if (!doc) throw noSuch('training', trainingId);
      return orRefuse(notLost(await madeBy(deps, doc)), doc);
    },
    async adapter(workspace, by, adapterId) {
      const adapter = await queries.adapter(adapterId);
      const isTheirs =
        adapter
        && (by
          ? await isSeen(isIn, adapter, by)
          : adapter.visibility === 'public' || adapter.workspace === workspace);
      if (!isTheirs) throw noSuch('adapter', adapterId);
      const doc = (await queries.training(adapter.workspace, adapter.training_id))!;
      const model = notLost(await madeBy(deps, doc));
      // What came of another workspace's training is not told
      if (!model && doc.workspace !== workspace)
        throw new Rejected('conflict', 'not_deployable', `The adapter ${adapterId} cannot be deployed`);
      return orRefuse(model, doc);
    },
    async find({ family, slug }) {
      if (family === MADE.training) {
        const doc = await queries.byId(slug);
        return doc && madeBy(deps, doc);
      }
      if (family !== MADE.adapter) return null;
      const adapter = await queries.adapter(slug);
      const doc = adapter && (await queries.training(adapter.workspace, adapter.training_id));
      return doc && madeBy(deps, doc);
    },
  };
}

/** Null: nothing serves of it. One whose file is gone is known as `lost`. */
async function madeBy({ files, hosted }: Deps, doc: TrainingDoc): Promise<MadeModel | null> {
  const { servable, blueprint, what, finished_at: listedAt, training_id: trainingId } = doc;
  if (!servable || listedAt === null) return null;
  const { workspace, segment_version: segmentVersion, table_hash: tableHash } = doc;
  const madeBy = { workspace, trainingId, segmentVersion, tableHash };
  const { trained, lost } = await plainOf(files, doc, servable.model);
  const of = { blueprintUid: blueprint.uid, trainingId, madeBy, ...(lost !== undefined && { lost }) };
  if (what.kind === 'foundation') {
    const backbone = await hosted.find(what.fineTune.model);
    if (!backbone) return null;
    const { sha256, bytes, version } = servable;
    return {
      ...backbone,
      ...(trained && { trained }),
      ...{ family: MADE.adapter, slug: what.adapterId, name: blueprint.name, sha256, bytes, version },
      ...{ listedAt, recommended: false, benchmarks: null, ...of },
    };
  }
  if (!trained) return null;
  const { name, description } = blueprint;
  const about = { name, description, licence: 'own', commercialUse: true, parameters: 0, listedAt };
  return { ...hostedOf({ ...about, family: 'trained', slug: trainingId }, trained, servable), ...of };
}

/** What is kept of it as plain data; a stand-in that nobody asks where that is gone. */
async function plainOf(
  files: TrainingFiles,
  { training_id, horizon, lookback }: TrainingDoc,
  sha256: string | null,
): Promise<{ readonly trained: TrainedModel | null; readonly lost?: string }> {
  try {
    return { trained: sha256 === null ? null : await files.model(training_id, sha256) };
  } catch (error) {
    if (!(error instanceof ContentLost)) throw error;
    const nothing = { algorithm: 'lost', readsTimes: false, covariates: [], hasGraph: false, plan: null };
    const bounds = { lookback: lookback ?? 0, horizon: horizon ?? 0, levels: LEVELS };
    return { trained: { schema: 1, ...bounds, ...nothing }, lost: `trainings/${error.message}` };
  }
}

/** @throws Rejected 409 */
function orRefuse(model: MadeModel | null, { status, training_id, warnings }: TrainingDoc): MadeModel {
  if (model) return model;
  if (status !== 'completed')
    throw new Rejected('conflict', 'training_not_completed', `The training is ${status}`, { status });
  throw new Rejected('conflict', 'not_deployable', `The training ${training_id} kept nothing that serves`, {
    warnings,
  });
}
