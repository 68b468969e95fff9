import type { Fact } from '../../domain/fact.js';
import { autoGroupOf, inferredUnit } from '../../domain/maths/series/units.js';
import type { PointsRecorded, PointsRevised, SignalDeleted, SignalFact } from '../../domain/signals/facts.js';
import { lastTime } from '../../domain/signals/points.js';
import type { After, Before } from '../engine/projection.js';
import type { SignalDoc, SignalDocs, SignalEndDoc, SignalRevisionDoc } from './documents.js';
import { ofSignal, revisionId } from './ids.js';

export type Writing = Fact<PointsRecorded | PointsRevised>;

/** A signal with its first points. */
export function begun(fact: Fact<PointsRecorded>): SignalDoc {
  const {
    data: { key, points, origin },
    meta,
    at,
    revision,
    position,
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
    known_since: at,
    reported_unit: null,
    assigned_unit: null,
    inferred_unit: inferredUnit(key),
    name: null,
    group: autoGroupOf(key),
    assigned: false,
    said_at: position,
  };
}

/** The same with more points. */
export function recordedOn(
  signal: SignalDoc,
  { data: { points }, at, revision }: Fact<PointsRecorded>,
): SignalDoc {
  const last = lastTime(points);
  const later = last > signal.last_at;
  return {
    ...signal,
    revision,
    ...recordedAt(signal, at),
    count: signal.count + points.values.length,
    first_at: Math.min(signal.first_at, points.from),
    ...(later && { last_at: last, last_value: points.values.at(-1)! }),
  };
}

/** The same with other values at known times. */
export function revisedOn(
  signal: SignalDoc,
  { data: { points }, at, revision }: Fact<PointsRevised>,
): SignalDoc {
  const newest = lastTime(points) === signal.last_at;
  const last = newest && { last_value: points.values.at(-1)! };
  return { ...signal, revision, ...recordedAt(signal, at), ...last };
}

/** Clocks go back now and then. */
const recordedAt = ({ recorded_at, known_since }: SignalDoc, at: number) => ({
  recorded_at: Math.max(recorded_at, at),
  ...(known_since !== undefined && { known_since: Math.min(known_since, at) }),
});

/** The workspace's numbers with it; `points`: how many more there are. */
export function becomes(
  before: Before<SignalDocs>,
  fact: Writing,
  signal: SignalDoc,
  points: number,
): After<SignalDocs> {
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

/** With something else said of it. */
export function labelled(
  before: Before<SignalDocs>,
  fact: Fact<SignalFact>,
  members: Partial<SignalDoc>,
): After<SignalDocs> {
  const { signals: signal, signal_workspaces: all } = before;
  if (!signal) return {};
  return {
    signals: { ...signal, revision: fact.revision, said_at: fact.position, ...members },
    ...(all && { signal_workspaces: { ...all, changed: fact.position } }),
  };
}

/** What the values were that others take the place of. */
export function revisionBefore(fact: Fact<PointsRevised>): SignalRevisionDoc {
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

/** Gone, with all that was said of it; how far its journal went is kept for its next life. */
export function ended(
  { signals: signal, signal_workspaces: all }: Before<SignalDocs>,
  fact: Fact<SignalDeleted>,
) {
  const points = signal?.count ?? 0;
  const end: SignalEndDoc = {
    _id: ofSignal(fact),
    workspace: fact.meta.workspace!,
    ended_at: fact.at,
    revision: fact.revision,
    at: fact.position,
    points,
  };
  if (!all || !signal) return { signals: null, signal_ends: end };
  const fewer = { signals: all.signals - 1, points: all.points - points, changed: fact.position };
  return { signals: null, signal_ends: end, signal_workspaces: { ...all, ...fewer } };
}
