import type { Adapter, Adapters } from '../api/models/deps.js';
import { hostedOf, trainingFiles, type TrainingFiles } from '../commands/trainings/files.js';
import { MADE, noSuch, type Asker, type MadeModel, type MadeModels } from '../domain/models/made.js';
import type { HostedModels } from '../domain/models/hosted.js';
import { Rejected } from '../domain/rejected.js';
import type { AdapterDoc, TrainingDoc } from '../projections/trainings/documents.js';
import { trainingsProjection } from '../projections/trainings/projection.js';
import { trainingQueries, type TrainingQueries } from '../projections/trainings/queries.js';
import type { Kernel } from './kernel.js';

/** Whether somebody is in a workspace. */
type IsIn = (workspace: string, uid: string) => Promise<boolean>;

/** A private one is seen by whoever made it, as long as they, and their token, may be where it was made. */
const isSeen = async (
  isIn: IsIn,
  { visibility, owner, workspace }: AdapterDoc,
  { uid, workspaceIds }: Asker,
): Promise<boolean> =>
  visibility === 'public'
  || (owner === uid && (workspaceIds?.includes(workspace) ?? true) && (await isIn(workspace, uid)));

/** Adapters as people see them. */
export function adaptersOf(kernel: Kernel, isIn: IsIn): Adapters {
  const queries = trainingQueries(kernel.read(trainingsProjection));
  return {
    async seenBy(by, { visibility, ...filter }) {
      const seen: Adapter[] = [];
      for (const doc of await queries.adapters(by.uid, visibility, filter))
        if (await isSeen(isIn, doc, by)) seen.push(adapterView(doc));
      return seen;
    },
    async one(by, adapterId) {
      const doc = await queries.adapter(adapterId);
      return doc && (await isSeen(isIn, doc, by)) ? adapterView(doc) : null;
    },
  };
}

const adapterView = (doc: AdapterDoc): Adapter => {
  const { backbone, task, visibility, name, owner, status, intensity, lookback, horizon, metrics } = doc;
  return {
    adapterId: doc.adapter_id,
    backbone: { family: backbone.family, slug: backbone.slug },
    ...{ task, visibility, name, owner, status, intensity, lookback, horizon, metrics },
    trainingId: doc.training_id,
    segmentId: doc.segment_id,
    sizeBytes: doc.servable?.bytes ?? null,
    createdAt: doc.created_at,
  };
};

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
      return orRefuse(await madeBy(deps, doc), doc);
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
      const model = await madeBy(deps, doc);
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

/** Null: nothing serves of it. */
async function madeBy({ files, hosted }: Deps, doc: TrainingDoc): Promise<MadeModel | null> {
  const { servable, blueprint, what, finished_at: listedAt, training_id: trainingId } = doc;
  if (!servable || listedAt === null) return null;
  const { workspace, segment_version: segmentVersion, table_hash: tableHash } = doc;
  const madeBy = { workspace, trainingId, segmentVersion, tableHash };
  const of = { blueprintUid: blueprint.uid, trainingId, madeBy };
  const trained = servable.model === null ? null : await files.model(trainingId, servable.model);
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

/** @throws Rejected 409 */
function orRefuse(model: MadeModel | null, { status, training_id, warnings }: TrainingDoc): MadeModel {
  if (model) return model;
  if (status !== 'completed')
    throw new Rejected('conflict', 'training_not_completed', `The training is ${status}`, { status });
  throw new Rejected('conflict', 'not_deployable', `The training ${training_id} kept nothing that serves`, {
    warnings,
  });
}
