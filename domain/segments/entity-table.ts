import { ColumnBuffer } from './columns.js';
import { blockOf, type EntityRows } from './layout.js';
import { partsOf, type Ground, type Parts } from './parts.js';
import type { StateReader, StateWriter } from './saved.js';
import type { Receipt } from './receipts.js';
import { digestOfResponse, respondingTo } from './responses.js';
import type { Left } from './signal-column.js';
import { Walk } from './steps.js';
import { finiteOnly } from './transform.js';

/** The table of one entity, rows after rows. */
export class EntityTable {
  /** Rows that are done. */
  done = 0;
  readonly #walk: Walk;

  private constructor(
    readonly ground: Ground,
    readonly rows: EntityRows,
    readonly buffers: ReadonlyMap<string, ColumnBuffer>,
    readonly parts: Parts,
    begin: number,
  ) {
    this.#walk = new Walk(ground.steps, begin, blockOf(rows) + ground.plan.lookAhead + 1);
  }

  /** `begin`: the step to begin with, the first one unless a state is loaded. */
  static async open(ground: Ground, rows: EntityRows, begin = rows.start): Promise<EntityTable> {
    const { plan } = ground;
    const leaky = new Set(ground.recipe.inputs.map(({ key }) => key));
    const buffers = new Map(
      plan.columns.map(({ name }) => {
        const back = Math.max(plan.back.get(name) ?? 0, leaky.has(name) ? 1 : 0);
        return [name, new ColumnBuffer(name, back, blockOf(rows))];
      }),
    );
    return new EntityTable(ground, rows, buffers, await partsOf(ground, rows, buffers), begin);
  }

  readonly column = (name: string): ColumnBuffer => this.buffers.get(name)!;

  /** So many rows from here on. */
  get left(): Left {
    const { past, ahead } = this.rows;
    return { past: Math.max(0, past - this.done), all: past + ahead - this.done };
  }

  /** Makes the next rows; answers beginnings of their steps and their columns, which are ours. */
  async next(rows: number): Promise<{ times: Float64Array; columns: Float64Array[] }> {
    const { plan, watch } = this.ground;
    const { left } = this;
    this.#walk.reach(Math.min(rows + plan.lookAhead, left.all));
    const { edges } = this.#walk;
    for (const signal of this.parts.signals) {
      const filled = await signal.run(rows, edges, left);
      if (left.past > 0) watch.holes(signal.buffer.name, signal.raw, filled);
      signal.finish(rows);
    }
    for (const { buffer, value } of this.parts.statics) buffer.now(rows).fill(value);
    for (const event of this.parts.events) await event.run(rows, edges);
    const place = { rows, first: this.done, edges };
    for (const { machine, outs } of this.parts.machines) {
      machine.run(place);
      for (const out of outs) finiteOnly(out.now(rows));
    }
    if (left.past > 0) watch.table(this.column, rows);
    return {
      times: edges.slice(0, rows),
      columns: plan.columns.map(({ name }) => this.column(name).now(rows)),
    };
  }

  /** The rows that `next` gave are not needed any more. */
  pass(rows: number): void {
    this.done += rows;
    this.#walk.pass(rows);
    for (const buffer of this.buffers.values()) buffer.pass(rows);
  }

  /** The time before which all was read, where nothing was read of how the past ends; else null. */
  get readTo(): number | null {
    const { lookAhead } = this.ground.plan;
    if (this.left.past < lookAhead || this.left.past === 0) return null;
    this.#walk.reach(lookAhead);
    return this.#walk.edges[lookAhead]!;
  }

  get at(): number {
    return this.#walk.edges[0]!;
  }

  async end(): Promise<void> {
    for (const part of [...this.parts.signals, ...this.parts.events]) await part.end();
  }

  save(state: StateWriter): void {
    state.put(this.done);
    for (const part of this.#saved()) part.save?.(state);
  }

  load(state: StateReader): void {
    this.done = state.take();
    for (const part of this.#saved()) part.load?.(state);
  }

  /** What the rows stand on besides what is read row by row. */
  begun(): Receipt[] {
    const { entity, start } = this.rows;
    const { recipe, responses, newDigest } = this.ground;
    const [, ...inputs] = this.parts.signals;
    const streams = newDigest ? new Set(respondingTo(recipe)) : [];
    return [
      { what: 'entity', entity, start },
      ...[...streams].map(stream => ({
        ...{ what: 'response' as const, entity, stream },
        digest: digestOfResponse(responses.of(stream, entity), newDigest!),
      })),
      ...inputs.map(({ buffer, options }) => ({
        ...{ what: 'signal' as const, entity, input: buffer.name, signal: options.key },
      })),
      ...this.parts.statics.map(({ buffer, value }) => ({
        ...{ what: 'static' as const, entity, input: buffer.name },
        value: Number.isNaN(value) ? null : value,
      })),
    ];
  }

  /** What was read since it was asked before. */
  receipts(): Receipt[] {
    return [...this.parts.signals, ...this.parts.events].flatMap(part => part.receipt() ?? []);
  }

  #saved(): readonly { save?(state: StateWriter): void; load?(state: StateReader): void }[] {
    const { signals, events, machines } = this.parts;
    return [...this.buffers.values(), ...signals, ...events, ...machines.map(({ machine }) => machine)];
  }
}
