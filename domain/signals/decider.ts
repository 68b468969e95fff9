import type { Decider } from '../decider.js';
import type { Fact } from '../fact.js';
import { Rejected } from '../rejected.js';
import type { RecordPoints, SignalCommand } from './commands.js';
import type { PointsRecorded, PointsRevised, SignalFact } from './facts.js';
import { firstFrom } from '../maths/series/series.js';
import {
  lastTime,
  packed,
  runsOf,
  unpacked,
  valuesOf,
  type Columns,
  type Points,
  type Runs,
} from './points.js';

/** Points of one fact at most, so that pages of facts stay small. */
export const MAX_POINTS = 1_000;

/** Keys of signals that another workspace publishes; read-only here. */
export const ALIAS = 'mkt:';

/** Points with the time at which each was recorded. */
export type Layer = { readonly points: Points; readonly recorded: Runs };
/**
 * A signal can have millions of points, so its state never holds them all. It is begun from what read models
 * hold, with the points at the times that a command names (`layers`, later ones over earlier), and goes on
 * with the facts behind that.
 */
export type LiveSignal = {
  readonly status: 'live';
  /** Time of the newest point: what is later is new. */
  readonly last: number;
  readonly reportedUnit: string | null;
  readonly unit: string | null;
  readonly group: string | null;
  readonly name: string | null;
  readonly layers: readonly Layer[];
};
export type SignalState = { readonly status: 'none' } | LiveSignal;

export const initialState: SignalState = { status: 'none' };

export function decide(command: SignalCommand, state: SignalState): readonly SignalFact[] {
  const { key } = command.data;
  ownSignal(key);
  switch (command.type) {
    case 'RecordPoints':
      return [...record(command, state), ...reported(command, state)];
    case 'AssignUnit':
      return live(state).unit === command.data.unit
        ? []
        : [{ type: 'SignalUnitAssigned', data: { key, unit: command.data.unit } }];
    case 'AssignGroup':
      return live(state).group === command.data.group
        ? []
        : [{ type: 'SignalGroupAssigned', data: { key, group: command.data.group } }];
    case 'NameSignal':
      return live(state).name === command.data.name
        ? []
        : [{ type: 'SignalNamed', data: { key, name: command.data.name } }];
    case 'DeleteSignal':
      live(state);
      return [{ type: 'SignalDeleted', data: { key } }];
  }
}

/** Signals under an alias are the publisher's: nothing is written to them here. */
export function ownSignal(key: string): void {
  if (key.startsWith(ALIAS))
    throw new Rejected('forbidden', 'signal_read_only', `Signal '${key}' is a subscribed one and read-only`);
}

const live = (state: SignalState): LiveSignal => {
  if (state.status === 'live') return state;
  throw new Rejected('missing', 'not_found', 'Signal not found');
};

const reported = ({ data: { key, unit } }: RecordPoints, state: SignalState): readonly SignalFact[] =>
  unit === null || (state.status === 'live' && state.reportedUnit === unit)
    ? []
    : [{ type: 'SignalUnitReported', data: { key, unit } }];

type Writing = PointsRecorded | PointsRevised;
type Known = Map<number, { readonly value: number; readonly at: number }>;
type Given = { times: number[]; values: number[] };
type Changed = Given & { was: number[]; since: number[] };

/** What is new becomes `PointsRecorded`, what differs `PointsRevised`, what is the same nothing. */
function record({ data }: RecordPoints, state: SignalState): readonly Writing[] {
  const { key, origin, now } = data;
  const known = knownAt(state, data.times);
  const all = rounds(data, known);
  return all.flatMap((round): Writing[] => {
    const { fresh, changed } =
      known.size === 0 && all.length === 1 ? { fresh: round, changed: NONE } : compared(round, known, now);
    return [
      ...pieces(fresh).map(
        (points): Writing => ({ type: 'PointsRecorded', data: { key, points: packed(points), origin } }),
      ),
      ...pieces(changed).map(
        (points): Writing => ({
          type: 'PointsRevised',
          data: { key, points: packed(points), was: points.was, since: runsOf(points.since), origin },
        }),
      ),
    ];
  });
}

const NONE: Changed = { times: [], values: [], was: [], since: [] };

/** Sorts points into new and changed ones, and enters them among those known. */
function compared({ times, values }: Columns, known: Known, now: number): { fresh: Given; changed: Changed } {
  const fresh: Given = { times: [], values: [] };
  const changed: Changed = { times: [], values: [], was: [], since: [] };
  for (const [i, time] of times.entries()) {
    const value = values[i]!;
    const before = known.get(time);
    if (before?.value === value) continue;
    known.set(time, { value, at: now });
    const to = before ? changed : fresh;
    to.times.push(time);
    to.values.push(value);
    if (!before) continue;
    changed.was.push(before.value);
    changed.since.push(before.at);
  }
  return { fresh, changed };
}

/**
 * The points in order of time. Where a time repeats, its second value belongs to a second round, and so on;
 * but not where it ends at the value that is known, so that the same push again is nothing.
 */
function rounds({ times, values }: Columns, known: Known): readonly Columns[] {
  if (times.every((time, i) => i === 0 || time > times[i - 1]!)) return [{ times, values }];
  const made: Given[] = [];
  const order = [...times.keys()].sort((a, b) => times[a]! - times[b]! || a - b);
  const ends = new Map(times.map((time, i) => [time, values[i]!]));
  let round = 0;
  for (const [nth, i] of order.entries()) {
    const time = times[i]!;
    if (known.get(time)?.value === ends.get(time)) continue;
    round = nth > 0 && time === times[order[nth - 1]!] ? round + 1 : 0;
    const { times: ts, values: vs } = (made[round] ??= { times: [], values: [] });
    ts.push(time);
    vs.push(values[i]!);
  }
  return made;
}

/** The points of a state at some times. */
function knownAt(state: SignalState, times: readonly number[]): Known {
  const known: Known = new Map();
  if (state.status === 'none') return known;
  const from = times.reduce((a, b) => Math.min(a, b));
  const to = times.reduce((a, b) => Math.max(a, b));
  const asked = new Set(times);
  if (from > state.last) return known;
  for (const { points, recorded } of state.layers) {
    const columns = unpacked(points);
    const at = valuesOf(recorded);
    for (let i = firstFrom(columns.times, from); i < at.length && columns.times[i]! <= to; i++) {
      if (asked.has(columns.times[i]!))
        known.set(columns.times[i]!, { value: columns.values[i]!, at: at[i]! });
    }
  }
  return known;
}

/** Parts of at most `MAX_POINTS`; all columns are cut alike. */
function pieces<C extends Columns>(columns: C): C[] {
  const { length } = columns.times;
  if (length <= MAX_POINTS) return length === 0 ? [] : [columns];
  return Array.from({ length: Math.ceil(length / MAX_POINTS) }, (_, n) => {
    const part = Object.entries<readonly number[]>(columns).map(([name, column]) => [
      name,
      column.slice(n * MAX_POINTS, (n + 1) * MAX_POINTS),
    ]);
    return Object.fromEntries(part) as C;
  });
}

export function evolve(state: SignalState, fact: Fact<SignalFact>): SignalState {
  if (fact.type === 'SignalDeleted') return initialState;
  if (fact.type === 'PointsRecorded' || fact.type === 'PointsRevised') return withPoints(state, fact);
  if (state.status === 'none') return state;
  switch (fact.type) {
    case 'SignalUnitReported':
      return { ...state, reportedUnit: fact.data.unit };
    case 'SignalUnitAssigned':
      return { ...state, unit: fact.data.unit };
    case 'SignalGroupAssigned':
      return { ...state, group: fact.data.group };
    case 'SignalNamed':
      return { ...state, name: fact.data.name };
  }
}

function withPoints(
  state: SignalState,
  { data: { points }, at }: Fact<PointsRecorded | PointsRevised>,
): LiveSignal {
  const layer: Layer = { points, recorded: [[points.values.length, at]] };
  const last = lastTime(points);
  if (state.status === 'live')
    return { ...state, last: Math.max(state.last, last), layers: [...state.layers, layer] };
  return { status: 'live', last, reportedUnit: null, unit: null, group: null, name: null, layers: [layer] };
}

/** The points a push led to; the rest of it was known already. */
export const pointsIn = (
  facts: readonly { readonly type: string; readonly data: unknown }[],
): { recorded: number; revised: number } => {
  const count = (type: string): number =>
    facts.reduce(
      (sum, fact) =>
        fact.type === type ? sum + (fact.data as PointsRecorded['data']).points.values.length : sum,
      0,
    );
  return { recorded: count('PointsRecorded'), revised: count('PointsRevised') };
};

export const signals: Decider<SignalCommand, SignalFact, SignalState> = {
  category: 'signal',
  idOf: ({ data }) => `${data.workspace}.${data.key}`,
  initialState,
  decide,
  evolve,
};
