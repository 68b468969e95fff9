import { iso } from '../time.js';
import { buildTable } from './table.js';
import type { Block, BuiltTable, Column, Sink, Sources } from './ports.js';
import type { Recipe } from './recipe.js';

/** `ts`, `entity` where there is one, and the columns by name. */
export type TableRow = Readonly<Record<string, string | number | null>>;

/** The means of equal stretches of time that have any. */
export type Plot = { readonly ts: readonly string[]; readonly values: readonly number[] };

export type Preview = {
  readonly table: BuiltTable;
  readonly rows: readonly TableRow[];
  readonly plot: Readonly<Record<string, Plot>>;
};

const EDGE_ROWS = 50;
const PLOT_POINTS = 200;

/** Rows of a block as objects; `from` and `to` (not included) are rows of the block. */
export function rowsOfBlock(
  columns: readonly { readonly name: string }[],
  block: Block,
  from = 0,
  to = block.times.length,
): TableRow[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => {
    const values = block.columns.map((column, c) => {
      const value = column[from + i]!;
      return [columns[c]!.name, Number.isNaN(value) ? null : value] as const;
    });
    const head = { ts: iso(block.times[from + i]!), ...(block.entity !== null && { entity: block.entity }) };
    return Object.fromEntries([...Object.entries(head), ...values]);
  });
}

/** A table that is not kept: its first and last 50 rows (all, up to 100), and a picture of each column. */
export async function previewTable(recipe: Recipe, sources: Sources): Promise<Preview> {
  const sink = new PreviewSink();
  const table = await buildTable(recipe, sources, sink, { hashing: null });
  return { table, rows: [...sink.first, ...sink.last], plot: sink.plot() };
}

class PreviewSink implements Sink {
  readonly first: TableRow[] = [];
  last: TableRow[] = [];
  #columns: readonly Column[] = [];
  #from = 0;
  #ms = 1;
  #sums: readonly Float64Array[] = [];
  #counts: readonly Float64Array[] = [];

  async begin(columns: readonly Column[], { span }: { readonly span: BuiltTable['span'] }): Promise<void> {
    this.#columns = columns;
    this.#from = span.from;
    this.#ms = (span.to - span.from) / PLOT_POINTS;
    this.#sums = columns.map(() => new Float64Array(PLOT_POINTS));
    this.#counts = columns.map(() => new Float64Array(PLOT_POINTS));
  }

  async block(block: Block): Promise<void> {
    const count = block.times.length;
    const head = Math.min(count, EDGE_ROWS - this.first.length);
    this.first.push(...rowsOfBlock(this.#columns, block, 0, head));
    const tail = rowsOfBlock(this.#columns, block, Math.max(head, count - EDGE_ROWS));
    this.last = [...this.last, ...tail].slice(-EDGE_ROWS);
    block.columns.forEach((column, c) => this.#draw(block.times, column, c));
  }

  plot(): Record<string, Plot> {
    const drawn = this.#columns.map(({ name }, c) => {
      const counts = this.#counts[c]!;
      const places = [...counts.keys()].filter(place => counts[place]! > 0);
      const plot = {
        ts: places.map(place => iso(Math.round(this.#from + place * this.#ms))),
        values: places.map(place => this.#sums[c]![place]! / counts[place]!),
      };
      return [name, plot] as const;
    });
    return Object.fromEntries(drawn);
  }

  /** Rows ahead of the past lie beyond the picture. */
  #draw(times: Float64Array, column: Float64Array, c: number): void {
    const [sums, counts] = [this.#sums[c]!, this.#counts[c]!];
    for (let i = 0; i < times.length; i++) {
      const place = Math.floor((times[i]! - this.#from) / this.#ms);
      if (place >= PLOT_POINTS || Number.isNaN(column[i]!)) continue;
      sums[place]! += column[i]!;
      counts[place]!++;
    }
  }
}
