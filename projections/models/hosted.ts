import { blueprintUidOf, type HostedModel, type HostedModels } from '../../domain/models/hosted.js';
import type { Reader } from '../engine/reader.js';
import type { FoundationDoc } from './documents.js';

/** `own`: the models that come with the platform; the others, and what became of all, are in documents. */
export function hostedModels(read: Reader, own: readonly HostedModel[]): HostedModels {
  const ownByUid = new Map(own.map(model => [blueprintUidOf(model), model]));
  const byUid = async (uid: string): Promise<HostedModel | null> => {
    const doc = await read.get<FoundationDoc>('foundation_models', uid);
    return hostedModel(ownByUid.get(uid) ?? null, doc);
  };
  return {
    byUid,
    find: ref => byUid(blueprintUidOf(ref)),
    async all() {
      const docs = await read.find<FoundationDoc>('foundation_models', { where: {}, sort: { by: ['_id'] } });
      const byId = new Map(docs.map(doc => [doc._id, doc]));
      const uids = [...new Set([...ownByUid.keys(), ...byId.keys()])];
      return uids
        .flatMap(uid => hostedModel(ownByUid.get(uid) ?? null, byId.get(uid) ?? null) ?? [])
        .sort(byName);
    },
  };
}

/** By family and slug, as code units order. */
export const byName = (a: HostedModel, b: HostedModel): number =>
  compared(a.family, b.family) || compared(a.slug, b.slug);
const compared = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** A model as it is now; null where nothing is known but that it was once there. */
function hostedModel(own: HostedModel | null, doc: FoundationDoc | null): HostedModel | null {
  const model = own ?? imported(doc);
  if (!model || !doc) return model;
  return { ...model, deprecatedAt: doc.deprecated_at, replacement: doc.replacement };
}

const imported = (doc: FoundationDoc | null): HostedModel | null =>
  doc?.listing
    ? {
        ...doc.listing,
        version: doc.listing.sha256.slice(0, 12),
        recommended: false,
        listedAt: doc.listed_at!,
        deprecatedAt: null,
        replacement: null,
      }
    : null;
