import { StepReader, type Counts } from './aggregate.js';
import type { ColumnBuffer } from './columns.js';
import { Filler } from './fill.js';
import type { Sources } from './ports.js';
import type { Reading, Receipt } from './receipts.js';
import type { NewReading } from './event-column.js';
import type { Aggregate, Fill, Transform } from './recipe.js';
import type { StateReader, StateWriter } from './saved.js';
import { Transformer } from './transform.js';
import { SECOND } from '../time.js';

/** How many rows from the first at work on there are: of the past, and with those ahead of it. */
export type Left = { readonly past: number; readonly all: number };

export type SignalOptions = {
  readonly key: string;
  readonly lagS: number;
  /** Points of these times count: `to` is not included. */
  readonly from: number;
  readonly to: number;
  readonly isKnownAhead: boolean;
  readonly aggregate: Aggregate;
  readonly fill: Fill;
  readonly season: number | null;
  readonly transform: Transform;
  readonly lookAhead: number;
  /** The most rows that are at work at a time. */
  readonly block: number;
};

/** A column made of a signal's points: brought to steps, holes filled, transformed. */
export class SignalColumn {
  /** Aggregates of the rows at work and of those that were read ahead. */
  readonly raw: Float64Array;
  #known = 0;
  #reader: StepReader | null = null;
  #reading: Reading | null = null;
  /** The end of the last step that was read. */
  #readTo = -Infinity;
  readonly #filler: Filler;
  readonly #transformer: Transformer;

  constructor(
    readonly buffer: ColumnBuffer,
    readonly options: SignalOptions,
    readonly sources: Sources,
    readonly counts: Counts,
    readonly newReading: NewReading,
  ) {
    this.raw = new Float64Array(options.block + options.lookAhead).fill(NaN);
    this.#filler = new Filler(options.fill, options.season);
    this.#transformer = new Transformer(options.transform);
  }

  /** Makes the next rows; `edges` reach as far as is read ahead. */
  async run(rows: number, edges: Float64Array, left: Left): Promise<Float64Array> {
    const { lookAhead, isKnownAhead } = this.options;
    const most = Math.min(rows + lookAhead, left.all);
    this.#reader ??= this.#open(edges[this.#known]!);
    if (most > this.#known) await this.#reader.read(this.raw, edges, this.#known, most);
    this.#readTo = edges[Math.max(most, this.#known)]!;
    this.#known = Math.max(most, this.#known);
    const out = this.buffer.now(rows);
    if (isKnownAhead) this.#filler.run(this.raw, this.#known, rows, out);
    else if (left.past > 0) this.#filler.run(this.raw, Math.min(this.#known, left.past), rows, out);
    else out.set(this.raw.subarray(0, rows));
    return out;
  }

  /** What comes after holes were looked at. */
  finish(rows: number): void {
    this.#transformer.run(this.buffer.now(rows));
    this.raw.copyWithin(0, rows, this.#known);
    this.#known -= rows;
  }

  /** Of the points that were used up since the one before; null where nobody asks for receipts. */
  receipt(): Receipt | null {
    const { to, lagS } = this.options;
    return this.#reading?.receipt(Math.min(to, this.#readTo - lagS * SECOND)) ?? null;
  }

  async end(): Promise<void> {
    await this.#reader?.end();
  }

  save(state: StateWriter): void {
    state.putAll(this.raw.subarray(0, this.#known));
    this.#filler.save(state);
    this.#transformer.save(state);
  }

  load(state: StateReader): void {
    this.#known = state.takeAll(this.raw);
    this.#filler.load(state);
    this.#transformer.load(state);
  }

  #open(begin: number): StepReader {
    const { key, from, to, lagS } = this.options;
    const lag = lagS * SECOND;
    const first = Math.max(from, begin - lag);
    const points = this.sources.points(key, first, to);
    this.#reading = this.newReading('points', key, first);
    return new StepReader(points, this.options.aggregate, lag, this.counts, NaN, this.#reading);
  }
}
