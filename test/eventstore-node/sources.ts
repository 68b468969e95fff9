import type { Stored } from './rows.js';
import { isDead, isSoftDeleted, isYoung, lowestVisible } from './rules.js';
import type { Store } from './store.js';

/** Where a read or subscription takes its events from. */
export type Source = {
  readonly name: string;
  exists(): boolean;
  isDead(): boolean;
  /** The next page, at most `count` events; empty only at the end (for now). */
  next(count: number): Stored[];
  /** How many events wait behind the cursor, counted no further than `atMost`. */
  waiting(atMost: number): number;
  tombstone(): Stored | undefined;
};

/** Events of one stream, from the revision `cursor` on, without what truncation and `$maxAge` hide. */
export class StreamSource implements Source {
  constructor(
    private readonly store: Store,
    readonly name: string,
    private cursor: number,
    private readonly backwards: boolean,
  ) {}

  isDead(): boolean {
    return isDead(this.store.rows, this.name);
  }

  exists(): boolean {
    const stream = this.store.rows.stream(this.name);
    return stream !== undefined && stream.revision >= 0 && !isSoftDeleted(stream);
  }

  next(count: number): Stored[] {
    const { rows } = this.store;
    const stream = rows.stream(this.name);
    if (!stream || !this.exists()) return [];
    const lowest = lowestVisible(stream);
    for (;;) {
      const events = this.backwards
        ? rows.backwards(stream.id, this.cursor, lowest, count)
        : rows.forwards(stream.id, Math.max(this.cursor, lowest), stream.revision, count);
      const last = events.at(-1);
      if (!last) return events;
      this.cursor = last.revision + (this.backwards ? -1 : 1);
      const visible = events.filter(event => isYoung(stream, event.created));
      if (visible.length) return visible;
    }
  }

  waiting(atMost: number): number {
    const stream = this.store.rows.stream(this.name);
    return stream ? Math.min(stream.revision + 1 - this.cursor, atMost) : 0;
  }

  tombstone(): Stored | undefined {
    const stream = this.store.rows.stream(this.name);
    return stream && this.store.rows.tombstone(stream.id);
  }
}

/** Events of all streams by position, those after `cursor` or, backwards, before it. */
export class AllSource implements Source {
  readonly name = '$all';

  constructor(
    private readonly store: Store,
    private cursor: number,
    private readonly backwards: boolean,
  ) {}

  isDead(): boolean {
    return false;
  }

  exists(): boolean {
    return true;
  }

  next(count: number): Stored[] {
    const { rows } = this.store;
    const events = this.backwards ? rows.allBefore(this.cursor, count) : rows.allAfter(this.cursor, count);
    this.cursor = events.at(-1)?.position ?? this.cursor;
    return events;
  }

  waiting(atMost: number): number {
    return this.store.rows.allAfter(this.cursor, atMost).length;
  }

  tombstone(): undefined {
    return undefined;
  }
}
