import type { Fact } from '../../domain/fact.js';
import type { SegmentFact } from '../../domain/segments/facts.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import type { Stored } from '../engine/read-models.js';
import { changed, created } from './changes.js';
import {
  segmentDocId,
  versionDocId,
  type SegmentDoc,
  type SegmentMomentDoc,
  type SegmentVersionDoc,
} from './documents.js';

type Docs = {
  segment_moments: SegmentMomentDoc;
  segment_versions: SegmentVersionDoc;
  segments: SegmentDoc;
};

const idOf = ({ data, meta }: Fact<SegmentFact>): string => segmentDocId(meta.workspace!, data.segmentId);
/** Of the document of how a segment stood after a fact. */
export const momentId = (fact: Fact<SegmentFact>): string =>
  `${idOf(fact)}/${String(fact.revision).padStart(8, '0')}`;

/** Segments, the versions of their recipes, and how they stood before. */
export const segmentsProjection: Projection = projection<Docs, SegmentFact>({
  name: 'segments',
  version: 1,
  collections: {
    segment_moments: { indexes: [['segment', 'at', '_id']], idOf: momentId },
    segment_versions: { indexes: [['segment', '_id']], idOf: versionId },
    segments: {
      indexes: [
        ['workspace', 'created_at', '_id'],
        ['open', 'workspace', 'created_at', '_id'],
        ['aliased', '_id'],
      ],
      idOf,
    },
  },
  on: {
    SegmentCreated: (_, fact) => ({
      segments: created(fact),
      segment_versions: version(fact, 1),
      segment_moments: moment(fact, created(fact)),
    }),
    SegmentRenamed: became,
    SegmentRevised: (before, fact) =>
      before.segments ? { ...became(before, fact), segment_versions: version(fact, fact.data.version) } : {},
    SegmentRebuildRequested: became,
    SegmentBuildStarted: became,
    SegmentBuilt(before, fact) {
      const { segments: doc, segment_versions: of } = before;
      if (!doc) return {};
      const after = changed(doc, fact)!;
      return {
        segments: after,
        segment_moments: moment(fact, after),
        ...(of && { segment_versions: { ...of, table: after.table } }),
      };
    },
    SegmentBuildFailed: became,
    SegmentWentStale: became,
    SegmentDeleted: () => ({ segments: null }),
  },
  // A deleted segment is gone from the past, too
  sweeps: {
    SegmentDeleted: fact => ({
      segment_moments: { segment: idOf(fact) },
      segment_versions: { segment: idOf(fact) },
    }),
  },
});

function became({ segments: doc }: Before<Docs>, fact: Fact<SegmentFact>): After<Docs> {
  const after = doc && changed(doc, fact);
  return after ? { segments: after, segment_moments: moment(fact, after) } : {};
}

function moment(fact: Fact<SegmentFact>, doc: SegmentDoc): SegmentMomentDoc {
  // Where a document was stored last, and in which page of facts, is no part of how the segment stood
  const { _at: _, ...was } = doc as Stored<SegmentDoc>;
  return { _id: momentId(fact), segment: was._id, at: fact.at, was };
}

/** The version that a fact makes, or was built of. */
function versionId(fact: Fact<SegmentFact>): string | null {
  if (fact.type === 'SegmentCreated') return versionDocId(idOf(fact), 1);
  if (fact.type === 'SegmentRevised' || fact.type === 'SegmentBuilt')
    return versionDocId(idOf(fact), fact.data.version);
  return null;
}

const version = (
  fact: Fact<Extract<SegmentFact, { type: 'SegmentCreated' | 'SegmentRevised' }>>,
  number: number,
): SegmentVersionDoc => ({
  _id: versionDocId(idOf(fact), number),
  segment: idOf(fact),
  version: number,
  recipe: fact.data.recipe,
  created_at: fact.at,
  created_by: fact.meta.actor,
  table: null,
});
