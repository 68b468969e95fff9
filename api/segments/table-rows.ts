import { Readable } from 'node:stream';
import type { Manifest } from '../../commands/segments/tables.js';
import { rowsOfBlock } from '../../domain/segments/preview.js';
import { csvHead, csvLines } from '../../domain/segments/csv.js';
import { Rejected } from '../../domain/rejected.js';
import type { SegmentDoc, TableDoc } from '../../projections/segments/documents.js';
import { fairTurn } from '../../fair-turns.js';
import { asOfHeaders, asOfView } from '../edge/as-of.js';
import { offsetPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { readAccess, tag, type SegmentDeps } from './deps.js';
import { foundThen, kept } from './found.js';
import * as schemas from './schemas.js';

/** Rows of a page where a caller does not say. */
const PAGE = 100;
/** Cells that are written in one turn at the event loop: some milliseconds. */
const CELLS = 10_000;

/** The rows of built tables. */
export const tableRowRows = (deps: SegmentDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/segment/{segment_id}/rows',
    operation: 'listSegmentRows',
    summary: 'Rows of the table',
    description:
      'Raw, as they were built last; a stale or failed segment has its last table. As CSV the whole table '
      + 'where no limit is given: without the rows ahead its SHA-256 is `table_hash`.',
    tag,
    access: readAccess,
    params: schemas.oneParams,
    query: schemas.rowsQuery,
    errors: { 404: ['not_found'], 409: ['not_built'], 410: ['table_not_kept'] },
    answers: {
      200: {
        description: 'In order of entities and times',
        schema: schemas.rowsAnswer,
        also: { 'text/csv': { type: 'string' } },
      },
    },
    async run({ workspace, params: { segment_id }, query }) {
      const { doc, asOf } = await foundThen(deps, workspace, segment_id, query.as_of);
      const table = await tableOf(deps, doc, query.version);
      const manifest = await kept(() => deps.tables.manifest(segment_id, table.manifest));
      const { format, offset, ahead } = query;
      const total = table.row_count - (ahead ? 0 : table.ahead);
      const limit = query.limit ?? (format === 'csv' ? total : PAGE);
      const rows = rowsIn(deps, segment_id, manifest, { offset, limit, ahead });
      const headers = asOfHeaders(asOf);
      if (format === 'csv') {
        const csv = { 'Content-Type': 'text/csv; charset=utf-8' };
        const body = Readable.from(csvOf(table, rows, workspace));
        return { body, headers: { ...headers, ...csv } };
      }
      const shown: object[] = [];
      for await (const block of rows) {
        await fairTurn(workspace);
        shown.push(...rowsOfBlock(table.columns, block));
      }
      const data = {
        ...{ segment_id, version: table.version, table_hash: table.table_hash, as_of: asOfView(asOf) },
        rows: shown,
        ...offsetPage({ limit, offset }, total),
      };
      return { body: { data }, headers };
    },
  }),
];

/** The table of a version, or the last one. @throws Rejected 404, 409 */
async function tableOf({ queries }: SegmentDeps, doc: SegmentDoc, version?: number): Promise<TableDoc> {
  if (version === undefined || version === doc.table?.version) return doc.table ?? throwNotBuilt(doc);
  const of = await queries.version(doc.workspace, doc.segment_id, version);
  if (!of) throw new Rejected('missing', 'not_found', 'Version not found');
  return of.table ?? throwNotBuilt(doc);
}

function throwNotBuilt({ status }: SegmentDoc): never {
  throw new Rejected('conflict', 'not_built', `There is no table yet; the segment is ${status}`, { status });
}

type Asked = { readonly offset: number; readonly limit: number; readonly ahead: boolean };
async function* rowsIn({ tables }: SegmentDeps, segmentId: string, manifest: Manifest, asked: Asked) {
  const { offset, limit, ahead } = asked;
  const past = manifest.blocks.filter(({ isAhead }) => ahead || !isAhead);
  yield* tables.rows(segmentId, { ...manifest, blocks: past }, offset, limit);
}

async function* csvOf(table: TableDoc, blocks: ReturnType<typeof rowsIn>, workspace: string) {
  yield csvHead(table.columns, table.entities !== null);
  const atOnce = Math.max(1, Math.floor(CELLS / (table.columns.length + 1)));
  for await (const block of blocks)
    for (let from = 0; from < block.times.length; from += atOnce) {
      await fairTurn(workspace);
      yield csvLines(block, from, Math.min(from + atOnce, block.times.length));
    }
}
