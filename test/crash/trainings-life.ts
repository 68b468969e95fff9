import { randomUUID } from 'node:crypto';
import { folderContents } from '../../adapters/contents.js';
import { build } from '../../adapters/segments/jobs.js';
import { packed } from '../../adapters/trainings/packing.js';
import { trainBy } from '../../adapters/trainings/train.js';
import { creditsOf } from '../../commands/billing/credits.js';
import { ledgerCommands } from '../../commands/billing.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { togetherOn } from '../../commands/engine/together.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { tables } from '../../commands/segments/tables.js';
import type { SegmentFound } from '../../commands/trainings/doing.js';
import { trainingFiles } from '../../commands/trainings/files.js';
import { trainingCommands, type TrainingCommands } from '../../commands/trainings/records.js';
import type { TrainApart } from '../../commands/trainings/work.js';
import { keeping } from '../../adapters/trainings/keeping.js';
import { builtInRates } from '../../domain/billing/rates.js';
import type { Sources } from '../../domain/segments/ports.js';
import type { TrainingSeries } from '../../domain/trainings/ports.js';
import { billingProjection } from '../../projections/billing/projection.js';
import { ledgerQueries, type LedgerQueries } from '../../projections/billing/queries.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { trainingsProjection } from '../../projections/trainings/projection.js';
import { trainingQueries, type TrainingQueries } from '../../projections/trainings/queries.js';
import type { Running } from '../../workers/engine/follow.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import { settling } from '../../workers/settling.js';
import { trainingWork } from '../../workers/trainings.js';
import { HOUR, recipe, START } from '../domain/segments-given.js';
import { quiet } from '../projections/world.js';
import { Deaths, type Disk } from './deaths.js';

export const WORKSPACE = 'w';
export const ORGANIZATION = 'org_1';
export const CREDITS = 5_000;
const generationOf = () => 0;
const COUNT = 60;
const split = { method: 'rolling_origin', folds: 2, horizon: 3, gap: 0 } as const;
const segmentRecipe = { ...recipe({ split }) };

/** Trainings with a real ledger, in processes that die as planned; what is trained is trained for real. */
export class TrainingsLife {
  readonly deaths: Deaths;
  now = START + 1_000 * HOUR;
  queries!: TrainingQueries;
  ledgers!: LedgerQueries;
  commands!: TrainingCommands;
  events!: EventStore;
  readonly files;
  readonly #contents;
  #segment!: SegmentFound;
  #running: Running[] = [];
  #projectors: Projector[] = [];

  constructor(
    readonly disk: Disk,
    readonly folder: string,
    plan: readonly number[],
  ) {
    this.deaths = new Deaths(plan);
    this.#contents = folderContents(folder);
    this.files = trainingFiles(this.#contents);
  }

  context = (): Context => ({
    ...{ workspace: WORKSPACE, actor: 'token:t', request: null, correlation: 'c', causation: null },
    at: this.now,
  });

  /** Builds the table once: nobody dies at that. */
  async prepare(): Promise<void> {
    const shelf = {
      put: async (bytes: Uint8Array) => (await this.#contents.put('seg_1', bytes)).sha256,
      get: (sha256: string) => this.#contents.get('seg_1', sha256),
      has: async () => false,
    };
    const table = await build(segmentRecipe, sources, shelf, null);
    this.#segment = { status: 'ready', error: null, built: { version: 1, recipe: segmentRecipe, table } };
  }

  async begin(): Promise<void> {
    this.deaths.begin();
    this.now += 1_000;
    const opened = this.disk.open(this.deaths.before);
    this.events = this.deaths.events(opened.events);
    const models = this.deaths.models(opened.models);
    const projections = [billingProjection, trainingsProjection];
    for (const each of projections) await opened.models.prepare(collectionsOf(each, 0));
    const clock = () => this.now;
    const common = { clock, newId: randomUUID, log: quiet };
    const handle = handler(this.events, randomUUID);
    const load = loader(this.events);
    this.ledgers = ledgerQueries(reader(models, billingProjection, generationOf));
    this.queries = trainingQueries(reader(models, trainingsProjection, generationOf));
    const together = togetherOn({ store: this.events, newId: randomUUID, shared: false });
    const terms = { plan: 'free', plansVersion: '1', credits: CREDITS };
    const ledger = ledgerCommands({ together, known: this.ledgers.known, terms });
    const credits = creditsOf({
      ...{ commands: ledger, alone: true, rates: builtInRates, clock, log: quiet },
      organizationOf: async () => ORGANIZATION,
    });
    this.commands = trainingCommands({ handle, load, credits });
    const base = { store: this.events, models, clock, log: quiet };
    this.#projectors = projections.map(projection => projector({ ...base, projection, generationOf }));
    const work = trainingWork({
      ...common,
      commands: this.commands,
      queries: this.queries,
      segment: async () => this.#segment,
      tables: tables(this.#contents),
      train: inThisProcess,
      keep: keeping({ files: this.files, modelFiles: noGraphs(this.folder), artifacts: kept }),
      modelFiles: { place: () => Promise.reject(new Error('no model is placed here')) },
      hosted: async () => null,
      deployed: async () => null,
      visible: position => this.#shown(position),
      atOnce: 1,
      alone: true,
      worker: 'here',
    });
    const settled = settling({
      ...common,
      queries: this.ledgers,
      commands: ledger,
      became: { training: this.commands.became },
      alone: true,
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

const sources: Sources = {
  asOf: Infinity,
  span: async key => (key === 'orders' ? { first: START, last: START + (COUNT - 1) * HOUR } : null),
  async *points() {
    yield {
      times: Float64Array.from({ length: COUNT }, (_, i) => START + i * HOUR),
      values: Float64Array.from({ length: COUNT }, (_, i) => (i % 24) + (i % 5) / 10),
    };
  },
  async *events() {},
  responses: async () => [],
  entities: async () => [],
  holidays: async () => null,
};

const inThisProcess: TrainApart = async ({ work, head, rows, warnings, tell }) => {
  const series: TrainingSeries[] = [];
  for await (const { entity, times, columns } of rows) series.push({ entity, times, columns });
  return packed(await trainBy('')({ ...head, series }, work, tell), warnings);
};

/** Naive makes neither a graph nor a file to download. */
const noGraphs = (folder: string) => ({
  folder,
  bring: () => Promise.reject(new Error('there is no graph')),
  keep: async () => undefined,
});
const kept = { put: async () => undefined };
