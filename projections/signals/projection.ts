import type { Fact } from '../../domain/fact.js';
import type { PointsRecorded, PointsRevised, SignalFact } from '../../domain/signals/facts.js';
import { lastTime, unpacked } from '../../domain/signals/points.js';
import { autoGroupOf, inferredUnit } from '../../domain/maths/series/units.js';
import type { Leaf } from '../engine/leaves.js';
import { projection, type After, type Before } from '../engine/projection.js';
import type { Place, Tallies } from '../engine/tallies.js';
import type { Trees } from '../engine/trees.js';
import type {
  SignalDoc,
  SignalEndDoc,
  SignalGroupDoc,
  SignalRevisionDoc,
  SignalSketchDoc,
  SignalWorkspaceDoc,
} from './documents.js';
import { LEAF_POINTS, sketchOf, withPoints, type PointsLeaf } from './leaf.js';

type Docs = {
  signal_groups: SignalGroupDoc;
  signal_workspaces: SignalWorkspaceDoc;
  signal_ends: SignalEndDoc;
  signal_revisions: SignalRevisionDoc;
  signals: SignalDoc;
  signal_sketches: SignalSketchDoc;
  signal_points: PointsLeaf;
};
type Writing = Fact<PointsRecorded | PointsRevised>;

export const signalId = (workspace: string, key: string): string => `${workspace}/${key}`;
const ofSignal = ({ data, meta }: Fact<SignalFact>): string => signalId(meta.workspace!, data.key);

const MOST_LEAVES = 2_000;

/** Signals, their points in leaves of at most so many, and what is said of them. */
export const signalsProjectionWith = (leafPoints: number, mostLeaves = MOST_LEAVES) =>
  projection<Docs, SignalFact>({
    name: 'signals',
    version: 2,
    collections: {
      signal_groups: { indexes: [['workspace', 'count', 'name']], idOf: () => null },
      signal_workspaces: { indexes: [], idOf: ({ meta }) => meta.workspace },
      signal_ends: { indexes: [], idOf: fact => (fact.type === 'SignalDeleted' ? ofSignal(fact) : null) },
      signal_revisions: {
        indexes: [['signal', '_id']],
        idOf: fact => (fact.type === 'PointsRevised' ? revisionId(ofSignal(fact), fact.revision) : null),
      },
      signals: {
        indexes: [
          ['workspace', 'last_at', 'key'],
          ['workspace', 'count', 'key'],
          ['workspace', 'group', 'key'],
          ['workspace', 'group', 'last_at', 'key'],
          ['workspace', 'group', 'count', 'key'],
        ],
        idOf: ofSignal,
      },
      signal_sketches: { indexes: [['tree', 'from', '_id']], idOf: () => null },
      signal_points: { indexes: [], idOf: () => null },
    },
    on: {
      PointsRecorded: (before, fact) => {
        const signal = before.signals ? recordedOn(before.signals, fact) : begun(fact);
        return becomes(before, fact, signal, fact.data.points.values.length);
      },
      PointsRevised: (before, fact) => {
        if (!before.signals) return {};
        return {
          ...becomes(before, fact, revisedOn(before.signals, fact), 0),
          signal_revisions: revisionBefore(fact),
        };
      },
      SignalUnitReported: (before, fact) => labelled(before, fact, { reported_unit: fact.data.unit }),
      SignalUnitAssigned: (before, fact) => labelled(before, fact, { assigned_unit: fact.data.unit }),
      SignalGroupAssigned: (before, fact) =>
        labelled(before, fact, {
          group: fact.data.group ?? autoGroupOf(fact.data.key),
          assigned: fact.data.group !== null,
        }),
      SignalNamed: (before, fact) => labelled(before, fact, { name: fact.data.name }),
      SignalDeleted(before, fact) {
        const points = before.signals?.count ?? 0;
        const all = before.signal_workspaces;
        return {
          signals: null,
          signal_ends: { _id: ofSignal(fact), revision: fact.revision, at: fact.position, points },
          ...(all
            && before.signals && {
              signal_workspaces: {
                ...all,
                signals: all.signals - 1,
                points: all.points - points,
                changed: fact.position,
              },
            }),
        };
      },
    },
    sweeps: {
      SignalDeleted: fact => ({ signal_revisions: { signal: ofSignal(fact) } }),
    },
    trees: {
      collection: 'signal_points',
      mostLeaves,
      treeOf: fact => (isWriting(fact) ? ofSignal(fact) : null),
      endOf: fact => (fact.type === 'SignalDeleted' ? ofSignal(fact) : null),
      timesOf: fact => unpacked((fact as Writing).data.points).times,
      evolve: (leaf, fact, part) =>
        withPoints(leaf, (fact as Writing).data.points, fact.at, part, leafPoints),
      sketches: { collection: 'signal_sketches', of: sketchOf },
    } satisfies Trees<PointsLeaf, SignalFact> as unknown as Trees<Leaf, SignalFact>,
    tallies: {
      collection: 'signal_groups',
      of: 'signals',
      placeOf: groupOf,
    } satisfies Tallies<SignalDoc> as unknown as Tallies,
  });

export const signalsProjection = signalsProjectionWith(LEAF_POINTS);

export const groupId = (workspace: string, group: string): string => `${workspace}/${group}`;
function groupOf({ workspace, group: name, assigned }: SignalDoc): Place {
  return { id: groupId(workspace, name), kind: assigned ? 'user' : 'inferred', about: { workspace, name } };
}

const isWriting = (fact: Fact<SignalFact>): fact is Writing =>
  fact.type === 'PointsRecorded' || fact.type === 'PointsRevised';

function begun(fact: Fact<PointsRecorded>): SignalDoc {
  const {
    data: { key, points, origin },
    meta,
    at,
    revision,
  } = fact;
  return {
    _id: ofSignal(fact),
    workspace: meta.workspace!,
    key,
    origin,
    revision,
    count: points.values.length,
    first_at: points.from,
    last_at: lastTime(points),
    last_value: points.values.at(-1)!,
    recorded_at: at,
    reported_unit: null,
    assigned_unit: null,
    inferred_unit: inferredUnit(key),
    name: null,
    group: autoGroupOf(key),
    assigned: false,
  };
}

function recordedOn(signal: SignalDoc, { data: { points }, at, revision }: Fact<PointsRecorded>): SignalDoc {
  const last = lastTime(points);
  const later = last > signal.last_at;
  return {
    ...signal,
    revision,
    recorded_at: at,
    count: signal.count + points.values.length,
    first_at: Math.min(signal.first_at, points.from),
    ...(later && { last_at: last, last_value: points.values.at(-1)! }),
  };
}

function revisedOn(signal: SignalDoc, { data: { points }, at, revision }: Fact<PointsRevised>): SignalDoc {
  const newest = lastTime(points) === signal.last_at;
  return { ...signal, revision, recorded_at: at, ...(newest && { last_value: points.values.at(-1)! }) };
}

/** The workspace's numbers with it; `points`: how many more there are. */
function becomes(before: Before<Docs>, fact: Writing, signal: SignalDoc, points: number): After<Docs> {
  if (before.signals && points === 0) return { signals: signal };
  const all = before.signal_workspaces ?? {
    _id: fact.meta.workspace!,
    signals: 0,
    points: 0,
    changed: fact.position,
  };
  const more = { ...all, points: all.points + points };
  return {
    signals: signal,
    signal_workspaces: before.signals ? more : { ...more, signals: all.signals + 1, changed: fact.position },
  };
}

function labelled(before: Before<Docs>, fact: Fact<SignalFact>, members: Partial<SignalDoc>): After<Docs> {
  const { signals: signal, signal_workspaces: all } = before;
  if (!signal) return {};
  return {
    signals: { ...signal, revision: fact.revision, ...members },
    ...(all && { signal_workspaces: { ...all, changed: fact.position } }),
  };
}

/** `revision`: of the signal's journal. */
export const revisionId = (signal: string, revision: number): string =>
  `${signal}/${String(revision).padStart(16, '0')}`;

function revisionBefore(fact: Fact<PointsRevised>): SignalRevisionDoc {
  const {
    data: { points, was, since },
    at,
    revision,
  } = fact;
  return {
    _id: revisionId(ofSignal(fact), revision),
    signal: ofSignal(fact),
    revision,
    from: points.from,
    to: lastTime(points),
    points,
    was,
    since,
    until: at,
  };
}
