import { simulated } from '../../commands/shocks/simulating.js';
import { invalidState } from '../../domain/goals/refusals.js';
import { episodeNotFound } from '../../domain/shocks/refusals.js';
import { contextOf } from '../edge/context.js';
import { notValid } from '../edge/errors.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { timeIn } from '../edge/times.js';
import { all, found, one, readAccess, tag, writeAccess, type ShockDeps } from './deps.js';
import * as schemas from './schemas.js';
import { episodeView, refitView, shockView, simulatedView } from './views.js';

const missing = { 404: ['not_found'] };

/** Shocks of goals: open-parts 14. */
export const shockRows = (deps: ShockDeps): Row[] => [...readRows(deps), exitRow(deps), simulateRow(deps)];

const readRows = (deps: ShockDeps): Row[] => [
  row({
    method: 'get',
    path: all,
    operation: 'listGoalShocks',
    summary: 'Shocks that a goal was in',
    tag,
    access: readAccess,
    params: schemas.allParams,
    query: schemas.listQuery,
    errors: missing,
    answers: { 200: { description: 'Newest first', schema: schemas.listAnswer } },
    async run({ workspace, params: { goal_id: goalId }, query }) {
      await found(deps, workspace, goalId);
      const { page, per_page: limit } = query;
      const paging = { offset: (page - 1) * limit, limit };
      const { items, total } = await deps.queries.episodes(workspace, goalId, paging);
      const shocks = items.map(doc => episodeView(doc, goalId, deps.clock()));
      return { body: { data: { shocks, ...perPage(query, total) } } };
    },
  }),
  row({
    method: 'get',
    path: `${all}/{episode_id}`,
    operation: 'getGoalShock',
    summary: 'One shock of a goal',
    description: 'With every look at the weights of the blend during it, and what it rested on.',
    tag,
    access: readAccess,
    params: schemas.oneParams,
    versioned: 'by_content',
    errors: missing,
    answers: { 200: { description: 'As it is now', schema: schemas.oneAnswer } },
    async run({ workspace, params: { goal_id: goalId, episode_id: episodeId } }) {
      await found(deps, workspace, goalId);
      const doc = await deps.queries.episode(workspace, goalId, episodeId);
      if (!doc) throw episodeNotFound(episodeId);
      const view = episodeView(doc, goalId, deps.clock());
      return { body: { data: { ...view, refits: doc.refits.map(refitView) } } };
    },
  }),
];

const exitRow = (deps: ShockDeps): Row =>
  row({
    method: 'post',
    path: `${one}/exit`,
    operation: 'exitGoalShock',
    summary: 'Let a goal recover from its shock',
    description: 'It is `recovering` then. Who asked for it, and why, is kept.',
    tag,
    access: writeAccess,
    params: schemas.allParams,
    body: schemas.exitBody,
    errors: { ...missing, 409: ['invalid_state'] },
    answers: { 200: { description: 'It recovers', schema: schemas.exitedAnswer } },
    async run(call) {
      const { workspace, params, body } = call;
      const of = { workspace, goalId: params.goal_id };
      const { status } = await found(deps, workspace, of.goalId);
      if (status === 'archived') throw invalidState(status, 'be let recover');
      const context = contextOf(call, deps.clock());
      const { position, after } = await deps.commands.exit(of, body.reason, context);
      await deps.visible(position);
      const { episode, blend } = after;
      const shock = episode && shockView(episode, blend, deps.clock());
      const data = { goal_id: of.goalId, shock_state: episode?.state ?? 'normal', shock };
      return { body: { status: 'ok', data } };
    },
  });

const simulateRow = (deps: ShockDeps): Row =>
  row({
    method: 'post',
    path: `${one}/simulate`,
    operation: 'simulateGoalShock',
    summary: 'What an event would do to a goal',
    description:
      'As if it were recorded now with that importance: whether it puts the goal into a shock, how long, and '
      + 'how forecasts are blended then. Of one that is to come, as the goal will be then if nothing else '
      + 'happens. A stream that has no events is 422. Nothing changes.',
    tag,
    access: writeAccess,
    params: schemas.allParams,
    body: schemas.simulateBody,
    errors: missing,
    answers: { 200: { description: 'What would happen', schema: schemas.simulatedAnswer } },
    async run({ workspace, params: { goal_id: goalId }, body }) {
      const goal = await found(deps, workspace, goalId);
      const edges = await deps.edges.ofGoal(workspace, goalId);
      const edge = edges.find(each => each.kind === 'event_stream' && each.sourceKey === body.stream) ?? null;
      if (!edge && !(await deps.isStream(workspace, body.stream))) throw noStream(body.stream);
      const state = await deps.commands.state({ workspace, goalId });
      const now = deps.clock();
      const given = body.occurred_at ?? null;
      const occurredAt = given === null ? now : timeIn(given, ['body', 'occurred_at']);
      const event = { stream: body.stream, importance: body.importance, occurredAt };
      const answer = await simulated(deps, { workspace, goalId, goal, state, edge, event, now });
      const asked = { occurredAt, now, cadenceS: goal.settings.cadenceS };
      return { body: { data: simulatedView(answer, asked) } };
    },
  });

const noStream = (stream: string) =>
  notValid([{ loc: ['body', 'stream'], msg: 'there is no such stream', type: 'unknown_key', input: stream }]);
