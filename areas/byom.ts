import { byomValidation } from '../adapters/byom/validate.js';
import { opened } from '../adapters/sending.js';
import { secretsOf } from '../adapters/vault/secrets.js';
import { originalOf, type Original } from '../api/byom/views.js';
import { byomRows } from '../api/byom/rows.js';
import { byomCommands, fileOf } from '../commands/byom.js';
import { sampleOf } from '../commands/byom/sample.js';
import { downloads } from '../commands/downloads.js';
import { tables } from '../commands/segments/tables.js';
import type { ResolvingDeps } from '../commands/trainings/resolving.js';
import { byomIdOf, hostedOf } from '../domain/byom/listing.js';
import { MADE, noSuch, type MadeModel, type MadeModels } from '../domain/models/made.js';
import { usualStep } from '../domain/maths/series/grid.js';
import { Rejected } from '../domain/rejected.js';
import { SECOND } from '../domain/time.js';
import type { ByomDoc } from '../projections/byom/documents.js';
import { byomProjection } from '../projections/byom/projection.js';
import { byomQueries } from '../projections/byom/queries.js';
import { modelsProjection } from '../projections/models/projection.js';
import { byomValidations } from '../workers/byom-validations.js';
import { area } from './area.js';
import type { Kernel } from './kernel.js';
import { byomNotices } from './notices.js';
import type { SegmentsArea } from './segments.js';

type On = {
  readonly segments: Pick<SegmentsArea, 'queries'>;
  /** Asked of deployments and pipelines, which are built on models: what needs one, in words. */
  readonly uses: (workspace: string, byomId: string) => Promise<readonly string[]>;
  /** Whether a file, by its SHA-256, serves a model that nobody brought. */
  readonly isServedBy: (sha256: string) => Promise<boolean>;
};

/** Models that users bring. */
export const byomArea = (kernel: Kernel, { segments, uses, isServedBy }: On) => {
  const { config, handle, load, read, stores, clock, newId, log, visibleIn, address } = kernel;
  const queries = byomQueries(read(byomProjection));
  // The same bytes may have come to us in another way, too: in one folder they are one file
  const isShared = async (sha256: string, byomId: string): Promise<boolean> =>
    (await queries.isShared(sha256, byomId)) || (await isServedBy(sha256));
  const { files, modelFiles } = stores;
  const commands = byomCommands({ handle, tryOut: kernel.tryOut, load, files, modelFiles, uses, isShared });
  const [own, listed] = [visibleIn(byomProjection), visibleIn(modelsProjection)];
  const kept = tables(stores.tables);
  const bounds = { memoryMb: config.BYOM_MEMORY_MB, withinMs: config.BYOM_WITHIN_S * 1_000 };
  return area({
    name: 'byom',
    queries,
    notices: byomNotices,
    schedulers: {
      'byom validations': () =>
        byomValidations({
          ...{ commands, queries, clock, newId, log, visible: own },
          validate: byomValidation(bounds),
          async series(workspace, segmentId) {
            const doc = await segments.queries.segment(workspace, segmentId);
            return doc?.table
              ? sampleOf(kept, segmentId, doc.table.manifest, usualStep(doc.recipe.step_s * SECOND))
              : null;
          },
        }),
    },
    rows: byomRows({
      ...{ commands, queries, clock },
      content: (workspace, byomId, sha256) => opened(files, fileOf(workspace, byomId), sha256),
      downloads: downloads(secretsOf(config, false), clock),
      url: address.url,
      most: { models: config.BYOM_MODELS, bytes: config.BYOM_BYTES },
      async segmentFits(workspace, segmentId) {
        const doc = await segments.queries.segment(workspace, segmentId);
        if (!doc) throw new Rejected('missing', 'not_found', `There is no segment ${segmentId}`);
        if (!doc.table)
          throw new Rejected('conflict', 'not_built', `There is no table yet; the segment is ${doc.status}`, {
            status: doc.status,
          });
      },
      async visible(position) {
        await Promise.all([own(position), listed(position)]);
      },
    }),
  });
};
export type ByomArea = ReturnType<typeof byomArea>;

type Uploaded = {
  readonly uploaded: ResolvingDeps['uploaded'];
  /**
   * The file of an uploaded model that a workspace may use, behind a path; null: it has none such.
   * @throws Rejected 409 where it was made public before that gave others its file
   */
  readonly original: (workspace: string, byomId: string) => Promise<Original | null>;
};

/** What is asked of models that users brought, by whom they are built on. */
export function broughtModels(kernel: Kernel): Pick<MadeModels, 'byom' | 'find'> & Uploaded {
  const queries = byomQueries(kernel.read(byomProjection));
  return {
    async byom(workspace, byomId) {
      const doc = await queries.usable(workspace, byomId);
      if (!doc) throw noSuch('uploaded model', byomId);
      if (doc.status === 'registered') return hostedIn(doc);
      throw new Rejected('conflict', 'not_validated', `The model is ${doc.status}: it must be registered`, {
        byom_status: doc.status,
      });
    },
    async find({ family, slug }) {
      const doc = family === MADE.byom ? await queries.any(slug) : null;
      return doc?.status === 'registered' ? hostedIn(doc) : null;
    },
    async original(workspace, byomId) {
      const doc = await queries.usable(workspace, byomId);
      if (doc && doc.workspace !== workspace && !doc.fileShared) throw notShared();
      return doc && originalOf(doc);
    },
    async uploaded(workspace, id) {
      const doc = await queries.usable(workspace, byomIdOf(id));
      if (doc?.status !== 'registered') return null;
      return { model: hostedIn(doc), uid: doc.uid!, owner: doc.created_by };
    },
  };
}

const notShared = (): Rejected =>
  new Rejected(
    'conflict',
    'not_exportable',
    'The model was made public before that gave others its file: it is for the workspace that uploaded it',
  );

const hostedIn = ({ _id: byomId, name, format, signature, network, registered_at }: ByomDoc): MadeModel =>
  hostedOf({ byomId, name, format, signature, network: network!, registeredAt: registered_at! });
