import type { Fact } from '../../domain/fact.js';
import { autoGroupOf } from '../../domain/maths/series/units.js';
import type { SignalFact } from '../../domain/signals/facts.js';
import { unpacked } from '../../domain/signals/points.js';
import type { Leaf } from '../engine/leaves.js';
import { projection } from '../engine/projection.js';
import type { Place, Tallies } from '../engine/tallies.js';
import type { Trees } from '../engine/trees.js';
import {
  becomes,
  begun,
  ended,
  labelled,
  recordedOn,
  revisedOn,
  revisionBefore,
  type Writing,
} from './changes.js';
import type { SignalDoc, SignalDocs, PointsLeaf } from './documents.js';
import { groupId, ofSignal, revisionId } from './ids.js';
import { LEAF_POINTS, withPoints } from './leaf.js';
import { sketchOf } from './sketch.js';

const MOST_LEAVES = 2_000;

/** Signals, their points in leaves of at most so many, and what is said of them. */
export const signalsProjectionWith = (leafPoints: number, mostLeaves = MOST_LEAVES) =>
  projection<SignalDocs, SignalFact>({
    name: 'signals',
    version: 6,
    // When signals ended they do not say: those that ended before are not in lists of past moments, until all
    // are built
    carries: [4, 5],
    collections: {
      signal_groups: { indexes: [['workspace', 'count', 'name']], idOf: () => null },
      signal_workspaces: { indexes: [], idOf: ({ meta }) => meta.workspace },
      signal_ends: {
        indexes: [['workspace', 'ended_at', '_id']],
        idOf: fact => (fact.type === 'SignalDeleted' ? ofSignal(fact) : null),
      },
      signal_revisions: {
        indexes: [
          ['signal', '_id'],
          ['signal', 'until', 'from', 'to', '_id'],
        ],
        idOf: fact => (fact.type === 'PointsRevised' ? revisionId(ofSignal(fact), fact.revision) : null),
      },
      signals: {
        indexes: [
          ['workspace', 'last_at', 'key'],
          ['workspace', 'count', 'key'],
          ['workspace', 'group', 'key'],
          ['workspace', 'group', 'last_at', 'key'],
          ['workspace', 'group', 'count', 'key'],
          ['workspace', 'said_at', '_id'],
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
      SignalDeleted: ended,
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

function groupOf({ workspace, group: name, assigned }: SignalDoc): Place {
  return { id: groupId(workspace, name), kind: assigned ? 'user' : 'inferred', about: { workspace, name } };
}

const isWriting = (fact: Fact<SignalFact>): fact is Writing =>
  fact.type === 'PointsRecorded' || fact.type === 'PointsRevised';
