import { GONE, type Rows, type Stream } from './rows.js';

export type Expected = 'any' | 'no_stream' | 'stream_exists' | number;
/** What an append answers; no position where the event is hidden. */
export type Appended = { revision: number; position: number | undefined };

/** An append or delete that is refused, before anything of it was written. */
export class Refusal extends Error {}

export class WrongRevision extends Refusal {
  constructor(readonly current: number) {
    super('WrongExpectedVersion');
  }
}

export class StreamDeleted extends Refusal {}

/** A real node never answers this one; its connection stays healthy. */
export class NeverAnswered extends Refusal {}

export const isSoftDeleted = (stream: Stream | undefined): boolean =>
  stream !== undefined && stream.tb >= GONE;

/** Lowest visible revision by `$tb` and `$maxCount`; `$maxAge` is asked per event. */
export const lowestVisible = (stream: Stream): number =>
  Math.max(stream.tb, stream.maxCount ? stream.revision - stream.maxCount + 1 : 0);

export const isYoung = (stream: Stream, created: number): boolean =>
  !stream.maxAge || created > Date.now() - stream.maxAge * 1000;

/** Tombstoned: the stream itself, or the stream whose metadata this is. */
export const isDead = (rows: Rows, name: string): boolean =>
  rows.stream(name)?.dead === 1 || (name.startsWith('$$') && rows.stream(name.slice(2))?.dead === 1);

/**
 * Ids for ANY and STREAM_EXISTS live in memory only, bounded, and are gone after a restart.
 * The first stream that used an id keeps it.
 */
export class RecentIds {
  private readonly known = new Map<string, { sid: number; revision: number }>();
  private fresh: string[] = [];

  constructor(private readonly limit: number) {}

  get(id: string): { sid: number; revision: number } | undefined {
    return this.known.get(id);
  }

  add(id: string, sid: number, revision: number): void {
    if (this.known.has(id)) return;
    this.known.set(id, { sid, revision });
    this.fresh.push(id);
  }

  /** What was added since the last time is kept, or dropped with the transaction it belonged to. */
  settle(committed: boolean): void {
    if (!committed) for (const id of this.fresh) this.known.delete(id);
    this.fresh = [];
    for (const id of this.known.keys()) {
      if (this.known.size <= this.limit) return;
      this.known.delete(id);
    }
  }
}

/**
 * The server's decision about an append, as recorded: null to write it, or the answer of the earlier, equal
 * append.
 */
export const decide = (
  rows: Rows,
  recent: RecentIds,
  name: string,
  expected: Expected,
  ids: readonly string[],
): Appended | null => {
  const stream = rows.stream(name);
  if (isDead(rows, name)) throw new StreamDeleted(name);
  if (expected === 'stream_exists') mustExist(rows, name, stream);
  return expected === 'any' || expected === 'stream_exists'
    ? decideByRecentIds(rows, recent, stream, ids)
    : decideByRevision(rows, stream, expected === 'no_stream' ? -1 : expected, ids);
};

const mustExist = (rows: Rows, name: string, stream: Stream | undefined): void => {
  if (isSoftDeleted(stream)) throw new StreamDeleted(name);
  if (stream && stream.revision >= 0) return;
  const metadata = rows.stream(`$$${name}`); // a stream that has only metadata counts as existing
  if (!metadata || metadata.revision < 0) throw new WrongRevision(stream?.revision ?? -1);
};

const decideByRecentIds = (
  rows: Rows,
  recent: RecentIds,
  stream: Stream | undefined,
  ids: readonly string[],
): Appended | null => {
  const revisions = ids.map(id => {
    const known = recent.get(id);
    return stream && known?.sid === stream.id ? known.revision : null;
  });
  const first = revisions[0] ?? null;
  if (!stream || first === null) return null; // only the first id decides whether this looks like a retry
  if (revisions.includes(null)) throw new WrongRevision(stream.revision);
  const last = revisions.at(-1)!;
  // seen with [c, a] after [a, b, c]; [b, a] after [a, b] is answered
  if (last < first - 1) throw new NeverAnswered();
  return earlierAnswer(rows, stream, last);
};

const decideByRevision = (
  rows: Rows,
  stream: Stream | undefined,
  wanted: number,
  ids: readonly string[],
): Appended | null => {
  const current = stream?.revision ?? -1;
  if (wanted === current) return null; // it fits: nobody looks at the ids
  if (!stream || wanted > current || !ids.length) throw new WrongRevision(current);
  const firstOther = ids.findIndex((id, index) => rows.at(stream.id, wanted + 1 + index)?.id !== id);
  if (firstOther < 0) return earlierAnswer(rows, stream, wanted + ids.length);
  // "no stream" also fits a soft-deleted one, unless it is a retry that went wrong half way
  if (firstOther === 0 && wanted === -1 && isSoftDeleted(stream)) return null;
  throw new WrongRevision(current);
};

/** The position is left out when the event is hidden (deleted, truncated, too old). */
const earlierAnswer = (rows: Rows, stream: Stream, revision: number): Appended => {
  const event = rows.at(stream.id, revision);
  const visible = event && revision >= lowestVisible(stream) && isYoung(stream, event.created);
  return { revision, position: visible ? event.position : undefined };
};
