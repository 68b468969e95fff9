import { csvHead, csvLines } from './csv.js';
import { EntityTable } from './entity-table.js';
import { holidaysOf } from './holidays.js';
import { layoutOf, type EntityRows, type Layout } from './layout.js';
import type { Ground } from './parts.js';
import { planOf } from './plan.js';
import { BLOCK_ROWS, type Block, type BuildOptions, type BuildTable, type Sink } from './ports.js';
import { QualityWatch } from './quality.js';
import { receiptOfHolidays, type NewDigest, type Receipt } from './receipts.js';
import { responsesOf } from './responses.js';
import { latestHolding } from './resuming.js';
import { StateReader, StateWriter } from './saved.js';
import { stepWarnings } from './step-warnings.js';
import { stepsIn } from './steps.js';

export const buildTable: BuildTable = async (recipe, sources, sink, options) => {
  const steps = stepsIn(recipe);
  const plan = planOf(recipe);
  const layout = await layoutOf(recipe, sources, steps);
  const holidays = await holidaysOf(recipe, sources, layout.span);
  const names = layout.entities.map(({ entity }) => entity);
  const responses = await responsesOf(recipe, sources, names);
  const watch = new QualityWatch(plan, recipe.fill.method === 'linear');
  const newDigest = options.resuming?.newDigest ?? null;
  const ground: Ground = { recipe, plan, sources, steps, holidays, responses, watch, newDigest };
  const build = new Build(ground, layout, sink, options);
  await build.run();
  const warnings = await stepWarnings(recipe, sources, layout);
  const { entities, span } = layout;
  const total = (of: (rows: EntityRows) => number): number =>
    entities.reduce((sum, rows) => sum + of(rows), 0);
  return {
    row_count: total(({ past, ahead }) => past + ahead),
    ahead: total(({ ahead }) => ahead),
    columns: watch.columns(),
    data_cutoff: entities.reduce((latest, { lastAt }) => Math.max(latest, lastAt), -Infinity),
    span,
    entities: recipe.entity_mode === 'single' ? null : entities.map(({ entity }) => entity!),
    quality: { ...watch.quality(), ...(warnings.length > 0 && { warnings }) },
    responses: responses.all,
    table_hash: options.hashing?.digest() ?? null,
  };
};

/** Rows whose text is held at a time. */
const ROWS_AT_ONCE = 128;

class Build {
  #row = 0;
  #block = 0;
  /** For the next checkpoint. */
  #receipts: Receipt[] = [];

  constructor(
    readonly ground: Ground,
    readonly layout: Layout,
    readonly sink: Sink,
    readonly options: BuildOptions,
  ) {}

  async run(): Promise<void> {
    const { entities, span } = this.layout;
    const resumed = await this.#resumed();
    const columns = this.ground.watch.columns();
    await this.sink.begin?.(columns, { row: this.#row, block: this.#block, span });
    if (!resumed) this.options.hashing?.update(csvHead(columns, entities[0]!.entity !== null));
    if (resumed) await this.#finish(resumed);
    else this.#note(newDigest => this.ground.holidays.asked.map(each => receiptOfHolidays(each, newDigest)));
    const from = resumed ? entities.indexOf(resumed.rows) + 1 : 0;
    for (const rows of entities.slice(from)) {
      this.ground.watch.begin();
      const table = await EntityTable.open(this.ground, rows);
      this.#note(() => table.begun());
      await this.#finish(table);
    }
  }

  /** The table of the entity at which a checkpoint was made, as it was then; null: none holds. */
  async #resumed(): Promise<EntityTable | null> {
    const { resuming, hashing } = this.options;
    if (!resuming) return null;
    const { ground, layout } = this;
    const latest = await latestHolding(resuming.checkpoints, ground, layout, resuming.newDigest);
    const bytes = await latest?.state();
    if (!latest || !bytes) return null;
    const rows = layout.entities.find(({ entity }) => entity === latest.entity)!;
    const state = new StateReader(bytes);
    const table = await EntityTable.open(ground, rows, state.take());
    table.load(state);
    ground.watch.load(state);
    hashing?.load(state.hash);
    this.#row = latest.row;
    this.#block = latest.block;
    return table;
  }

  /** Receipts are kept where checkpoints are told of. */
  #note(receipts: (newDigest: NewDigest) => readonly Receipt[]): void {
    const { newDigest } = this.ground;
    if (newDigest) this.#receipts.push(...receipts(newDigest));
  }

  /** The rest of an entity's rows. Where building breaks off, sources are told as well. */
  async #finish(table: EntityTable): Promise<void> {
    try {
      for (let { left } = table; left.all > 0; { left } = table) {
        const isAhead = left.past === 0;
        const rows = Math.min(BLOCK_ROWS, isAhead ? left.all : left.past);
        const { times, columns } = await table.next(rows);
        const { entity } = table.rows;
        const block: Block = { entity, row: this.#row, isAhead, times, columns };
        if (!isAhead) this.#hash(block);
        await this.sink.block(block);
        table.pass(rows);
        this.#row += rows;
        this.#block++;
        if (rows === BLOCK_ROWS && !isAhead) await this.#checkpoint(table);
      }
      const { past, ahead } = table.rows;
      this.#note(() => [...table.receipts(), { what: 'rows', past, ahead }]);
    } finally {
      await table.end();
    }
  }

  async #checkpoint(table: EntityTable): Promise<void> {
    const { readTo, rows } = table;
    if (readTo === null || !this.options.resuming || !this.sink.checkpoint) return;
    this.#note(() => table.receipts());
    const state = new StateWriter();
    state.put(table.at);
    table.save(state);
    this.ground.watch.save(state);
    await this.sink.checkpoint({
      ...{ entity: rows.entity, row: this.#row, block: this.#block, readTo },
      state: state.bytes(this.options.hashing?.save() ?? new Uint8Array()),
      receipts: this.#receipts.splice(0),
    });
  }

  #hash(block: Block): void {
    const rows = block.times.length;
    for (let row = 0; row < rows; row += ROWS_AT_ONCE)
      this.options.hashing?.update(csvLines(block, row, Math.min(rows, row + ROWS_AT_ONCE)));
  }
}
