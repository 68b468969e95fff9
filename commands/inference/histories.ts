import { hash } from 'node:crypto';
import type { HistoryRead } from '../../domain/inference/facts.js';
import { fromPoints, givenSeries, type Given } from '../../domain/inference/given.js';
import type { SeriesRequest } from '../../domain/inference/request.js';
import { Rejected } from '../../domain/rejected.js';
import type { Columns } from '../../domain/signals/points.js';
import { faulty } from '../../domain/inference/faults.js';

/** Where a signal lies, and what its key is to the caller. */
export type SignalAt = {
  readonly key: string;
  readonly place: { readonly workspace: string; readonly key: string };
  readonly revision: number;
};
/** What forecasts read of signals; from read models. */
export type SignalReads = {
  /** A signal of the workspace, or one it subscribes to; null: there is none. */
  readonly find: (workspace: string, key: string) => Promise<SignalAt | null>;
  /** Signals of the entities of a base, `<base>__<entity>`, at most so many. */
  readonly entities: (workspace: string, base: string, limit: number) => Promise<readonly SignalAt[]>;
  /** The newest points, at most `count`, in order; `asOf`: as they were known then. */
  readonly newest: (place: SignalAt['place'], count: number, asOf: number | null) => Promise<Columns>;
  /** Points from one time (included) to another (not included), in order. */
  readonly between: (place: SignalAt['place'], from: number, to: number) => Promise<Columns>;
  /** Time of the newest point; null: there is no such signal. */
  readonly lastAt: (place: SignalAt['place']) => Promise<number | null>;
  /** Position of the log that all read models stand at. */
  readonly upTo: () => Promise<number>;
};

export type Histories = {
  readonly given: readonly Given[];
  readonly read: readonly HistoryRead[];
};

/** Signals of one base that are forecast in one call, at most. */
export const MOST_ENTITIES = 1_000;

/**
 * The series of a request: those in it, or of the signal of its key, or of the signals `<key>__<entity>`.
 * @throws Rejected 404 for an unknown key, 422 for what is wrong with series
 */
export async function historiesOf(
  reads: SignalReads,
  workspace: string,
  { series, key }: Pick<SeriesRequest, 'series' | 'key'>,
  { asOf, most }: { readonly asOf: number | null; readonly most: number },
): Promise<Histories> {
  if (series) return { given: givenSeries(series, most), read: [] };
  const signals = await signalsOf(reads, workspace, key!);
  const given: Given[] = [];
  const read: HistoryRead[] = [];
  for (const signal of signals) {
    const columns = await reads.newest(signal.place, most, asOf);
    given.push(fromPoints(signal.key, columns, { most }));
    read.push(readOf(workspace, signal, asOf, columns));
  }
  return { given, read };
}

async function signalsOf(reads: SignalReads, workspace: string, key: string): Promise<readonly SignalAt[]> {
  const signal = await reads.find(workspace, key);
  if (signal) return [signal];
  const entities = await reads.entities(workspace, key, MOST_ENTITIES + 1);
  if (entities.length > MOST_ENTITIES)
    throw faulty(['key'], 'too_many', `stands for more than ${MOST_ENTITIES} signals`);
  if (entities.length > 0) return entities;
  throw new Rejected('missing', 'not_found', `There is no signal '${key}', and none of '${key}__...'`, {
    key,
  });
}

/** What is remembered of points that were read, so that the very same can be read again. */
export const readOf = (
  workspace: string,
  { key, place, revision }: SignalAt,
  asOf: number | null,
  columns: Columns,
): HistoryRead => ({
  key,
  of: place.workspace === workspace && place.key === key ? null : place,
  revision,
  asOf,
  from: columns.times[0] ?? 0,
  points: columns.times.length,
  hash: hashOf(columns),
});

/** The first 16 hex digits of the sha256 of points. */
export function hashOf({ times, values }: Columns): string {
  const columns = new Float64Array(times.length + values.length);
  columns.set(times);
  columns.set(values, times.length);
  return hash('sha256', new Uint8Array(columns.buffer), 'hex').slice(0, 16);
}
