import type { Points, Runs } from '../../domain/signals/points.js';
import type { SignalOrigin } from '../../domain/signals/facts.js';
import type { Leaf } from '../engine/leaves.js';
import type { Tally } from '../engine/tallies.js';

/** A signal as it stands, without its points. Times are epoch ms. */
export type SignalDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly key: string;
  readonly origin: SignalOrigin;
  /** Its journal's revision of the last fact in here. */
  readonly revision: number;
  readonly count: number;
  readonly first_at: number;
  readonly last_at: number;
  readonly last_value: number;
  /** When points were last recorded. */
  readonly recorded_at: number;
  /** When the first was; absent: unknown. */
  readonly known_since?: number;
  /** What the source says, what a person says, and what the key tells, of its unit. */
  readonly reported_unit: string | null;
  readonly assigned_unit: string | null;
  readonly inferred_unit: string | null;
  readonly name: string | null;
  /** The group it is in, and whether a person put it there. */
  readonly group: string;
  readonly assigned: boolean;
  /** Position of the last fact that said something of it, other than points: at first, that it is there. */
  readonly said_at: number;
};
/**
 * A deletion: where the journal stood, and how many points went. The next life begins behind it. `ended_at`:
 * when it was, epoch ms; earlier versions have neither that nor the workspace.
 */
export type SignalEndDoc = {
  readonly _id: string;
  readonly workspace?: string;
  readonly ended_at?: number;
  readonly revision: number;
  readonly at: number;
  readonly points: number;
};
/** How many signals of a workspace are in a group: put there by a person (`user`) or not (`inferred`). */
export type SignalGroupDoc = Tally & { readonly workspace: string; readonly name: string };
/**
 * All signals of a workspace. `changed`: position of the last fact that changed which there are, or what is
 * said of them.
 */
export type SignalWorkspaceDoc = {
  readonly _id: string;
  readonly signals: number;
  readonly points: number;
  readonly changed: number;
};
/**
 * Points of a signal, and when each was recorded (epoch ms). `known_since`: at none of their times was a
 * value recorded before this; absent: unknown.
 */
export type PointsLeaf = Leaf & {
  readonly points: Points;
  readonly recorded: Runs;
  readonly known_since?: number;
};
/**
 * A leaf of points in short: where it begins, and the time of its last point; points as `[time, value]`, of
 * equals the earliest; the mean of all.
 */
export type SignalSketchDoc = {
  readonly _id: string;
  readonly tree: string;
  readonly from: number;
  readonly to: number;
  readonly known_since?: number;
  /** When a point of it was last recorded; absent: unknown. */
  readonly recorded_until?: number;
  readonly count: number;
  readonly mean: number;
  readonly first: Pair;
  readonly last: Pair;
  readonly low: Pair;
  readonly high: Pair;
};
type Pair = readonly [time: number, value: number];
/**
 * Values that were replaced: what stood at these times, since when, and until when. `revision`: of the
 * signal's journal.
 */
export type SignalRevisionDoc = {
  readonly _id: string;
  readonly signal: string;
  readonly revision: number;
  readonly from: number;
  readonly to: number;
  readonly points: Points;
  readonly was: readonly number[];
  readonly since: Runs;
  readonly until: number;
};

/** The documents of the projection, by collection. */
export type SignalDocs = {
  signal_groups: SignalGroupDoc;
  signal_workspaces: SignalWorkspaceDoc;
  signal_ends: SignalEndDoc;
  signal_revisions: SignalRevisionDoc;
  signals: SignalDoc;
  signal_sketches: SignalSketchDoc;
  signal_points: PointsLeaf;
};
