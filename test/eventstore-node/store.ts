import { randomUUID } from 'node:crypto';
import { GONE, MAX_REVISION, Rows, type Proposed, type Stream } from './rows.js';
import {
  decide,
  isDead,
  isSoftDeleted,
  RecentIds,
  Refusal,
  StreamDeleted,
  WrongRevision,
  type Appended,
  type Expected,
} from './rules.js';

type Waiting = {
  action: () => Appended;
  resolve: (answer: Appended) => void;
  reject: (error: unknown) => void;
};

/**
 * The node's store: appends and deletes by the server's rules, all that arrive in one turn in one
 * transaction.
 */
export class Store {
  readonly rows: Rows;
  /** Called after every transaction. */
  readonly listeners = new Set<() => void>();
  private readonly recent: RecentIds;
  private queue: Waiting[] = [];

  constructor(file: string, recentIds: number) {
    this.rows = new Rows(file);
    this.recent = new RecentIds(recentIds);
  }

  append(name: string, expected: Expected, events: readonly Proposed[]): Promise<Appended> {
    return this.enqueue(() => this.appendNow(name, expected, events));
  }

  /** Soft delete, or with `hard` a tombstone. */
  delete(name: string, expected: Expected, hard: boolean): Promise<Appended> {
    return this.enqueue(() =>
      hard ? this.tombstoneNow(name, expected) : this.softDeleteNow(name, expected),
    );
  }

  close(): void {
    this.flush();
    this.rows.close();
  }

  private enqueue(action: () => Appended): Promise<Appended> {
    return new Promise((resolve, reject) => {
      if (!this.queue.length) setImmediate(() => this.flush());
      this.queue.push({ action, resolve, reject });
    });
  }

  private flush(): void {
    const waiting = this.queue;
    this.queue = [];
    if (!waiting.length) return;
    let settle: (() => void)[] = [];
    try {
      this.rows.transaction(() => {
        settle = waiting.map(runOne);
      });
      this.recent.settle(true);
    } catch (error) {
      this.recent.settle(false);
      settle = waiting.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    }
    for (const done of settle) done();
    for (const listener of this.listeners) listener();
  }

  private appendNow(name: string, expected: Expected, events: readonly Proposed[]): Appended {
    const earlier = decide(
      this.rows,
      this.recent,
      name,
      expected,
      events.map(event => event.id),
    );
    if (earlier) return earlier;
    const found = this.rows.stream(name);
    if (!events.length) return { revision: Math.max(found?.revision ?? -1, 0), position: this.rows.head() };
    const stream = found ?? this.rows.ensure(name);
    const owner = name.startsWith('$$') ? name.slice(2) : null;
    const owned = owner === null ? undefined : this.rows.stream(owner);
    const answer = this.put(stream, name, events);
    if (owner !== null) this.applyMetadata(owner, events.at(-1)!.data);
    // The first append to a soft-deleted stream (or to its metadata) opens it again from there on.
    if (isSoftDeleted(stream)) this.writeMetadata(name, { $tb: stream.revision + 1 });
    if (owner !== null && owned && isSoftDeleted(owned))
      this.writeMetadata(owner, { $tb: owned.revision + 1 });
    return answer;
  }

  private put(stream: Stream, name: string, events: readonly Proposed[]): Appended {
    const now = Date.now();
    let { revision } = stream;
    let position: number | undefined;
    for (const event of events) {
      revision += 1;
      position = this.rows.insert(stream.id, name, revision, event, now);
      this.recent.add(event.id, stream.id, revision);
    }
    this.rows.setRevision(stream.id, revision);
    return { revision, position };
  }

  private applyMetadata(name: string, data: Buffer): void {
    const { $tb, $maxCount, $maxAge } = parseObject(data);
    const positive = (value: unknown): number | null =>
      typeof value === 'number' && value > 0 ? value : null;
    this.rows.setMetadata(
      this.rows.ensure(name).id,
      Math.min(positive($tb) ?? 0, GONE),
      positive($maxCount),
      positive($maxAge),
    );
  }

  /** Writes a `$metadata` event of the server's own: what was there, and these fields. */
  private writeMetadata(name: string, fields: { $tb: number }): Appended {
    const stream = this.rows.ensure(`$$${name}`);
    const last = this.rows.at(stream.id, stream.revision);
    // 2^63 is what JavaScript makes of 2^63 - 1: put the digits in by hand
    const text = JSON.stringify({ ...(last ? parseObject(last.data) : {}), ...fields }).replace(
      String(2 ** 63),
      MAX_REVISION,
    );
    const event = ownEvent('$metadata', 'application/json', text);
    const answer = this.put(stream, `$$${name}`, [event]);
    this.applyMetadata(name, event.data);
    return answer;
  }

  /** The current revision; throws when the stream cannot be deleted at this expectation. */
  private checkDelete(name: string, expected: Expected): number {
    if (isDead(this.rows, name)) throw new StreamDeleted(name);
    const current = this.rows.stream(name)?.revision ?? -1;
    const wanted = expected === 'no_stream' ? -1 : expected;
    const fits = expected === 'any' || (expected === 'stream_exists' ? current >= 0 : wanted === current);
    if (!fits) throw new WrongRevision(current);
    return current;
  }

  private softDeleteNow(name: string, expected: Expected): Appended {
    // a missing stream is refused, whatever was expected
    if (this.checkDelete(name, expected) < 0) throw new WrongRevision(-1);
    return this.writeMetadata(name, { $tb: 2 ** 63 });
  }

  private tombstoneNow(name: string, expected: Expected): Appended {
    this.checkDelete(name, expected);
    const stream = this.rows.ensure(name);
    const event = ownEvent('$streamDeleted', 'application/octet-stream', '');
    const position = this.rows.insert(stream.id, name, BigInt(MAX_REVISION), event, Date.now());
    this.rows.kill(stream.id);
    return { revision: GONE, position };
  }
}

/** Refusals come before the first write of an action, so they need no rollback of the others. */
const runOne = ({ action, resolve, reject }: Waiting): (() => void) => {
  try {
    const answer = action();
    return () => resolve(answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return () => reject(error);
  }
};

const ownEvent = (type: string, contentType: string, data: string): Proposed => ({
  id: randomUUID(),
  type,
  contentType,
  data: Buffer.from(data),
  meta: Buffer.alloc(0),
});

/** Metadata that is no JSON object says nothing. */
const parseObject = (data: Buffer): Record<string, unknown> => {
  try {
    return (JSON.parse(data.toString('utf8')) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
};
