import type { Adapter, Adapters } from '../api/models/deps.js';
import type { Asker } from '../domain/models/made.js';
import type { AdapterDoc } from '../projections/trainings/documents.js';
import { trainingsProjection } from '../projections/trainings/projection.js';
import { trainingQueries } from '../projections/trainings/queries.js';
import type { Kernel } from './kernel.js';

/** Whether somebody is in a workspace. */
export type IsIn = (workspace: string, uid: string) => Promise<boolean>;

/** A private one is seen by whoever made it, as long as they, and their token, may be where it was made. */
export const isSeen = async (
  isIn: IsIn,
  { visibility, owner, workspace }: AdapterDoc,
  { uid, workspaceIds }: Asker,
): Promise<boolean> =>
  visibility === 'public'
  || (owner === uid && (workspaceIds?.includes(workspace) ?? true) && (await isIn(workspace, uid)));

/** Asks for each workspace once. */
function remembered(isIn: IsIn): IsIn {
  const known = new Map<string, Promise<boolean>>();
  return (workspace, uid) => {
    const found = known.get(workspace) ?? isIn(workspace, uid);
    known.set(workspace, found);
    return found;
  };
}

/** Adapters as people see them. */
export function adaptersOf(kernel: Kernel, isIn: IsIn): Adapters {
  const queries = trainingQueries(kernel.read(trainingsProjection));
  return {
    async seenBy(by, { visibility, ...filter }) {
      const once = remembered(isIn);
      const seen: Adapter[] = [];
      for await (const page of queries.adapters(by, visibility, filter))
        for (const doc of page) if (await isSeen(once, doc, by)) seen.push(adapterView(doc));
      return seen.sort((a, b) => b.createdAt - a.createdAt || (a.adapterId < b.adapterId ? -1 : 1));
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
