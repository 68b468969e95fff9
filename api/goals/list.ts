import { readInTurns } from '../../commands/engine/turns.js';
import type { FromSchema } from '../../json-schema.js';
import type { GoalDoc } from '../../projections/goals/documents.js';
import type { GoalOrder } from '../../projections/goals/queries.js';
import { asOfHeaders, asOfIn, asOfView } from '../edge/as-of.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import * as answers from './answer-schemas.js';
import { readAccess, tag, type GoalDeps } from './deps.js';
import { shownOf } from './found.js';
import { listQuery } from './schemas.js';

type Asked = FromSchema<typeof listQuery>;
type Deps = Pick<GoalDeps, 'queries' | 'beside' | 'goalThen' | 'clock'>;

export const listRow = (deps: Deps): Row =>
  row({
    method: 'get',
    path: '/v1/goals',
    operation: 'listGoals',
    summary: 'List goals',
    tag,
    access: readAccess,
    query: listQuery,
    answers: { 200: { description: 'Newest first unless asked otherwise', schema: answers.listAnswer } },
    async run({ workspace, query }) {
      const asOf = asOfIn(query.as_of, deps.clock());
      const { items, total } = await (asOf === null
        ? wanted(deps, workspace, query)
        : wantedThen(deps, workspace, query, asOf));
      const goals = (await shownOf(deps, workspace, items, asOf)).map(({ view }) => view);
      const then = asOf === null ? {} : { as_of: asOfView(asOf) };
      return { body: { data: { ...then, goals, ...perPage(query, total) } }, headers: asOfHeaders(asOf) };
    },
  });

/** A page, and how many there are in all. What no index knows is looked for among all of the workspace. */
async function wanted({ queries, beside }: Deps, workspace: string, asked: Asked) {
  const { page, per_page: limit, status, fleet_id: fleetId } = asked;
  const order: GoalOrder = { by: asked.sort_by, descending: asked.sort_order === 'desc' };
  const offset = (page - 1) * limit;
  const fits = fitting(asked);
  if (!fits && asked.shock_state === undefined)
    return queries.goals(workspace, { status, fleetId }, order, { limit, offset });
  const items: GoalDoc[] = [];
  let total = 0;
  for await (const docs of queries.pages(workspace, { status, fleetId }, order)) {
    const shocks = await beside.shocks(
      workspace,
      docs.map(({ goal_id }) => goal_id),
    );
    for (const doc of docs) {
      if (fits && !fits(doc)) continue;
      const state = shocks.get(doc.goal_id)?.state ?? 'normal';
      if (asked.shock_state !== undefined && state !== asked.shock_state) continue;
      total++;
      if (total > offset && items.length < limit) items.push(doc);
    }
  }
  return { items, total };
}

/** The same as of a past moment (epoch ms): of those that are there still, as they stood. */
async function wantedThen(
  { queries, beside, goalThen }: Deps,
  workspace: string,
  asked: Asked,
  asOf: number,
) {
  const { page, per_page: limit, status, fleet_id: fleetId } = asked;
  const order = { by: asked.sort_by, descending: asked.sort_order === 'desc' };
  const fits = fitting(asked);
  const made = { fleetId, madeBy: asOf };
  const thenOf = (docs: readonly GoalDoc[]) =>
    readInTurns(workspace, docs, ({ goal_id: id }) => goalThen(workspace, id, asOf));
  // When a goal was made, and by which fleet, never changes: of those a page alone is read
  if (order.by === 'created_at' && !fits && status === undefined && asked.shock_state === undefined) {
    const { items, total } = await queries.goals(workspace, made, order, {
      limit,
      offset: (page - 1) * limit,
    });
    return { items: (await thenOf(items)).filter(doc => doc !== null), total };
  }
  const found: GoalDoc[] = [];
  for await (const docs of queries.pages(workspace, made, order)) {
    const ids = docs.map(({ goal_id }) => goal_id);
    const were = await thenOf(docs);
    const shocks = asked.shock_state === undefined ? null : await beside.then.shocks(workspace, ids, asOf);
    for (const doc of were) {
      if (!doc || (status !== undefined && doc.status !== status) || (fits && !fits(doc))) continue;
      const state = shocks?.get(doc.goal_id)?.state ?? 'normal';
      if (asked.shock_state === undefined || state === asked.shock_state) found.push(doc);
    }
  }
  found.sort((a, b) => (order.descending ? -1 : 1) * compared(a, b, order.by));
  return { items: found.slice((page - 1) * limit, page * limit), total: found.length };
}

/** As stores order: by a member, then by id. */
function compared(a: GoalDoc, b: GoalDoc, by: GoalOrder['by']): number {
  const [x, y] = [a[by], b[by]];
  const first =
    typeof x === 'number' && typeof y === 'number'
      ? x - y
      : Buffer.compare(Buffer.from(`${x}`), Buffer.from(`${y}`));
  return first === 0 ? Buffer.compare(Buffer.from(a._id), Buffer.from(b._id)) : first;
}

/** What a goal itself must be like; null: nothing is asked of it. */
function fitting({ tag: wantedTag, search }: Asked): ((doc: GoalDoc) => boolean) | null {
  if (wantedTag === undefined && search === undefined) return null;
  const words = search?.toLowerCase() ?? '';
  return ({ state: { settings } }) => {
    const { name, target, description, tags } = settings;
    if (wantedTag !== undefined && !tags.includes(wantedTag)) return false;
    return [name, target, description].some(text => text.toLowerCase().includes(words));
  };
}
