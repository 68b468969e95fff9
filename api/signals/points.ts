import { Rejected } from '../../domain/rejected.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { asOfHeaders, asOfIn, asOfView } from '../edge/as-of.js';
import { notValid } from '../edge/errors.js';
import { spanIn } from '../edge/times.js';
import { cursorOf, fromCursor } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { reads, tag, type SignalDeps } from './deps.js';
import * as schemas from './points-schemas.js';
import { pointsGone, replacementsGone } from './points-gone.js';
import { type TimeRange, newest, oldest, replaced } from './points-read.js';

/** Points as they were pushed, and the values that others took the place of: ours, beyond the spec. */
export const pointRows = (deps: SignalDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/signal/points',
    operation: 'listPoints',
    summary: 'Points of a signal',
    tag,
    access: reads,
    query: schemas.pointsQuery,
    errors: { 404: ['not_found'], 422: ['too_many_points'] },
    answers: {
      200: { description: '[epoch ms, value] each, in order of time', schema: schemas.pointsAnswer },
    },
    async run({ workspace, query }) {
      const asOf = asOfIn(query.as_of, deps.clock());
      const gone = await goneIn(deps, workspace, query.key, asOf, { replaced: false });
      const { limit, cursor } = query;
      const span = rangeIn(query);
      const behind = cursor === undefined ? span : beyond(span, numbersIn(cursor, 1)[0]!);
      const entry = gone ?? (await known(deps, workspace, query.key));
      const found =
        'points' in entry
          ? pointsGone(entry, behind, limit + 1)
          : await (span.descending ? newest : oldest)(deps, entry.place, behind, limit + 1, asOf);
      const points = found.slice(0, limit);
      const next = found.length > limit ? cursorOf([points.at(-1)![0]]) : null;
      return {
        body: {
          data: {
            key: query.key,
            as_of: asOfView(asOf),
            count: asOf === null ? entry.doc.count : null,
            points,
            has_more: next !== null,
            next_cursor: next,
          },
        },
        headers: asOfHeaders(asOf),
      };
    },
  }),
  row({
    method: 'get',
    path: '/v1/signal/revisions',
    operation: 'listPointRevisions',
    tag,
    access: reads,
    summary: 'Values of a signal that were replaced',
    query: schemas.revisionsQuery,
    errors: { 404: ['not_found'], 422: ['too_many_points'] },
    answers: {
      200: {
        description: 'What stood where another value stands, since when and until when',
        schema: schemas.revisionsAnswer,
      },
    },
    async run({ workspace, query }) {
      const asOf = asOfIn(query.as_of, deps.clock());
      const gone = await goneIn(deps, workspace, query.key, asOf, { replaced: true });
      const entry = gone ?? (await known(deps, workspace, query.key));
      const { limit, cursor } = query;
      const [first = null, taken = 0] = cursor === undefined ? [] : numbersIn(cursor, 2);
      const span = { ...rangeIn(query), asOf };
      const all =
        'points' in entry
          ? replacementsGone(entry, span, first)
          : deps.lists.replacements(entry.place, span, first);
      const { revisions, next } = await replaced(all, span, { first, taken }, limit);
      return {
        body: {
          data: {
            key: query.key,
            as_of: asOfView(asOf),
            revisions,
            has_more: next !== null,
            next_cursor: next && cursorOf(next),
          },
        },
        headers: asOfHeaders(asOf),
      };
    },
  }),
];

/** A signal that was deleted after the moment that is asked of; null: its documents tell. */
async function goneIn(
  { market, gone }: SignalDeps,
  workspace: string,
  key: string,
  asOf: number | null,
  what: { readonly replaced: boolean },
) {
  const place = asOf === null ? null : await market.resolve(workspace, 'signal', key);
  return place && gone(place, asOf!, what);
}

async function known({ catalogue }: SignalDeps, workspace: string, key: string) {
  const entry = await catalogue.signal(workspace, key);
  if (!entry) throw new Rejected('missing', 'not_found', 'Signal not found');
  return entry;
}

function rangeIn(query: {
  readonly from?: string;
  readonly to?: string;
  readonly sort_order: 'desc' | 'asc';
}): TimeRange {
  const { from, to } = spanIn(query);
  return { from: from ?? EARLIEST, to: to ?? LATEST, descending: query.sort_order === 'desc' };
}

const beyond = (span: TimeRange, time: number): TimeRange =>
  span.descending
    ? { ...span, to: Math.min(span.to, time - 1) }
    : { ...span, from: Math.max(span.from, time + 1) };

/** The numbers inside a cursor. @throws Rejected 422 */
function numbersIn(cursor: string, count: number): number[] {
  const numbers = [fromCursor(cursor)].flat();
  if (numbers.length === count && numbers.every(Number.isSafeInteger)) return numbers as number[];
  throw notValid([
    { loc: ['query', 'cursor'], msg: 'is not a cursor of this list', type: 'cursor', input: cursor },
  ]);
}
