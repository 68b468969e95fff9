import type { Fact, NewFact } from '../../domain/fact.js';
import { isAlias } from '../../domain/marketplace/aliases.js';
import type { KeptRecipe, SegmentFact } from '../../domain/segments/facts.js';
import { streamsIn } from '../../domain/segments/responses.js';
import { segmentDocId, type SegmentDoc, type TableDoc } from './documents.js';

type Created = NewFact<Extract<SegmentFact, { type: 'SegmentCreated' }>>;
export function created({ data, meta, at }: Created): SegmentDoc {
  const { segmentId, name, description, recipe } = data;
  return {
    _id: segmentDocId(meta.workspace!, segmentId),
    workspace: meta.workspace!,
    segment_id: segmentId,
    ...{ name, description, recipe },
    aliased: isAliased(recipe),
    status: 'building',
    version: 1,
    revision: 1,
    ...asked(1),
    table: null,
    error: null,
    changed_rows: null,
    changed_at: null,
    created_at: at,
    created_by: meta.actor,
    updated_at: at,
  };
}

const isAliased = ({ target, inputs, ...of }: KeptRecipe): boolean =>
  [target, ...inputs.map(({ key }) => key)].some(key => isAlias('signal', key))
  || streamsIn(of).some(stream => isAlias('stream', stream));

const asked = (build: number) => ({ build, attempt: 0, started_at: null, open: true });

/** The segment after a fact; null: it is gone. */
export function changed(doc: SegmentDoc, fact: Fact<SegmentFact>): SegmentDoc | null {
  const by = changesOf(doc, fact);
  return by && { ...doc, ...by };
}

function changesOf(doc: SegmentDoc, fact: Fact<SegmentFact>): Partial<SegmentDoc> | null {
  switch (fact.type) {
    case 'SegmentCreated':
      return created(fact);
    case 'SegmentRenamed':
    case 'SegmentRevised':
    case 'SegmentRebuildRequested':
      return editedBy(doc, fact);
    case 'SegmentBuildStarted':
      return { attempt: fact.data.attempt, started_at: fact.position };
    case 'SegmentBuilt':
      return builtOf(doc, fact);
    case 'SegmentBuildFailed': {
      const { code, message } = fact.data;
      return { status: 'failed', open: false, error: { code, message } };
    }
    case 'SegmentWentStale': {
      const { changedRows: changed_rows, upTo: changed_at } = fact.data;
      const status = doc.status === 'ready' ? 'stale' : doc.status;
      return { status, changed_rows, changed_at };
    }
    case 'SegmentDeleted':
      return null;
  }
}

type Edit = NewFact<
  Extract<SegmentFact, { type: 'SegmentRenamed' | 'SegmentRevised' | 'SegmentRebuildRequested' }>
>;
function editedBy(doc: SegmentDoc, fact: Edit): Partial<SegmentDoc> {
  const edited = { revision: doc.revision + 1, updated_at: fact.at };
  const building = { status: 'building', error: null } as const;
  switch (fact.type) {
    case 'SegmentRenamed':
      return { ...edited, name: fact.data.name, description: fact.data.description };
    case 'SegmentRevised': {
      const { recipe, version, build } = fact.data;
      return { ...building, ...edited, recipe, aliased: isAliased(recipe), version, ...asked(build) };
    }
    case 'SegmentRebuildRequested':
      return { ...building, ...asked(fact.data.build) };
  }
}

/** The segment with what somebody made, or changed, of it just now; null: neither. */
export function withDecided(
  doc: SegmentDoc | null,
  decided: readonly NewFact<SegmentFact>[],
): SegmentDoc | null {
  let known = doc;
  for (const fact of decided)
    switch (fact.type) {
      case 'SegmentCreated':
        known = created(fact);
        break;
      case 'SegmentRenamed':
      case 'SegmentRevised':
      case 'SegmentRebuildRequested':
        known &&= { ...known, ...editedBy(known, fact) };
    }
  return known;
}

type Built = Fact<Extract<SegmentFact, { type: 'SegmentBuilt' }>>;
function builtOf({ started_at, changed_at, changed_rows }: SegmentDoc, fact: Built): Partial<SegmentDoc> {
  // What changed while it was built is not in it
  const isStale = changed_at !== null && changed_at > started_at!;
  return {
    status: isStale ? 'stale' : 'ready',
    open: false,
    error: null,
    table: tableOf(fact, started_at!),
    ...(isStale ? { changed_rows, changed_at } : { changed_rows: null, changed_at: null }),
  };
}

export const tableOf = ({ data, at }: Built, readAt: number): TableDoc => ({
  ...data.table,
  version: data.version,
  build: data.build,
  read_at: readAt,
  built_at: at,
});
