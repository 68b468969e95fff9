import { asOfHeaders, asOfIn, asOfView } from '../edge/as-of.js';
import { notValid } from '../edge/errors.js';
import { offsetPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { entryViews, entryViewsThen } from './entries.js';
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
    errors: { 422: ['too_many_signals'] },
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
      const asOf = asOfIn(query.as_of, deps.clock());
      if (asOf !== null) {
        if (type === 'event') throw onlyNow();
        const part = { offset, limit, asOf };
        const { entries, total, leftOut } = await deps.signalsThen(workspace, filter, order, part);
        const signals = await entryViewsThen(deps, workspace, entries, asOf);
        return {
          body: {
            data: { as_of: asOfView(asOf), signals, ...offsetPage(query, total), deleted_since: leftOut },
          },
          headers: asOfHeaders(asOf),
        };
      }
      const { entries, total } = await deps.catalogue.page(workspace, filter, order, offset, limit);
      const signals = await entryViews(deps, workspace, entries, deps.clock());
      return { body: { data: { signals, ...offsetPage(query, total) } } };
    },
  }),
];

const onlyNow = () =>
  notValid([
    {
      loc: ['query', 'as_of'],
      msg: 'is for signals: event streams are answered for now only',
      type: 'unknown_parameter',
    },
  ]);
