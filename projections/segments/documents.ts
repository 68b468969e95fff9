import { isAlias } from '../../domain/marketplace/aliases.js';
import type { Fact } from '../../domain/fact.js';
import type { KeptRecipe, KeptTable, SegmentFact } from '../../domain/segments/facts.js';
import type { Status } from '../../domain/segments/state.js';

/** A table that was built. Times are epoch ms; `read_at`: the position of the log from which it was read. */
export type TableDoc = KeptTable & {
  readonly version: number;
  readonly build: number;
  readonly read_at: number;
  readonly built_at: number;
};

/** A segment as it stands. Times are epoch ms. */
export type SegmentDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly segment_id: string;
  readonly name: string;
  readonly description: string;
  readonly recipe: KeptRecipe;
  readonly status: Status;
  readonly version: number;
  /** What a person changed, counted from 1. */
  readonly revision: number;
  /** The build that was asked for last, how often it was begun, and where the log stood then. */
  readonly build: number;
  readonly attempt: number;
  readonly started_at: number | null;
  /** It names signals or streams of a marketplace subscription. */
  readonly aliased: boolean;
  /** A build waits, or is under way. */
  readonly open: boolean;
  /** The last that was built; it may be of an earlier version. */
  readonly table: TableDoc | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly changed_rows: number | null;
  /** The position of the last fact that made it stale. */
  readonly changed_at: number | null;
  readonly created_at: number;
  readonly created_by: string;
  readonly updated_at: number;
};

/** A version of a segment's recipe, who made it, and the last table that was built of it. */
export type SegmentVersionDoc = {
  readonly _id: string;
  readonly segment: string;
  readonly version: number;
  readonly recipe: KeptRecipe;
  readonly created_at: number;
  readonly created_by: string;
  readonly table: TableDoc | null;
};

/** How a segment stood after a fact: what `as_of` reads. */
export type SegmentMomentDoc = {
  readonly _id: string;
  readonly segment: string;
  readonly at: number;
  readonly was: SegmentDoc;
};

export const segmentDocId = (workspace: string, segmentId: string): string => `${workspace}/${segmentId}`;
export const versionDocId = (segment: string, version: number): string =>
  `${segment}/${String(version).padStart(8, '0')}`;

type Created = Fact<Extract<SegmentFact, { type: 'SegmentCreated' }>>;
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

const isAliased = ({ target, inputs, event_streams: streams }: KeptRecipe): boolean =>
  [target, ...inputs.map(({ key }) => key)].some(key => isAlias('signal', key))
  || streams.some(({ stream }) => isAlias('stream', stream));

const asked = (build: number) => ({ build, attempt: 0, started_at: null, open: true });

/** The segment after a fact; null: it is gone. */
export function changed(doc: SegmentDoc, fact: Fact<SegmentFact>): SegmentDoc | null {
  const by = changesOf(doc, fact);
  return by && { ...doc, ...by };
}

function changesOf(doc: SegmentDoc, fact: Fact<SegmentFact>): Partial<SegmentDoc> | null {
  const { at, position } = fact;
  switch (fact.type) {
    case 'SegmentCreated':
      return created(fact);
    case 'SegmentRenamed': {
      const { name, description } = fact.data;
      return { name, description, revision: doc.revision + 1, updated_at: at };
    }
    case 'SegmentRevised': {
      const { recipe, version, build } = fact.data;
      const edited = { revision: doc.revision + 1, updated_at: at };
      return {
        recipe,
        aliased: isAliased(recipe),
        version,
        status: 'building',
        error: null,
        ...edited,
        ...asked(build),
      };
    }
    case 'SegmentRebuildRequested':
      return { status: 'building', error: null, ...asked(fact.data.build) };
    case 'SegmentBuildStarted':
      return { attempt: fact.data.attempt, started_at: position };
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
