import { randomUUID } from 'node:crypto';
import { creditsOf, type Credits } from '../../commands/billing/credits.js';
import { ledgerCommands } from '../../commands/billing.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { togetherOn } from '../../commands/engine/together.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { becameOf, scenarioCommands, type ScenarioCommands } from '../../commands/scenarios/records.js';
import { createScenario, runScenario, type StartingDeps } from '../../commands/scenarios/starting.js';
import { builtInRates } from '../../domain/billing/rates.js';
import type { GoalState } from '../../domain/goals/state.js';
import type { ScenarioCreated } from '../../domain/scenarios/facts.js';
import { billingProjection } from '../../projections/billing/projection.js';
import { ledgerQueries, type LedgerQueries } from '../../projections/billing/queries.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { scenariosProjection } from '../../projections/scenarios/projection.js';
import { scenarioQueries, type ScenarioQueries } from '../../projections/scenarios/queries.js';
import { scenarioWork } from '../../workers/scenarios.js';
import type { Running } from '../../workers/engine/follow.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import { settling } from '../../workers/settling.js';
import { issued, ports } from '../commands/scenarios-world.js';
import { quiet } from '../projections/world.js';
import { Deaths, type Disk } from './deaths.js';

export const WORKSPACE = 'w';
export const ORGANIZATION = 'org_1';
export const CREDITS = 5_000;
const generationOf = () => 0;
const goal = { status: 'active', settings: { timezone: 'UTC' } } as unknown as GoalState;
const signal = AbortSignal.timeout(600_000);

/** Scenarios with a real ledger, in processes that die as planned. */
export class ScenariosLife {
  readonly deaths: Deaths;
  now = 1_000_000;
  queries!: ScenarioQueries;
  ledgers!: LedgerQueries;
  commands!: ScenarioCommands;
  events!: EventStore;
  #starting!: StartingDeps;
  #running: Running[] = [];
  #projectors: Projector[] = [];

  constructor(
    readonly disk: Disk,
    plan: readonly number[],
    /** Appends of one turn are all or none: what is paid at once is written together with its work. */
    readonly together: boolean,
  ) {
    this.deaths = new Deaths(plan);
  }

  context = (): Context => ({
    ...{ workspace: WORKSPACE, actor: 'token:t', request: null, correlation: 'c', causation: null },
    at: this.now,
  });

  create(scenarioId: string, isQueued: boolean) {
    const scenario: ScenarioCreated['data'] = {
      ...{ scenarioId, goalId: issued.goalId, name: 'x', description: '', base: 'latest', horizon: null },
      assumptions: [{ kind: 'event_remove', eventId: 'evt_1', stream: null, from: null, to: null }],
      owner: 'usr_1',
    };
    const asked = { isQueued, maxCredits: undefined };
    return createScenario(this.#starting, WORKSPACE, scenario, asked, this.context(), signal);
  }

  runAgain = (scenarioId: string) =>
    runScenario(
      this.#starting,
      { workspace: WORKSPACE, scenarioId },
      { isQueued: true, maxCredits: undefined },
      this.context(),
      signal,
    );

  async begin(): Promise<void> {
    this.deaths.begin();
    this.now += 1_000;
    const opened = this.disk.open(this.deaths.before);
    this.events = this.deaths.events(opened.events);
    const models = this.deaths.models(opened.models);
    const projections = [billingProjection, scenariosProjection];
    for (const each of projections) await opened.models.prepare(collectionsOf(each, 0));
    const clock = () => this.now;
    const common = { clock, newId: randomUUID, log: quiet };
    const handle = handler(this.events, randomUUID);
    const load = loader(this.events);
    this.ledgers = ledgerQueries(reader(models, billingProjection, generationOf));
    this.queries = scenarioQueries(reader(models, scenariosProjection, generationOf));
    const together = togetherOn({ store: this.events, newId: randomUUID, shared: false });
    const terms = { plan: 'free', plansVersion: '1', credits: CREDITS };
    const ledger = ledgerCommands({ together, known: this.ledgers.known, terms });
    const rates = {
      ...builtInRates,
      credits: { ...builtInRates.credits, 'inference.series_step': '0.01' },
    };
    const credits: Credits = creditsOf({
      ...{ commands: ledger, alone: this.together, rates, clock, log: quiet },
      organizationOf: async () => ORGANIZATION,
    });
    this.commands = scenarioCommands({ handle, load, credits });
    const basing = {
      goal: async () => goal,
      forecast: async () => issued,
      latest: async () => issued,
    };
    this.#starting = { ...ports, ...basing, commands: this.commands, credits };
    const base = { store: this.events, models, clock, log: quiet };
    this.#projectors = projections.map(projection => projector({ ...base, projection, generationOf }));
    const work = scenarioWork({
      ...{ ...common, ...ports, ...basing, commands: this.commands, queries: this.queries },
      visible: position => this.#shown(position),
    });
    const settled = settling({
      ...{ ...common, queries: this.ledgers, commands: ledger, alone: true },
      became: { scenario: becameOf(load) },
    });
    this.#running = [...this.#projectors, work, settled];
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
