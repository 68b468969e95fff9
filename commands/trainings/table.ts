import { Rejected } from '../../domain/rejected.js';
import type { KeptRecipe, KeptTable } from '../../domain/segments/facts.js';
import type { Block } from '../../domain/segments/ports.js';
import { foldsOf } from '../../domain/segments/splits.js';
import { stepOf } from '../../domain/segments/steps.js';
import type { KeptBlock, Manifest, Tables } from '../segments/tables.js';
import type { TableHead } from './work.js';

/** Numbers that a training reads at most: 160 MB. */
export const MOST_NUMBERS = 20_000_000;
/** Steps before the first fold that are the least to learn from. */
const LEAST_TRAIN = 8;

export type TableRead = {
  readonly head: TableHead;
  readonly rows: AsyncIterable<Block>;
  readonly warnings: readonly string[];
};
type Of = {
  readonly segmentId: string;
  readonly recipe: KeptRecipe;
  readonly table: KeptTable;
  readonly horizon: number;
};

/**
 * The table of a segment as a training reads it: of one that is too large the newest rows. Folds are those of
 * the segment with the training's horizon, fewer where there is too little history for all.
 * @throws Rejected 422 `insufficient_history`; ContentLost where another table has taken its place
 */
export async function readTable(
  tables: Tables,
  { segmentId, recipe, table, horizon }: Of,
  most = MOST_NUMBERS,
): Promise<TableRead> {
  const manifest = await tables.manifest(segmentId, table.manifest);
  const past = manifest.blocks.filter(({ isAhead }) => !isAhead);
  const wanted = { ...recipe, split: { ...recipe.split, horizon } };
  const folds = foldsWithin(wanted, table.span.steps);
  const columns = table.columns.map(({ name, role }) => ({ name, role }));
  const kept = newest(past, Math.floor(most / (columns.length + 1)));
  const { quality } = table;
  return {
    head: {
      step: stepOf(recipe),
      timezone: recipe.timezone,
      columns,
      folds: foldsOf({ ...wanted, split: { ...wanted.split, folds } }, table.span),
    },
    rows: rowsOf(tables, segmentId, { ...manifest, blocks: past }, kept),
    warnings: [
      ...(kept.isCut ? ['table_cut'] : []),
      ...(folds < recipe.split.folds ? ['short_history'] : []),
      ...(quality.leakage_warnings.length > 0 ? ['leakage_suspected'] : []),
    ],
  };
}

function foldsWithin({ split: { folds, horizon, gap } }: KeptRecipe, steps: number): number {
  const fits = Math.min(folds, Math.floor((steps - gap - LEAST_TRAIN) / horizon));
  if (fits >= 1) return fits;
  const needed = horizon + gap + LEAST_TRAIN;
  throw new Rejected(
    'unprocessable',
    'insufficient_history',
    `${steps} steps are too few to train and judge ${horizon} steps ahead: ${needed} are needed`,
    { needed, got: steps },
  );
}

type Kept = { readonly skip: ReadonlyMap<string | null, number>; readonly isCut: boolean };

/** Of so many rows in all the newest of each entity, alike for all; `skip`: of each, the first ones. */
function newest(blocks: readonly KeptBlock[], rows: number): Kept {
  const counts = new Map<string | null, number>();
  for (const block of blocks) counts.set(block.entity, (counts.get(block.entity) ?? 0) + block.rows);
  // The shortest first: what they leave belongs to the longer ones
  const byLength = [...counts].sort(([, a], [, b]) => a - b);
  let left = rows;
  const skip = new Map<string | null, number>();
  byLength.forEach(([entity, count], i) => {
    const share = Math.min(count, Math.floor(left / (byLength.length - i)));
    left -= share;
    skip.set(entity, count - share);
  });
  return { skip, isCut: [...skip.values()].some(count => count > 0) };
}

async function* rowsOf(
  tables: Tables,
  segmentId: string,
  manifest: Manifest,
  { skip }: Kept,
): AsyncGenerator<Block> {
  const left = new Map(skip);
  const total = manifest.blocks.reduce((sum, { rows }) => sum + rows, 0);
  for await (const block of tables.rows(segmentId, manifest, 0, total)) {
    const rows = block.times.length;
    const passed = Math.min(rows, left.get(block.entity) ?? 0);
    left.set(block.entity, (left.get(block.entity) ?? 0) - passed);
    if (passed === rows) continue;
    const part = (column: Float64Array): Float64Array => column.slice(passed);
    yield { ...block, times: part(block.times), columns: block.columns.map(part) };
  }
}
