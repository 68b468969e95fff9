import { periodOf } from '../../domain/maths/forecasting/period.js';
import type { Step } from '../../domain/maths/series/grid.js';
import type { Manifest, Tables } from '../segments/tables.js';
import type { SampleSeries } from './validating.js';

/** Steps of a segment that a model is tried on, at most. */
const MOST = 200_000;

/** The target of the first entity of a table, its newest values; null: it has no number. */
export async function sampleOf(
  tables: Pick<Tables, 'manifest' | 'rows'>,
  segmentId: string,
  manifestSha: string,
  step: Step,
): Promise<SampleSeries | null> {
  const manifest = await tables.manifest(segmentId, manifestSha);
  const { from, count } = pastOfFirst(manifest);
  const parts: Float64Array[] = [];
  for await (const { columns } of tables.rows(segmentId, manifest, from, count))
    parts.push(columns[0]!.slice());
  const values = Float64Array.from(parts.flatMap(part => [...part]));
  const known = values.subarray(0, values.findLastIndex(Number.isFinite) + 1);
  if (known.length === 0) return null;
  return { values: known, period: periodOf(known, step), source: `segment ${segmentId}` };
}

/** The rows of the past of the first entity, the newest ones. */
function pastOfFirst({ blocks }: Manifest): { readonly from: number; readonly count: number } {
  const others = blocks.findIndex(({ entity, isAhead }) => isAhead || entity !== blocks[0]?.entity);
  const own = others < 0 ? blocks : blocks.slice(0, others);
  const rows = own.reduce((sum, block) => sum + block.rows, 0);
  const from = Math.max(0, rows - MOST);
  return { from, count: rows - from };
}
