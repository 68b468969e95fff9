import { randomUUID } from 'node:crypto';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { ledgerCommands, type LedgerCommands } from '../../commands/billing.js';
import type { Context } from '../../commands/engine/handle.js';
import { togetherOn } from '../../commands/engine/together.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { billingProjection } from '../../projections/billing/projection.js';
import { ledgerQueries, type LedgerQueries } from '../../projections/billing/queries.js';
import { applyPage } from '../../projections/engine/apply.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import { settling, type Became } from '../../workers/settling.js';
import type { Running } from '../../workers/engine/follow.js';
import { until } from '../platform.js';
import { quiet } from '../projections/world.js';
import { pagesOf } from './audit.js';
import { Deaths, type Disk } from './deaths.js';

export const ORGANIZATION = 'org_1';
export const TERMS = { plan: 'free', plansVersion: '1', credits: 3_000 };
const generationOf = () => 0;
const names = collectionsOf(billingProjection, 0).map(({ name }) => name);

/** Real ledgers, several processes at them, over stores that die as planned and are opened again. */
export class CreditsLife {
  readonly deaths: Deaths;
  /** What became of work, as its own journals tell it; outlives every process. */
  readonly works = new Map<string, 'completed' | 'failed'>();
  /** Epoch ms; outlives a process, and goes on with each. */
  now = Date.UTC(2026, 0, 1);
  processes: readonly LedgerCommands[] = [];
  #events!: EventStore;
  #models!: ReadModels;
  #queries!: LedgerQueries;
  #projector!: Projector;
  #running: Running[] = [];

  constructor(
    readonly disk: Disk,
    plan: readonly number[],
    /** How many share the stores of one life. */
    readonly atOnce: number,
  ) {
    this.deaths = new Deaths(plan);
  }

  context(): Context {
    const meta = { workspace: 'w', actor: 'token:t', request: null, correlation: 'c', causation: null };
    return { ...meta, at: this.now };
  }

  async begin(): Promise<void> {
    this.deaths.begin();
    this.now += 1_000;
    const { events, models } = this.disk.open(this.deaths.before);
    this.#events = this.deaths.events(events);
    this.#models = this.deaths.models(models);
    await models.prepare(collectionsOf(billingProjection, 0));
    this.#queries = ledgerQueries(reader(this.#models, billingProjection, generationOf));
    const together = togetherOn({ store: this.#events, newId: randomUUID, shared: this.atOnce > 1 });
    const known = this.#queries.known;
    this.processes = Array.from({ length: this.atOnce }, () =>
      ledgerCommands({ together, known, terms: TERMS }),
    );
    const base = { store: this.#events, models: this.#models, log: quiet };
    this.#projector = projector({ ...base, projection: billingProjection, generationOf });
    this.#running = [this.#projector, this.#settling()];
  }

  #settling(): Running {
    const became = async (_: string, id: string): Promise<Became> => this.works.get(id) ?? 'unknown';
    return settling({
      queries: this.#queries,
      commands: this.processes[0]!,
      became: { inference: became },
      alone: true,
      ...{ clock: () => this.now, newId: randomUUID, log: quiet },
    });
  }

  async again(): Promise<void> {
    this.deaths.count++;
    await this.end();
    await this.disk.fail();
    await this.begin();
  }

  /** As a process does that is started after all others have ended: no hold is left by then. */
  async settleAll(): Promise<void> {
    const caughtUp = async () => this.#projector.caughtUp(await this.#events.head(), 10_000);
    this.now += 3_600_000;
    await caughtUp();
    const work = this.#settling();
    await until(async () => {
      await caughtUp();
      return (await this.#models.count(names[1]!, {})) === 0;
    }, 'the end of all holds');
    await work.stop();
  }

  end(): Promise<unknown> {
    return Promise.all(this.#running.map(({ stop }) => stop()));
  }

  facts = () => this.#events.read(`ledger-${ORGANIZATION}`);
  account = async () => (await this.#queries.account(ORGANIZATION))!.account;
  documents = (): Promise<string> => textOf(this.#models);

  /** What a replay of the whole log makes of nothing. */
  async replayed(): Promise<string> {
    const models = memoryReadModels();
    await models.prepare(collectionsOf(billingProjection, 0));
    for await (const fact of pagesOf(this.#events)) await applyPage(billingProjection, models, 0, [fact]);
    return textOf(models);
  }
}

async function textOf(models: ReadModels): Promise<string> {
  const all = names.map(async name => [name, await models.find(name, { where: {}, sort: { by: ['_id'] } })]);
  return JSON.stringify(await Promise.all(all), null, 1);
}
