import { randomUUID } from 'node:crypto';
import { memoryReadModels } from '../../adapters/memory.js';
import type { EventStore } from '../../commands/event-store.js';
import { eventCommands, type EventCommands } from '../../commands/events.js';
import { handler, loader, type Context } from '../../commands/handle.js';
import { eventQueries } from '../../projections/events/queries.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { applyPage, collectionsOf } from '../../projections/projection.js';
import { reader } from '../../projections/reader.js';
import type { ReadModels } from '../../projections/read-models.js';
import { dueScheduler } from '../../workers/due.js';
import type { Running } from '../../workers/follow.js';
import { projector, type Projector } from '../../workers/projector.js';
import { react, type Reacts } from '../../workers/reactor.js';
import { scoring } from '../../workers/scoring.js';
import { plainScorer, quiet } from '../projections/world.js';
import { pagesOf } from './audit.js';

/** What outlives a process. */
export type Disk = {
  /** The stores of a new process; `before` is called before each single write inside of a page, where the store has such. */
  readonly open: (before: (write: string) => void) => { readonly events: EventStore; readonly models: ReadModels };
  /** The process that had it open is dead. */
  readonly fail: () => Promise<void>;
  readonly remove: () => Promise<void>;
};
export class Killed extends Error {}

const HEAD_START_MS = 10;
const generationOf = () => 0;
const names = collectionsOf(eventsProjection, 0).map(({ name }) => name);

/**
 * A platform's workers and commands, real ones, in processes that die: the first at the point `plan[0]`,
 * the next at `plan[1]` of its own, and so on. Points lie before each write, inside of it, and after it, before anybody is told.
 */
export class Life {
  /** Places to die that were passed, in all lives. */
  points = 0;
  deaths = 0;
  /** Epoch ms; stands until it is moved, and outlives a process. */
  now: number;
  events!: EventStore;
  commands!: EventCommands;
  #models!: ReadModels;
  #running: Running[] = [];
  #projector!: Projector;
  #reactor!: Reacts;
  #point = 0;
  #dead = false;

  constructor(readonly disk: Disk, readonly plan: readonly number[], start: number) { this.now = start; }

  context(): Context {
    return { workspace: 'w', actor: 'token:t', request: null, correlation: 'c', causation: null, at: this.now };
  }

  async begin(): Promise<void> {
    this.#dead = false;
    this.#point = 0;
    const { events, models } = this.disk.open(() => this.#before());
    this.events = this.#mortalEvents(events);
    this.#models = this.#mortalModels(models);
    await models.prepare(collectionsOf(eventsProjection, 0));
    const clock = () => this.now, newId = randomUUID, base = { store: this.events, models: this.#models, clock, log: quiet };
    const handle = handler(this.events, newId), queries = eventQueries(reader(this.#models, eventsProjection, generationOf));
    const profileOf = async () => ({ version: '', description: '', phrases: [] });
    this.commands = eventCommands(handle);
    const means = { handle, load: loader(this.events) };
    this.#reactor = react(scoring({ scorer: plainScorer, profileOf, log: quiet, concurrency: 3 }), { ...base, means });
    let projecting = (): void => undefined;
    const projects = new Promise<void>(resolve => { projecting = resolve; });
    const visible = async (position: number) => { await projects; return this.#projector.reached(position, 1_000); };
    const scheduler = dueScheduler({ queries, handle, clock, newId, visible, log: quiet });
    // In a new process they may see documents that are behind the log
    await new Promise(resolve => setTimeout(resolve, HEAD_START_MS));
    this.#projector = projector({ ...base, projection: eventsProjection, generationOf });
    projecting();
    this.#running = [this.#reactor, scheduler, this.#projector];
  }

  /** Buries a dead process and starts the next one. */
  async again(): Promise<void> {
    this.deaths++;
    await Promise.all(this.#running.map(({ stop }) => stop()));
    await this.disk.fail();
    await this.begin();
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map(({ stop }) => stop()));
  }

  /** Whether nothing is left to do just now. */
  async idle(): Promise<boolean> {
    const head = await this.events.head();
    if (this.#projector.position() < head || this.#reactor.position() < head) return false;
    const due = names.find(name => name.startsWith('event_due'))!;
    if (await this.#models.count(due, { due_at: { lte: this.now } }) > 0) return false;
    return await this.events.head() === head && !this.#dead;
  }

  /** All documents as text; without positions (`exact` false) two runs can be compared that wrote other facts on their way. */
  documents(exact: boolean): Promise<string> { return textOf(this.#models, exact); }

  /** What a replay of the whole log makes of nothing. */
  async replayed(): Promise<string> {
    const models = memoryReadModels();
    await models.prepare(collectionsOf(eventsProjection, 0));
    for await (const fact of pagesOf(this.events)) await applyPage(eventsProjection, models, 0, [fact]);
    return textOf(models, true);
  }

  #alive(): void { if (this.#dead) throw new Killed(); }
  #die(): never { this.#dead = true; throw new Killed(); }

  #before(): void {
    this.#alive();
    this.points++;
    if (this.#point++ === this.plan[this.deaths]) this.#die();
  }

  /** One write, with a point before it and one after it. */
  async #write<T>(work: () => Promise<T>): Promise<T> {
    this.#before();
    const done = await work();
    this.#before();
    return done;
  }

  #mortalEvents(events: EventStore): EventStore {
    const living = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => async (...args: A) => {
      this.#alive();
      return work(...args);
    };
    return {
      ...events, read: living(events.read), page: living(events.page), head: living(events.head),
      append: (...args) => this.#write(() => events.append(...args)),
    };
  }

  #mortalModels(models: ReadModels): ReadModels {
    return {
      ...models, commit: page => this.#write(() => models.commit(page)),
      load: async (...args) => { this.#alive(); return models.load(...args); },
      find: async (...args) => { this.#alive(); return models.find(...args); },
      count: async (...args) => { this.#alive(); return models.count(...args); },
      checkpoint: async name => { this.#alive(); return models.checkpoint(name); },
    };
  }
}

async function textOf(models: ReadModels, exact: boolean): Promise<string> {
  const all = await Promise.all(names.map(async name => [name, await models.find(name, { where: {}, sort: { by: ['_id'] } })]));
  return JSON.stringify(all, (key, value: unknown) => !exact && (key === '_at' || key === 'deleted') ? undefined : value, 1);
}
