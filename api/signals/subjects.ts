import type { Catalogue } from '../../projections/catalogue/queries.js';
import type { WorkspaceKey } from '../../projections/engine/keys.js';
import type { EventQueries } from '../../projections/events/queries.js';
import type { EventReads } from '../../projections/marketplace/event-reads.js';
import type { SignalQueries } from '../../projections/signals/queries.js';
import { notValid } from '../edge/errors.js';

/** What analyses read. Aliases read as what they stand for. */
export type AnalysisReads = {
  readonly catalogue: Pick<Catalogue, 'signals' | 'newestKeys'>;
  readonly signals: Pick<SignalQueries, 'newest' | 'points'>;
  readonly events: Pick<EventReads, 'ofStream'>;
};

export type Signal = {
  readonly key: string;
  readonly type: 'signal';
  readonly at: number;
  readonly last: number;
  readonly place: WorkspaceKey;
};

type Stream = {
  readonly key: string;
  readonly type: 'event';
  readonly at: number;
  readonly queries: EventQueries;
};

/** What an analysis is about, and in which state: the same positions mean the same data. */
export type Subjects = { readonly all: readonly (Signal | Stream)[]; readonly version: string };

/** Keys of signals, or else of event streams. @throws Rejected 422 for one that is neither */
export async function subjectsOf(
  reads: AnalysisReads,
  workspace: string,
  keys: readonly string[],
  parameter: string,
): Promise<Subjects> {
  const signals = await reads.catalogue.signals(workspace, keys);
  const all = await Promise.all(
    keys.map(async (key): Promise<Signal | Stream | null> => {
      const signal = signals.get(key);
      if (signal)
        return { key, type: 'signal', at: signal.doc._at, last: signal.doc.last_at, place: signal.place };
      const queries = await reads.events.ofStream(workspace, key);
      const stream = await queries?.stream(workspace, key);
      return queries && stream ? { key, type: 'event', at: stream._at, queries } : null;
    }),
  );
  const unknown = keys.filter((_, i) => all[i] === null);
  if (unknown.length > 0)
    throw notValid(
      unknown.map(key => ({
        loc: ['query', parameter],
        msg: 'is no signal and no event stream',
        type: 'unknown_key',
        input: key,
      })),
    );
  const found = all.filter(each => each !== null);
  return { all: found, version: found.map(({ type, at }) => `${type}${at}`).join() };
}
