import type { Fact } from '../fact.js';
import type { Called, KeptRecipe, KeptTable, SegmentFact } from './facts.js';

export const statuses = ['building', 'ready', 'stale', 'failed'] as const;
export type Status = (typeof statuses)[number];

/** What may differ in a table: rows from and to (not included), epoch ms, of one entity or (null) of any. */
export type Changed = {
  readonly from: number;
  readonly to: number;
  readonly entity: string | null;
  readonly rows: number;
  /** The position of the last fact that counted; how many facts told of it, and when the last did. */
  readonly upTo: number;
  readonly told: number;
  readonly toldAt: number;
};

/**
 * `startedAt`: the position of the fact it began with; it reads what was recorded before. Null: it has not
 * begun.
 */
export type Build = { readonly build: number; readonly attempt: number; readonly startedAt: number | null };

export type LiveSegment = Called & {
  readonly status: Status;
  readonly recipe: KeptRecipe;
  readonly version: number;
  /** What a person changed, counted from 1. */
  readonly revision: number;
  readonly last: Build;
  /** The last table that was built, of which version, and from which position it was read. */
  readonly table: (KeptTable & { readonly version: number; readonly readAt: number }) | null;
  readonly changed: Changed | null;
};
export type SegmentState = { readonly status: 'none' } | LiveSegment;
export const initialState: SegmentState = { status: 'none' };

const asked = (build: number): Build => ({ build, attempt: 0, startedAt: null });

export function evolve(state: SegmentState, fact: Fact<SegmentFact>): SegmentState {
  if (fact.type === 'SegmentCreated') {
    const { segmentId: _, ...given } = fact.data;
    return {
      ...given,
      status: 'building',
      version: 1,
      revision: 1,
      last: asked(1),
      table: null,
      changed: null,
    };
  }
  if (state.status === 'none') return state;
  switch (fact.type) {
    case 'SegmentRenamed': {
      const { name, description } = fact.data;
      return { ...state, name, description, revision: state.revision + 1 };
    }
    case 'SegmentRevised': {
      const { version, recipe, build } = fact.data;
      return {
        ...state,
        status: 'building',
        version,
        recipe,
        revision: state.revision + 1,
        last: asked(build),
      };
    }
    case 'SegmentRebuildRequested':
      return { ...state, status: 'building', last: asked(fact.data.build) };
    case 'SegmentBuildStarted': {
      const { build, attempt } = fact.data;
      return { ...state, last: { build, attempt, startedAt: fact.position } };
    }
    case 'SegmentBuilt':
      return built(state, fact.data.version, fact.data.table);
    case 'SegmentBuildFailed':
      return { ...state, status: 'failed' };
    case 'SegmentWentStale':
      return wentStale(state, fact);
    case 'SegmentDeleted':
      return initialState;
  }
}

/** What changed while it was built is not in it. */
function built(state: LiveSegment, version: number, table: KeptTable): LiveSegment {
  const readAt = state.last.startedAt!;
  const changed = state.changed && state.changed.upTo > readAt ? state.changed : null;
  return { ...state, status: changed ? 'stale' : 'ready', table: { ...table, version, readAt }, changed };
}

function wentStale(
  state: LiveSegment,
  { data, at }: Fact<Extract<SegmentFact, { type: 'SegmentWentStale' }>>,
): LiveSegment {
  const { from, to, entity, upTo, changedRows: rows } = data;
  const told = (countsStill(state)?.told ?? 0) + 1;
  return {
    ...state,
    status: state.status === 'ready' ? 'stale' : state.status,
    changed: { from, to, entity, rows, upTo, told, toldAt: at },
  };
}

/** The changes that a new one is added to: those that the present build, or table, does not hold. */
export const countsStill = ({ status, changed, last, table }: LiveSegment): Changed | null => {
  const readAt = status === 'building' ? last.startedAt : table?.readAt;
  return changed && changed.upTo > (readAt ?? -1) ? changed : null;
};
