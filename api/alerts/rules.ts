import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { MOST, mindMost } from '../edge/most.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { versionIn } from '../edge/versions.js';
import * as answers from './answer-schemas.js';
import { readAccess, tag, writeAccess, type AlertDeps, type Place } from './deps.js';
import { found, foundAfter, foundOwn, horizonIn, type Ids } from './found.js';
import * as schemas from './schemas.js';
import { ignoredIn, patched, settingsIn } from './settings.js';
import { alertView, shown } from './views.js';

const missing = { 404: ['not_found'] };
const paging = ({ page, per_page: limit }: { page: number; per_page: number }) => ({
  ...{ limit, offset: (page - 1) * limit },
});

/** Rules: listed and made. */
export const listRows = (deps: AlertDeps, { all, name, ofGoal }: Place): Row[] => [
  row({
    method: 'get',
    path: all,
    operation: `list${name}s`,
    summary: ofGoal ? 'List the alerts of a goal' : 'List all alerts of the workspace',
    tag,
    access: readAccess,
    params: schemas.paramsOf(ofGoal),
    query: schemas.listQuery,
    ...(ofGoal && { errors: missing }),
    answers: { 200: { description: 'Newest first', schema: answers.listAnswer } },
    async run({ workspace, params, query }) {
      const ids: Ids = params;
      await horizonIn(deps, workspace, ids);
      const wanted = { goalId: ids.goal_id, kind: query.kind };
      const { items, total } = await deps.queries.alerts(workspace, wanted, paging(query));
      const now = deps.clock();
      const alerts = items.map(doc => alertView(doc, now));
      return { body: { data: { alerts, ...perPage(query, total) } } };
    },
  }),
  row({
    method: 'post',
    path: all,
    operation: `create${name}`,
    summary: ofGoal ? 'Be told when something becomes of a goal' : 'Be told of events, or of what is spent',
    description: ofGoal
      ? 'It is checked while the goal is active. `params` go by `kind`; channels are your own.'
      : 'Without a goal there are the kinds `event` and `budget`. Channels are your own.',
    tag,
    access: writeAccess,
    params: schemas.paramsOf(ofGoal),
    body: ofGoal ? schemas.goalBody : schemas.workspaceBody,
    errors: { 403: MOST, ...(ofGoal && { ...missing, 409: ['invalid_state'] }) },
    answers: { 201: { description: 'Made', schema: answers.oneAnswer } },
    async run(call) {
      const { workspace, params, body, caller } = call;
      const ids: Ids = params;
      const horizon = await horizonIn(deps, workspace, ids);
      const settings = await settingsIn(deps, body, { by: caller.uid, horizon });
      await mindRules(deps, workspace, ids.goal_id);
      const said = { goalId: ids.goal_id ?? null, settings, by: caller.uid };
      const now = deps.clock();
      const { alertId, outcome } = await deps.commands.create(workspace, said, contextOf(call, now));
      const doc = await foundAfter(deps, { workspace, alertId }, null, outcome);
      return { status: 201, ignored: ignoredIn(body.kind, body), ...shown(doc, deps.clock()) };
    },
  }),
];

/** @throws Rejected 403 where there may be no more */
async function mindRules({ queries, most }: AlertDeps, workspace: string, goalId?: string): Promise<void> {
  mindMost('A workspace', 'alerts', await queries.count(workspace, null), most.workspace);
  if (goalId !== undefined) mindMost('A goal', 'alerts', await queries.count(workspace, goalId), most.goal);
}

/** One rule: shown, changed, deleted and tried. */
export const itemRows = (deps: AlertDeps, { all, name, ofGoal }: Place): Row[] => {
  const common = { tag, params: schemas.paramsOf(ofGoal, 'alert_id') };
  const one = `${all}/{alert_id}` as const;
  return [
    row({
      ...{ method: 'get', path: one, operation: `get${name}`, summary: 'One alert' },
      ...{ ...common, access: readAccess, versioned: true, errors: missing },
      answers: { 200: { description: 'As it is now', schema: answers.oneAnswer } },
      run: async ({ workspace, params }) => shown(await found(deps, workspace, params), deps.clock()),
    }),
    row({
      ...{ method: 'patch', path: one, operation: `change${name}`, summary: 'Change an alert' },
      description:
        'What is absent stays as it is, in `params` too; null clears. Its kind stays. With `mute_until` it '
        + 'keeps still until then.',
      ...{ ...common, access: writeAccess, versioned: true, body: schemas.patchBody },
      errors: { 403: ['not_owner'], ...missing, 409: ['version_conflict', 'invalid_state'] },
      answers: { 200: { description: 'As it is now', schema: answers.oneAnswer } },
      async run(call) {
        const { workspace, params, body, ifMatch, caller } = call;
        const before = await foundOwn(deps, workspace, params, caller);
        const { settings: was, by } = before.state;
        const { goal_id: goalId, alert_id: alertId } = before;
        const horizon = goalId === null ? null : await deps.horizonOf(workspace, goalId);
        const about = { by, horizon };
        const settings = await settingsIn(deps, patched(was, body), about, was.channels);
        const context = contextOf(call, deps.clock());
        const of = { workspace, alertId };
        const outcome = await deps.commands.change(of, settings, versionIn(ifMatch), context);
        const doc = await foundAfter(deps, of, before, outcome);
        return { ignored: ignoredIn(was.watched.kind, body), ...shown(doc, deps.clock()) };
      },
    }),
    row({
      ...{ method: 'delete', path: one, operation: `delete${name}` },
      summary: 'Delete an alert, with what fired by it',
      ...{ ...common, access: writeAccess, versioned: true, query: dryQuery },
      errors: { 403: ['not_owner'], ...missing, 409: ['version_conflict'] },
      answers: { 200: { description: 'It is no longer there', schema: answers.deletedAnswer } },
      async run(call) {
        const { workspace, params, query, ifMatch, caller } = call;
        const { alert_id: alertId } = await foundOwn(deps, workspace, params, caller);
        const context = contextOf(call, deps.clock());
        const by = query.dry_run ? deps.tried : deps.commands;
        const { position } = await by.remove({ workspace, alertId }, versionIn(ifMatch), context);
        if (query.dry_run) return wouldBe({ alert_id: alertId });
        await deps.visible(position);
        return { body: { status: 'deleted' } };
      },
    }),
    row({
      ...{ method: 'post', path: `${one}/test`, operation: `test${name}` },
      summary: 'Send its author a message that says it is a test',
      description: 'By the channels that it would fire by. Its state stays as it is.',
      policy: 'heavy',
      ...{ ...common, access: writeAccess, errors: { 403: ['not_owner'], ...missing } },
      answers: { 200: { description: 'It is on its way', schema: answers.testedAnswer } },
      async run(call) {
        const { workspace, params, caller } = call;
        const before = await foundOwn(deps, workspace, params, caller);
        const of = { workspace, alertId: before.alert_id };
        const outcome = await deps.commands.test(of, contextOf(call, deps.clock()));
        const doc = await foundAfter(deps, of, before, outcome);
        return { body: { status: 'ok', data: alertView(doc, deps.clock()) } };
      },
    }),
  ];
};
