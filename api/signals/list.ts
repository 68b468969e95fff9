import { offsetPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { entryViews } from './entries.js';
import * as schemas from './list-schemas.js';
import { reads, tag, type SignalDeps } from './deps.js';

/** Signals and event streams in one list: spec 4.3, open-parts 4.2. */
export const listRows = (deps: SignalDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/signal',
    operation: 'listSignals',
    summary: 'Signals and event streams in one list',
    tag,
    access: reads,
    query: schemas.listQuery,
    answers: { 200: { description: 'Rows of the type `signal` or `event`', schema: schemas.listAnswer } },
    async run({ workspace, query }) {
      const {
        search,
        group = null,
        type = null,
        origin = null,
        sort_by: by,
        sort_order,
        limit,
        offset,
      } = query;
      const filter = { type, group, origin, search: search === undefined || search === '' ? null : search };
      const order = { by, descending: sort_order === 'desc' };
      const { entries, total } = await deps.catalogue.page(workspace, filter, order, offset, limit);
      const signals = await entryViews(deps, workspace, entries, deps.clock());
      return { body: { data: { signals, ...offsetPage(query, total) } } };
    },
  }),
];
