import * as paging from '../../api/edge/paging.js';
import { JsonText, row, type Row } from '../../api/edge/row.js';
import { array, object } from '../../json-schema.js';
import { anything, ok, reads, tag, text } from './toy-parts.js';

const names = Array.from({ length: 45 }, (_, i) => `toy${i}`);
const toysAnd = (members: Record<string, object>) =>
  object({ data: object({ toys: array(text), ...members }) });

/** A list for each way of paging. */
export const lists = (): Row[] => [
  row({
    method: 'get',
    path: '/v1/toys/by-page',
    operation: 'toysByPage',
    summary: 'By page',
    tag,
    access: reads,
    query: object(paging.perPageQuery(), {
      search: text,
      deep: { type: 'boolean' },
      tags: array(text),
      ratio: { type: 'number', minimum: 0, maximum: 1 },
    }),
    answers: ok(toysAnd({ ...paging.perPageMembers, query: anything })),
    run: ({ query }) => {
      const start = (query.page - 1) * query.per_page;
      const data = {
        toys: names.slice(start, start + query.per_page),
        ...paging.perPage(query, names.length),
        query,
      };
      return { body: { data } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/toys/by-limit',
    operation: 'toysByLimit',
    summary: 'By limit',
    tag,
    access: reads,
    query: object(paging.pageLimitQuery()),
    answers: ok(toysAnd(paging.pageLimitMembers)),
    run: ({ query }) => ({
      body: { data: { toys: names.slice(0, query.limit), ...paging.pageLimit(query, names.length) } },
    }),
  }),
  row({
    method: 'get',
    path: '/v1/toys/by-offset',
    operation: 'toysByOffset',
    summary: 'By offset',
    tag,
    access: reads,
    query: object(paging.offsetQuery(20, 30)),
    answers: ok(toysAnd(paging.offsetMembers)),
    run({ query }) {
      const data = {
        toys: names.slice(query.offset, query.offset + query.limit),
        ...paging.offsetPage(query, names.length),
      };
      return { body: { data } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/toys/by-time',
    operation: 'toysByTime',
    summary: 'By time',
    tag,
    access: reads,
    calls: 3,
    query: object(paging.beforeQuery(2), { ...paging.beforeOptional, as_of: text }),
    answers: ok(toysAnd(paging.beforeMembers)),
    run: ({ query }) => {
      const from = query.cursor === undefined ? 0 : (paging.fromCursor(query.cursor) as number);
      const next_cursor = paging.cursorOf(from + query.limit);
      return {
        body: {
          data: { toys: names.slice(from, from + query.limit), has_more: true, next_before: 7, next_cursor },
        },
      };
    },
  }),
  row({
    method: 'get',
    path: '/v1/toys/heavy',
    operation: 'heavyToys',
    summary: 'Heavy',
    tag,
    access: reads,
    policy: 'heavy',
    answers: ok(),
    run: () => ({ body: new JsonText('{"ready":"text"}') }),
  }),
];
