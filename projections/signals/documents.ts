import type { Points, Runs } from '../../domain/signals/points.js';
import type { SignalOrigin } from '../../domain/signals/facts.js';

/** A signal as it stands, without its points. Times are epoch ms. */
export type SignalDoc = {
  readonly _id: string; readonly workspace: string; readonly key: string; readonly origin: SignalOrigin;
  /** Its journal's revision of the last fact in here. */
  readonly revision: number;
  readonly count: number; readonly first_at: number; readonly last_at: number; readonly last_value: number;
  /** When points were last recorded. */
  readonly recorded_at: number;
  /** What the source says, and what a person says, of its unit. */
  readonly reported_unit: string | null; readonly assigned_unit: string | null;
  readonly name: string | null;
  /** The group it is in, and whether a person put it there. */
  readonly group: string; readonly assigned: boolean;
};
/** A deletion: where the journal stood, and how many points went. The next life begins behind it. */
export type SignalEndDoc = { readonly _id: string; readonly revision: number; readonly at: number; readonly points: number };
/** All signals of a workspace. `changed`: position of the last fact that changed which there are, or what is said of them. */
export type SignalWorkspaceDoc = { readonly _id: string; readonly signals: number; readonly points: number; readonly changed: number };
/** Values that were replaced: what stood at these times, since when, and until when. */
export type SignalRevisionDoc = {
  readonly _id: string; readonly signal: string; readonly from: number; readonly to: number;
  readonly points: Points; readonly was: readonly number[]; readonly since: Runs; readonly until: number;
};
