import type { Fact } from '../../domain/fact.js';
import type { SignalFact } from '../../domain/signals/facts.js';

export type NaivePoint = { readonly value: number; readonly at: number };
export type NaiveRevision = {
  readonly time: number;
  readonly was: number;
  readonly since: number;
  readonly until: number;
};
export type NaiveSignal = {
  readonly points: Map<number, NaivePoint>;
  readonly revisions: NaiveRevision[];
  reported: string | null;
  unit: string | null;
  group: string | null;
  name: string | null;
};
type Said = { readonly time: number; readonly value: number; readonly at: number };
export type NaivePush = { recorded: number; revised: number; duplicates: number };

/** All signals of a workspace as plainly as can be: a map from time to value for each. */
export class NaiveSignals {
  readonly signals = new Map<string, NaiveSignal>();
  /** By key, every value that was set, in the order in which that was written. */
  readonly #said = new Map<string, readonly Said[]>();

  push(
    key: string,
    pairs: readonly (readonly [number, number])[],
    unit: string | null,
    now: number,
  ): NaivePush {
    const done: NaivePush = { recorded: 0, revised: 0, duplicates: 0 };
    // A time that ends as it began is left alone
    const ends = new Map(pairs);
    const left = [...ends].filter(
      ([time, value]) => this.signals.get(key)?.points.get(time)?.value !== value,
    );
    const changing = new Set(left.map(([time]) => time));
    for (const [time, value] of pairs)
      done[changing.has(time) ? this.set(key, time, value, now) : 'duplicates']++;
    if (unit !== null) this.signals.get(key)!.reported = unit;
    return done;
  }

  set(key: string, time: number, value: number, now: number): keyof NaivePush {
    const signal = this.#begun(key);
    const there = signal.points.get(time);
    if (there?.value === value) return 'duplicates';
    if (there) signal.revisions.push({ time, was: there.value, since: there.at, until: now });
    signal.points.set(time, { value, at: now });
    this.#said.set(key, [...(this.#said.get(key) ?? []), { time, value, at: now }]);
    return there ? 'revised' : 'recorded';
  }

  #begun(key: string): NaiveSignal {
    const found = this.signals.get(key) ?? {
      points: new Map(),
      revisions: [],
      reported: null,
      unit: null,
      group: null,
      name: null,
    };
    this.signals.set(key, found);
    return found;
  }

  /** Whether there was such a signal. */
  label(key: string, member: 'unit' | 'group' | 'name', text: string | null): boolean {
    const signal = this.signals.get(key);
    if (signal) signal[member] = text;
    return signal !== undefined;
  }

  delete(key: string): boolean {
    this.#said.delete(key);
    return this.signals.delete(key);
  }

  /** The points of a signal that were known at a moment, in order of time: what was said last until then. */
  knownAt(key: string, asOf: number): [number, number][] {
    const known = new Map<number, number>();
    for (const { time, value, at } of this.#said.get(key) ?? []) if (at <= asOf) known.set(time, value);
    return [...known].sort(([a], [b]) => a - b);
  }

  /** What a fact says, taken at its word; throws where it contradicts those before it. */
  take({ type, data, at }: Fact<SignalFact>): void {
    if (type === 'PointsRecorded' || type === 'PointsRevised') {
      const { from, steps, values } = data.points;
      let time = from;
      const since =
        type === 'PointsRevised' ? data.since.flatMap(([count, at]) => Array<number>(count).fill(at)) : [];
      for (const [i, value] of values.entries()) {
        const did = this.set(data.key, time, value, at);
        const wanted = type === 'PointsRecorded' ? 'recorded' : 'revised';
        if (did !== wanted) throw new Error(`${type} at ${time}, which makes ${did}`);
        if (type === 'PointsRevised') this.#agrees(data.key, data.was[i]!, since[i]!);
        time += typeof steps === 'number' ? steps : (steps[i] ?? 0);
      }
      return;
    }
    const signal = this.signals.get(data.key);
    if (!signal) throw new Error(`${type} of no signal`);
    if (type === 'SignalDeleted') this.delete(data.key);
    if (type === 'SignalUnitReported') signal.reported = data.unit;
    if (type === 'SignalUnitAssigned') signal.unit = data.unit;
    if (type === 'SignalGroupAssigned') signal.group = data.group;
    if (type === 'SignalNamed') signal.name = data.name;
  }

  #agrees(key: string, was: number, since: number): void {
    const last = this.signals.get(key)!.revisions.at(-1)!;
    if (last.was === was && last.since === since) return;
    throw new Error(`a revision of ${was} since ${since}, of what was ${last.was} since ${last.since}`);
  }
}

/** Points in order of time. */
export const inOrder = ({ points }: NaiveSignal): [number, NaivePoint][] =>
  [...points].sort(([a], [b]) => a - b);
