import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedEventStore } from '../../adapters/embedded/event-store.js';
import { embeddedReadModels } from '../../adapters/embedded/read-models.js';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import type { ReadModels } from '../../projections/engine/read-models.js';

/** What outlives a process. */
export type Disk = {
  /**
   * The stores of a new process; `before` is called before each single write inside of a page, where the
   * store has such.
   */
  readonly open: (before: (write: string) => void) => {
    readonly events: EventStore;
    readonly models: ReadModels;
  };
  /** The process that had it open is dead. */
  readonly fail: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** In memory every single write of a page is one of its own, as on a server without transactions. */
export function memoryDisk(): Disk {
  const events = memoryEventStore();
  let tick = (_write: string): void => undefined;
  const models = memoryReadModels(write => tick(write));
  return {
    open: before => {
      tick = before;
      return { events, models };
    },
    fail: async () => {},
    remove: async () => {},
  };
}

/** On files what a killed process leaves is what is in them; what it held in memory is gone. */
export function embeddedDisk(): Disk {
  let folder = mkdtempSync(join(tmpdir(), 'presage-test-'));
  let close = async (): Promise<void> => {};
  const leave = async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    open() {
      const events = embeddedEventStore(join(folder, 'facts.db'));
      const models = embeddedReadModels(join(folder, 'models.db'));
      close = async () => {
        await models.close();
        await events.close();
      };
      return { events, models };
    },
    async fail() {
      const left = mkdtempSync(join(tmpdir(), 'presage-test-'));
      cpSync(folder, left, { recursive: true });
      await leave();
      folder = left;
    },
    remove: leave,
  };
}

export class Killed extends Error {}

/**
 * Stores of processes that die: the first at the point `plan[0]`, the next at `plan[1]` of its own, and so
 * on. Points lie before each write, inside of it, and after it, before anybody is told.
 */
export class Deaths {
  /** Places to die that were passed, in all lives. */
  points = 0;
  count = 0;
  dead = false;
  #point = 0;

  constructor(readonly plan: readonly number[]) {}

  /** A process begins. */
  begin(): void {
    this.dead = false;
    this.#point = 0;
  }

  /** Nothing dies any more. */
  noMore(): void {
    this.count = this.plan.length;
  }

  readonly before = (): void => {
    this.#alive();
    this.points++;
    if (this.#point++ === this.plan[this.count]) this.#die();
  };

  events(events: EventStore): EventStore {
    const living =
      <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
      async (...args: A) => {
        this.#alive();
        return work(...args);
      };
    return {
      ...events,
      read: living(events.read),
      page: living(events.page),
      head: living(events.head),
      append: (...args) => this.#write(() => events.append(...args)),
    };
  }

  models(models: ReadModels): ReadModels {
    return {
      ...models,
      commit: page => this.#write(() => models.commit(page)),
      load: async (...args) => {
        this.#alive();
        return models.load(...args);
      },
      find: async (...args) => {
        this.#alive();
        return models.find(...args);
      },
      count: async (...args) => {
        this.#alive();
        return models.count(...args);
      },
      checkpoint: async name => {
        this.#alive();
        return models.checkpoint(name);
      },
    };
  }

  #alive(): void {
    if (this.dead) throw new Killed();
  }
  #die(): never {
    this.dead = true;
    throw new Killed();
  }

  /** One write, with a point before it and one after it. */
  async #write<T>(work: () => Promise<T>): Promise<T> {
    this.before();
    const done = await work();
    this.before();
    return done;
  }
}
