import type { Context } from '../../commands/engine/handle.js';
import type { OfInstance } from '../../commands/alerts/records.js';
import { contextOf } from '../edge/context.js';
import { notValid } from '../edge/errors.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { timeIn } from '../edge/times.js';
import * as answers from './answer-schemas.js';
import { readAccess, tag, writeAccess, type AlertDeps, type Place } from './deps.js';
import { found, foundOwn, instanceOf, type Ids } from './found.js';
import * as schemas from './schemas.js';
import { instanceView } from './views.js';

const TEXTS = {
  acknowledge: ['Take note of what fires', 'Its author is told no more, until it is resolved.'],
  resolve: ['Say that it is over', 'It may fire again when its cooldown is over.'],
} as const;

/** What fired by a rule, and what people say of it. */
export const instanceRows = (deps: AlertDeps, place: Place): Row[] => {
  const { all, name, ofGoal } = place;
  return [
    row({
      ...{ method: 'get', path: `${all}/{alert_id}/instances`, operation: `list${name}Instances` },
      ...{ summary: 'List what fired by an alert', tag, access: readAccess },
      params: schemas.paramsOf(ofGoal, 'alert_id'),
      query: schemas.instancesQuery,
      errors: { 404: ['not_found'] },
      answers: { 200: { description: 'Newest first', schema: answers.instancesAnswer } },
      async run({ workspace, params, query }) {
        const doc = await found(deps, workspace, params);
        const { page, per_page: limit, state = null } = query;
        const { items, total } = await deps.queries.instances(doc, state, {
          ...{ limit, offset: (page - 1) * limit },
        });
        return { body: { data: { instances: items.map(instanceView), ...perPage(query, total) } } };
      },
    }),
    sayRow(deps, place, 'acknowledge'),
    sayRow(deps, place, 'resolve'),
    snoozeRow(deps, place),
  ];
};

const common = (
  deps: AlertDeps,
  { all, name, ofGoal }: Place,
  what: 'acknowledge' | 'resolve' | 'snooze',
) => ({
  method: 'post' as const,
  path: `${all}/{alert_id}/instances/{instance_id}/${what}`,
  operation: `${what}${name}Instance`,
  ...{ tag, access: writeAccess, params: schemas.paramsOf(ofGoal, 'alert_id', 'instance_id') },
  errors: { 403: ['not_owner'], 404: ['not_found'], 409: ['invalid_state'] },
  answers: { 200: { description: 'The instance as it is now', schema: answers.instanceAnswer } },
  /** What somebody says of an instance, and how it is then. */
  async say(
    call: Parameters<typeof contextOf>[0] & { readonly workspace: string },
    give: (of: OfInstance, context: Context) => Promise<{ readonly position: number | null }>,
  ) {
    const { workspace, caller } = call;
    const ids = call.params as Ids;
    const doc = await foundOwn(deps, workspace, ids, caller);
    const { instance_id: instanceId } = await instanceOf(deps, doc, ids.instance_id!);
    const of = { workspace, alertId: doc.alert_id, instanceId, by: caller.uid };
    const { position } = await give(of, contextOf(call, deps.clock()));
    await deps.visible(position);
    return { body: { status: 'ok', data: instanceView(await instanceOf(deps, doc, instanceId)) } };
  },
});

function sayRow(deps: AlertDeps, place: Place, what: keyof typeof TEXTS): Row {
  const { say, ...shared } = common(deps, place, what);
  const [summary, description] = TEXTS[what];
  return row({
    ...shared,
    ...{ summary, description },
    run: call => say(call, (of, context) => deps.commands[what](of, context)),
  });
}

function snoozeRow(deps: AlertDeps, place: Place): Row {
  const { say, ...shared } = common(deps, place, 'snooze');
  return row({
    ...shared,
    summary: 'Be told no more until a time',
    description: 'What still fires then is told again.',
    body: schemas.snoozeBody,
    run(call) {
      const loc = ['body', 'until'];
      const until = timeIn(call.body.until, loc);
      if (until <= deps.clock())
        throw notValid([{ loc, msg: 'must lie in the future', type: 'value', input: call.body.until }]);
      return say(call, (of, context) => deps.commands.snooze(of, until, context));
    },
  });
}
