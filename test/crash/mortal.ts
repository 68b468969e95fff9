import { randomUUID } from 'node:crypto';
import { memoryKeyValue } from '../../adapters/memory.js';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { eventCommands, type EventCommands } from '../../commands/events.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { eventQueries } from '../../projections/events/queries.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { applyPage } from '../../projections/engine/apply.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { dueScheduler } from '../../workers/due.js';
import type { Running } from '../../workers/engine/follow.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import { react, type Reacts } from '../../workers/engine/reactor.js';
import { SET_ASIDE } from '../../workers/engine/set-aside-facts.js';
import { scoring } from '../../workers/scoring.js';
import { plainScorer, quiet } from '../projections/world.js';
import { pagesOf } from './audit.js';
import { Deaths, type Disk } from './deaths.js';

const HEAD_START_MS = 10;
const generationOf = () => 0;
const names = collectionsOf(eventsProjection, 0).map(({ name }) => name);

/** A platform's workers and commands, real ones, in processes that die as planned. */
export class Life {
  readonly deaths: Deaths;
  /** Epoch ms; stands until it is moved, and outlives a process. */
  now: number;
  events!: EventStore;
  commands!: EventCommands;
  #models!: ReadModels;
  #running: Running[] = [];
  #projector!: Projector;
  #reactor!: Reacts;

  constructor(
    readonly disk: Disk,
    plan: readonly number[],
    start: number,
  ) {
    this.deaths = new Deaths(plan);
    this.now = start;
  }

  context(): Context {
    return {
      workspace: 'w',
      actor: 'token:t',
      request: null,
      correlation: 'c',
      causation: null,
      at: this.now,
    };
  }

  async begin(): Promise<void> {
    this.deaths.begin();
    const { events, models } = this.disk.open(this.deaths.before);
    this.events = this.deaths.events(events);
    this.#models = this.deaths.models(models);
    await models.prepare([...collectionsOf(eventsProjection, 0), SET_ASIDE]);
    const clock = () => this.now;
    const newId = randomUUID;
    const base = { store: this.events, models: this.#models, clock, log: quiet };
    const handle = handler(this.events, newId);
    const queries = eventQueries(reader(this.#models, eventsProjection, generationOf));
    const profileOf = async () => ({ version: '', description: '', phrases: [] });
    this.commands = eventCommands(handle);
    const deps = { handle, load: loader(this.events) };
    let projecting = (): void => undefined;
    const projects = new Promise<void>(resolve => {
      projecting = resolve;
    });
    const visible = async (position: number) => {
      await projects;
      return this.#projector.caughtUp(position, 1_000);
    };
    const scorer = plainScorer;
    const caughtUp = visible;
    this.#reactor = react(scoring({ scorer, profileOf, queries, caughtUp, log: quiet, concurrency: 3 }), {
      ...{ ...base, deps },
      kv: memoryKeyValue(clock),
    });
    const scheduler = dueScheduler({ queries, handle, clock, newId, visible, log: quiet });
    // In a new process they may see documents that are behind the log
    await new Promise(resolve => setTimeout(resolve, HEAD_START_MS));
    this.#projector = projector({ ...base, projection: eventsProjection, generationOf });
    projecting();
    this.#running = [this.#reactor, scheduler, this.#projector];
  }

  /** Buries a dead process and starts the next one. */
  async again(): Promise<void> {
    this.deaths.count++;
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
    if (this.#reactor.waiting() > 0) return false;
    const due = names.find(name => name.startsWith('event_due'))!;
    if ((await this.#models.count(due, { due_at: { lte: this.now } })) > 0) return false;
    return (await this.events.head()) === head && !this.deaths.dead;
  }

  /**
   * All documents as text; without positions (`exact` false) two runs can be compared that wrote other facts
   * on their way.
   */
  documents(exact: boolean): Promise<string> {
    return textOf(this.#models, exact);
  }

  /** What a replay of the whole log makes of nothing. */
  async replayed(): Promise<string> {
    const models = memoryReadModels();
    await models.prepare(collectionsOf(eventsProjection, 0));
    for await (const fact of pagesOf(this.events)) await applyPage(eventsProjection, models, 0, [fact]);
    return textOf(models, true);
  }
}

async function textOf(models: ReadModels, exact: boolean): Promise<string> {
  const all = await Promise.all(
    names.map(async name => [name, await models.find(name, { where: {}, sort: { by: ['_id'] } })]),
  );
  return JSON.stringify(
    all,
    (key, value: unknown) => (!exact && ['_at', 'position', 'deleted'].includes(key) ? undefined : value),
    1,
  );
}
