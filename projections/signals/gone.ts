import type { Fact } from '../../domain/fact.js';
import type { SignalFact } from '../../domain/signals/facts.js';
import { unpacked, type Columns } from '../../domain/signals/points.js';
import { autoGroupOf } from '../../domain/maths/series/units.js';
import type { WorkspaceKey } from '../engine/keys.js';
import { begun, recordedOn, revisedOn, revisionBefore } from './changes.js';
import type { SignalDoc, SignalRevisionDoc } from './documents.js';

/** A signal as it was in a life that has ended since: what was said of it, its points and replacements. */
export type GoneSignal = {
  readonly doc: SignalDoc;
  readonly points: Columns;
  /** In the order in which they were made. */
  readonly replaced: readonly SignalRevisionDoc[];
};
/**
 * A signal that was there at a moment, epoch ms, and was deleted after it; null: there was none. With what
 * was `replaced` or without. @throws Rejected 422 `too_many_points` when it held too much to be read
 */
export type GoneThen = (
  place: WorkspaceKey,
  asOf: number,
  { replaced }: { readonly replaced: boolean },
) => Promise<GoneSignal | null>;

/**
 * A life of a signal, fact by fact; it ends with a deletion, and another may begin. What was replaced is kept
 * only where it is asked for.
 */
export class Life {
  #doc: SignalDoc | null = null;
  #points = new Map<number, number>();
  #replaced: SignalRevisionDoc[] = [];
  #revised = 0;

  constructor(readonly keepsReplaced: boolean) {}

  /** How many values it took: points, and those that took the place of others. */
  get size(): number {
    return this.#points.size + this.#revised;
  }

  take(fact: Fact<SignalFact>): void {
    if (fact.type === 'SignalDeleted') {
      this.#doc = null;
      this.#points = new Map();
      this.#replaced = [];
      this.#revised = 0;
      return;
    }
    this.#doc = docAfter(this.#doc, fact);
    if (fact.type !== 'PointsRecorded' && fact.type !== 'PointsRevised') return;
    const { times, values } = unpacked(fact.data.points);
    for (const [i, time] of times.entries()) this.#points.set(time, values[i]!);
    if (fact.type === 'PointsRecorded') return;
    this.#revised += times.length;
    if (this.keepsReplaced) this.#replaced.push(revisionBefore(fact));
  }

  /** As it stands; null: there is none. */
  now(): GoneSignal | null {
    if (!this.#doc) return null;
    const times = [...this.#points.keys()].sort((a, b) => a - b);
    const points = { times, values: times.map(time => this.#points.get(time)!) };
    return { doc: this.#doc, points, replaced: this.#replaced };
  }
}

function docAfter(doc: SignalDoc | null, fact: Fact<Exclude<SignalFact, { type: 'SignalDeleted' }>>) {
  if (fact.type === 'PointsRecorded') return doc ? recordedOn(doc, fact) : begun(fact);
  if (!doc) return null;
  switch (fact.type) {
    case 'PointsRevised':
      return revisedOn(doc, fact);
    case 'SignalUnitReported':
      return { ...doc, reported_unit: fact.data.unit };
    case 'SignalUnitAssigned':
      return { ...doc, assigned_unit: fact.data.unit };
    case 'SignalNamed':
      return { ...doc, name: fact.data.name };
    case 'SignalGroupAssigned': {
      const { key, group } = fact.data;
      return { ...doc, group: group ?? autoGroupOf(key), assigned: group !== null };
    }
  }
}
