import type { FromSchema } from '../../json-schema.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { tagOf, versionedTag, versionIn } from '../edge/versions.js';
import { found, one, path, reads, refuseInApp, tag, writes, type ChannelDeps } from './deps.js';
import * as schemas from './schemas.js';
import { checkedTarget } from './targets.js';
import { channelView, inApp, verificationView } from './views.js';
import type { ChannelDoc } from '../../projections/channels/documents.js';

/** The caller's channels, as they are made, seen and changed. */
export const channelRows = (deps: ChannelDeps): Row[] => [
  listRow(deps),
  createRow(deps),
  readRow(deps),
  changeRow(deps),
  removeRow(deps),
];

const listRow = ({ queries }: ChannelDeps): Row =>
  row({
    method: 'get',
    path,
    operation: 'listNotificationChannels',
    summary: 'Where you are told: the feed, and your channels',
    tag,
    access: reads,
    query: schemas.channelsQuery,
    answers: { 200: { description: 'The feed first, then oldest first', schema: schemas.channelsAnswer } },
    async run({ caller: { uid }, query }) {
      const all = [inApp, ...(await queries.channelsOf(uid)).map(channelView)];
      const from = (query.page - 1) * query.per_page;
      const channels = all.slice(from, from + query.per_page);
      return { body: { data: { channels, ...perPage(query, all.length) } } };
    },
  });

function createRow(deps: ChannelDeps): Row {
  const { commands, clock, visible } = deps;
  return row({
    method: 'post',
    path,
    operation: 'createNotificationChannel',
    summary: 'Add a channel',
    description:
      'It has to be verified before anything is sent over it. An email or slack channel is sent a code, '
      + 'which `/verify` takes. A webhook is sent `{"type": "challenge", "challenge": "..."}` at once and '
      + 'again by `/verify`, signed like all it is sent, and answers within 10 seconds with '
      + '`{"challenge": "..."}`. '
      + 'Addresses of private networks are refused.',
    tag,
    access: writes,
    policy: 'heavy',
    body: schemas.channelBody,
    kept: withoutPersonal,
    errors: { 409: ['channel_limit_reached'], 422: ['address_not_allowed', 'mail_unavailable'] },
    answers: { 201: { description: 'The channel', schema: schemas.channelMadeAnswer } },
    async run(call) {
      const { uid } = call.caller;
      const { type, name = type } = call.body;
      const target = await checkedTarget(type, call.body.target, deps);
      const context = { ...contextOf(call, clock()), workspace: null };
      const made = await commands.add(uid, { channelType: type, name, target }, context);
      await visible(made.position);
      const view = channelView(await found(deps, uid, made.channelId));
      const verification = verificationView(made.verification);
      const data = { ...view, verification, ...(made.secret !== null && { secret: made.secret }) };
      return { status: 201, body: { data } };
    },
  });
}

/** What is kept for a repeat under the same key. */
function withoutPersonal(body: unknown): unknown {
  const { secret: _, ...data } = (body as FromSchema<typeof schemas.channelMadeAnswer>).data;
  return { data: { ...data, name: null, target: null } };
}

/** One channel as an answer. */
function shown(doc: ChannelDoc, version = doc.version) {
  const data = channelView(doc);
  return { body: { data }, ...tagOf(version, data) };
}

const readRow = (deps: ChannelDeps): Row =>
  row({
    method: 'get',
    path: one,
    operation: 'readNotificationChannel',
    summary: 'One of your channels',
    tag,
    access: reads,
    versioned: true,
    params: schemas.channelParams,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'The channel', schema: schemas.channelAnswer } },
    async run({ caller: { uid }, params: { channel_id: channelId } }) {
      if (channelId === inApp.channel_id) return { body: { data: inApp }, etag: versionedTag(1, inApp) };
      return shown(await found(deps, uid, channelId));
    },
  });

function changeRow(deps: ChannelDeps): Row {
  const { commands, clock, visible } = deps;
  return row({
    method: 'patch',
    path: one,
    operation: 'changeNotificationChannel',
    summary: 'Change its name or its target, disable or enable it',
    tag,
    access: writes,
    versioned: true,
    params: schemas.channelParams,
    body: schemas.channelPatchBody,
    errors: {
      404: ['not_found'],
      409: ['invalid_state', 'version_conflict'],
      422: ['address_not_allowed', 'mail_unavailable'],
    },
    answers: { 200: { description: 'The channel as it is now', schema: schemas.channelAnswer } },
    async run(call) {
      const { uid } = call.caller;
      const { channel_id: channelId } = call.params;
      const { name, target, enabled } = call.body;
      refuseInApp(channelId);
      const { type } = await found(deps, uid, channelId);
      const changes = {
        ...(name !== undefined && { name }),
        ...(target !== undefined && { target: await checkedTarget(type, target, deps) }),
        ...(enabled !== undefined && { enabled }),
      };
      const context = { ...contextOf(call, clock()), workspace: null };
      const seen = versionIn(call.ifMatch);
      const { position, version } = await commands.change(uid, channelId, changes, seen, context);
      await visible(position);
      return shown(await found(deps, uid, channelId), version);
    },
  });
}

function removeRow(deps: ChannelDeps): Row {
  const { commands, tried, clock, visible } = deps;
  return row({
    method: 'delete',
    path: one,
    operation: 'removeNotificationChannel',
    summary: 'Remove a channel, and what waits to be sent over it',
    tag,
    access: writes,
    versioned: true,
    params: schemas.channelParams,
    query: dryQuery,
    errors: { 404: ['not_found'], 409: ['invalid_state', 'version_conflict'] },
    answers: { 200: { description: 'It is no longer there', schema: schemas.removedAnswer } },
    async run(call) {
      const { uid } = call.caller;
      const { channel_id: channelId } = call.params;
      refuseInApp(channelId);
      const context = { ...contextOf(call, clock()), workspace: null };
      const by = call.query.dry_run ? tried : commands;
      const { position } = await by.remove(uid, channelId, versionIn(call.ifMatch), context);
      if (call.query.dry_run) return wouldBe({ channel_id: channelId });
      await visible(position);
      return { body: { status: 'deleted' } };
    },
  });
}
