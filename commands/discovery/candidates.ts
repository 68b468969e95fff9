import type { Scope, Source, Wanted } from '../../domain/discovery/facts.js';
import type { EdgeOf } from '../../domain/edges/facts.js';
import type { EdgeStatus } from '../../domain/goals/ports.js';
import { entityOf } from '../../domain/maths/series/units.js';
import type { DiscoveryReads } from './ports.js';

/** So many of each kind are looked at together. */
export const MOST_SOURCES = 100;

export type Known = Pick<EdgeOf, 'edgeId' | 'kind' | 'sourceKey'> & { readonly status: EdgeStatus };
export type Chosen = {
  readonly sources: readonly Source[];
  readonly edgeIds: readonly string[];
  readonly leftOut: number;
};

type Looking = {
  readonly workspace: string;
  readonly target: string;
  /** The goal is one of a fleet. */
  readonly isOfFleet: boolean;
  readonly scope: Scope;
};

/**
 * What a discovery looks at together: the edges that are known, and of a search what else may drive the
 * target. What a person blocked is not among it, nor are a fleet's other entities, unless they are named:
 * hundreds of them would leave no room for anything else.
 */
export async function candidatesOf(
  reads: Pick<DiscoveryReads, 'signals' | 'streams'>,
  { workspace, target, isOfFleet, scope }: Looking,
  known: readonly Known[],
): Promise<Chosen> {
  const exclude = new Set(scope.kind === 'search' ? scope.exclude : []);
  const blocked = new Set(known.filter(({ status }) => status === 'blocked').map(idOf));
  const beside = known.filter(edge => isBeside(edge, scope) && !exclude.has(edge.sourceKey));
  const chosen = new Map(beside.map(edge => [idOf(edge), sourceOf(edge)]));
  const count = { signal: 0, event_stream: 0 };
  for (const { kind } of chosen.values()) count[kind]++;
  let leftOut = 0;
  const base =
    isOfFleet && scope.kind === 'search' && scope.signals === 'all' ? entityOf(target)?.base : null;
  const isOwn = (kind: Source['kind'], key: string): boolean =>
    kind === 'signal' && (key === target || (base != null && entityOf(key)?.base === base));
  const add = (kind: Source['kind'], keys: readonly string[]): void => {
    for (const sourceKey of keys) {
      const id = idOf({ kind, sourceKey });
      if (isOwn(kind, sourceKey) || exclude.has(sourceKey) || blocked.has(id) || chosen.has(id)) continue;
      if (count[kind] >= MOST_SOURCES) {
        leftOut++;
        continue;
      }
      count[kind]++;
      chosen.set(id, { kind, sourceKey });
    }
  };
  if (scope.kind === 'search') {
    for await (const keys of wantedOf(scope.eventStreams, reads.streams(workspace)))
      add('event_stream', keys);
    for await (const keys of wantedOf(scope.signals, reads.signals(workspace))) add('signal', keys);
  }
  return { sources: [...chosen.values()], edgeIds: known.map(({ edgeId }) => edgeId), leftOut };
}

/** Edges that are told apart from what else is looked at, and those that are to be looked at again. */
function isBeside({ edgeId, status }: Known, scope: Scope): boolean {
  if (status === 'blocked') return false;
  if (scope.kind === 'recheck' && scope.edgeIds.includes(edgeId)) return true;
  return status !== 'rejected' && status !== 'retired';
}

const idOf = ({ kind, sourceKey }: Source): string => `${kind} ${sourceKey}`;
const sourceOf = ({ kind, sourceKey }: Source): Source => ({ kind, sourceKey });

async function* wantedOf(
  wanted: Wanted,
  all: AsyncIterable<readonly string[]>,
): AsyncGenerator<readonly string[]> {
  if (wanted === 'all') yield* all;
  else yield wanted;
}
