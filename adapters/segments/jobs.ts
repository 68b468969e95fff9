import { jsonBytes, packed, unpacked, type KeptBlock } from '../../commands/segments/tables.js';
import type { KeptTable } from '../../domain/segments/facts.js';
import { fitNormalization } from '../../domain/segments/normalisation.js';
import type { Block, BuiltTable, Sources, TableReader } from '../../domain/segments/ports.js';
import { previewTable } from '../../domain/segments/preview.js';
import type { Recipe } from '../../domain/segments/recipe.js';
import { suggestFeatures } from '../../domain/segments/suggest.js';
import { sha256 } from './hashing.js';
import { buildTable } from '../../domain/segments/table.js';

/** The job's shelf, where bytes lie under their SHA-256. */
type Shelf = {
  readonly put: (bytes: Uint8Array) => Promise<string>;
  readonly get: (sha256: string) => Promise<Uint8Array>;
};

export type Job = { readonly task: 'build' | 'preview' | 'suggest'; readonly recipe: Recipe };

/** What a job comes to. */
export function work({ task, recipe }: Job, sources: Sources, shelf: Shelf): Promise<unknown> {
  switch (task) {
    case 'build':
      return build(recipe, sources, shelf);
    case 'preview':
      return previewTable(recipe, sources);
    case 'suggest':
      return suggestFeatures(recipe, sources);
  }
}

/** Builds a table, block by block onto the shelf. */
export async function build(recipe: Recipe, sources: Sources, shelf: Shelf): Promise<KeptTable> {
  const blocks: KeptBlock[] = [];
  const block = async (each: Block): Promise<void> => {
    const { entity, isAhead, times } = each;
    blocks.push({ sha256: await shelf.put(await packed(each)), rows: times.length, entity, isAhead });
  };
  const table = await buildTable(recipe, sources, { block }, { hashing: await sha256() });
  const fitted = await fitNormalization(recipe, table, readerOf(table, blocks, shelf));
  const normalization = await shelf.put(jsonBytes(fitted));
  const manifest = await shelf.put(jsonBytes({ table, normalization, blocks }));
  return { ...table, entities: table.entities?.length ?? null, manifest };
}

/** Reads the past of a table back from the shelf. */
const readerOf = (table: BuiltTable, blocks: readonly KeptBlock[], shelf: Shelf): TableReader =>
  async function* (names) {
    const places = names.map(name => table.columns.findIndex(column => column.name === name));
    let row = 0;
    for (const { sha256, rows, entity, isAhead } of blocks) {
      if (isAhead) continue;
      const { times, columns } = await unpacked(await shelf.get(sha256), rows);
      yield { entity, isAhead, row, times, columns: places.map(place => columns[place]!) };
      row += rows;
    }
  };
