import { jsonBytes, packed, unpacked, type KeptBlock } from '../../commands/segments/tables.js';
import type { KeptTable } from '../../domain/segments/facts.js';
import { fitNormalization } from '../../domain/segments/normalisation.js';
import type { BuiltTable, Sink, Sources, TableReader } from '../../domain/segments/ports.js';
import { previewTable } from '../../domain/segments/preview.js';
import type { Recipe } from '../../domain/segments/recipe.js';
import { keptOf } from '../../domain/segments/responses.js';
import { suggestFeatures } from '../../domain/segments/suggest.js';
import { buildTable } from '../../domain/segments/table.js';
import { Checkpoints, earlierOn, groundOf, type Shelf } from './checkpoints.js';
import { newDigest, sha256 } from './hashing.js';

export type Job = {
  readonly task: 'build' | 'preview' | 'suggest';
  readonly recipe: Recipe;
  /** Of its sources. */
  readonly asOf: number;
  /** The manifest of the table before; null: there is none. */
  readonly before: string | null;
};

/** What a job comes to. */
export function work(job: Omit<Job, 'asOf'>, sources: Sources, shelf: Shelf): Promise<unknown> {
  const { task, recipe, before } = job;
  switch (task) {
    case 'build':
      return build(recipe, sources, shelf, before);
    case 'preview':
      return previewTable(recipe, sources);
    case 'suggest':
      return suggestFeatures(recipe, sources);
  }
}

/** Builds a table, block by block onto the shelf; what is as it was in the table before is taken over. */
export async function build(
  recipe: Recipe,
  sources: Sources,
  shelf: Shelf,
  before: string | null,
): Promise<KeptTable> {
  const hashing = await sha256();
  const ground = groundOf(recipe, hashing);
  const earlier = await earlierOn(shelf, before, ground);
  const kept = new Checkpoints(shelf);
  const blocks: KeptBlock[] = [];
  let takenOver = 0;
  const sink: Sink = {
    async begin(columns, { row, block }) {
      takenOver = row;
      blocks.push(...earlier.blocks.slice(0, block));
      kept.begin(earlier.checkpoints, block, columns.length);
    },
    async block(each) {
      const { entity, isAhead, times } = each;
      blocks.push({ sha256: await shelf.put(await packed(each)), rows: times.length, entity, isAhead });
    },
    checkpoint: each => kept.take(each),
  };
  const resuming = { checkpoints: earlier.checkpoints.map(each => kept.found(each)), newDigest };
  const table = await buildTable(recipe, sources, sink, { hashing, resuming });
  const fitted = await fitNormalization(recipe, table, readerOf(table, blocks, shelf));
  const normalization = await shelf.put(jsonBytes(fitted));
  const checkpoints = await kept.end(ground);
  const manifest = await shelf.put(
    jsonBytes({ table, normalization, blocks, ...(checkpoints && { checkpoints }) }),
  );
  const { responses, ...rest } = table;
  return {
    ...rest,
    entities: table.entities?.length ?? null,
    ...(responses.length > 0 && { responses: keptOf(responses) }),
    rebuilt_rows: table.row_count - takenOver,
    manifest,
  };
}

/** Reads the past of a table back from the shelf. */
const readerOf = (table: BuiltTable, blocks: readonly KeptBlock[], shelf: Shelf): TableReader =>
  async function* (names) {
    const places = names.map(name => table.columns.findIndex(column => column.name === name));
    let row = 0;
    for (const { sha256, rows, entity, isAhead } of blocks) {
      if (isAhead) continue;
      const file = await shelf.get(sha256);
      if (!file) throw new Error(`The block ${sha256} of a table was lost while it was built`);
      const { times, columns } = await unpacked(file, rows);
      yield { entity, isAhead, row, times, columns: places.map(place => columns[place]!) };
      row += rows;
    }
  };
