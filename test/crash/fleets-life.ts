import { randomUUID } from 'node:crypto';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { fleetCommands, type FleetCommands } from '../../commands/fleets/records.js';
import { goalCommands, type GoalCommands } from '../../commands/goals/records.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { fleetsProjection } from '../../projections/fleets/projection.js';
import { fleetQueries, type FleetQueries } from '../../projections/fleets/queries.js';
import { goalsProjection } from '../../projections/goals/projection.js';
import { goalQueries, type GoalQueries } from '../../projections/goals/queries.js';
import type { Running } from '../../workers/engine/follow.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import { fleetWork } from '../../workers/fleets.js';
import { quiet } from '../projections/world.js';
import { Deaths, type Disk } from './deaths.js';

export const WORKSPACE = 'w';
export const OF = { workspace: WORKSPACE, fleetId: 'flt_1' } as const;
export const ENTITIES = ['a', 'b', 'c'];
const generationOf = () => 0;

/** Fleets and their goals, in processes that die as planned. */
export class FleetsLife {
  readonly deaths: Deaths;
  now = Date.UTC(2026, 10, 23);
  events!: EventStore;
  commands!: FleetCommands;
  goals!: GoalCommands;
  queries!: FleetQueries;
  goalsShown!: GoalQueries;
  #running: Running[] = [];
  #projectors: Projector[] = [];

  constructor(
    readonly disk: Disk,
    plan: readonly number[],
  ) {
    this.deaths = new Deaths(plan);
  }

  context = (): Context => ({
    ...{ workspace: WORKSPACE, actor: 'token:t', request: null, correlation: 'c', causation: null },
    at: this.now,
  });

  async begin(): Promise<void> {
    this.deaths.begin();
    this.now += 1_000;
    const opened = this.disk.open(this.deaths.before);
    this.events = this.deaths.events(opened.events);
    const models = this.deaths.models(opened.models);
    const projections = [goalsProjection, fleetsProjection];
    for (const each of projections) await opened.models.prepare(collectionsOf(each, 0));
    const clock = () => this.now;
    const writing = { handle: handler(this.events, randomUUID), load: loader(this.events) };
    this.commands = fleetCommands(writing);
    this.goals = goalCommands(writing);
    this.queries = fleetQueries(reader(models, fleetsProjection, generationOf));
    this.goalsShown = goalQueries(reader(models, goalsProjection, generationOf));
    const base = { store: this.events, models, clock, log: quiet };
    this.#projectors = projections.map(projection => projector({ ...base, projection, generationOf }));
    const work = fleetWork({
      ...{ queries: this.queries, commands: this.commands, goals: this.goals },
      ofFleet: this.goalsShown.ofFleet,
      entities: async () => ENTITIES.map(entity => ({ entity, points: 50 })),
      target: async () => ({ points: 50, stepS: async () => 3_600 }),
      quota: async () => ({ limit: 3, used: await this.goalsShown.count(WORKSPACE), plan: 'free' }),
      isArchived: () => false,
      ...{ clock, newId: randomUUID, log: quiet },
      visible: position => this.#shown(position),
      upToDate: async () => this.#shown(await this.events.head()).then(() => this.idle()),
    });
    this.#running = [...this.#projectors, work];
  }

  /** Buries a dead process and starts the next one. */
  async again(): Promise<void> {
    this.deaths.count++;
    await this.end();
    await this.disk.fail();
    await this.begin();
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map(({ stop }) => stop().catch(() => undefined)));
  }

  async idle(): Promise<boolean> {
    const head = await this.events.head();
    return this.#projectors.every(each => each.position() >= head);
  }

  async #shown(position: number | null): Promise<void> {
    if (position === null) return;
    await Promise.all(this.#projectors.map(each => each.caughtUp(position, 1_000)));
  }
}
