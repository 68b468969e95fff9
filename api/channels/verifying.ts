import type { Verification } from '../../commands/channels.js';
import type { Content } from '../../domain/notifications/channels/messages.js';
import { Rejected } from '../../domain/rejected.js';
import { iso } from '../../domain/time.js';
import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { found, one, refuseInApp, tag, writes, type ChannelDeps } from './deps.js';
import * as schemas from './schemas.js';
import { noMail } from './targets.js';
import { channelView, outcomeView, verificationView } from './views.js';

/** Whether a channel is the caller's, and whether it works. */
export const verifyingRows = (deps: ChannelDeps): Row[] => [verifyRow(deps), testRow(deps)];

function verifyRow(deps: ChannelDeps): Row {
  const { commands, clock, visible } = deps;
  return row({
    method: 'post',
    path: `${one}/verify`,
    operation: 'verifyNotificationChannel',
    summary: 'Verify a channel',
    description:
      'With `code`: the one that was sent; it is valid for 30 minutes and for 5 tries. Without: another code '
      + 'is sent, at most 5 an hour and 20 a day; a webhook is asked to echo a challenge.',
    tag,
    access: writes,
    policy: 'heavy',
    params: schemas.channelParams,
    body: schemas.verifyBody,
    kept: () => undefined,
    errors: {
      400: ['invalid_code'],
      404: ['not_found'],
      409: ['invalid_state', 'version_conflict'],
      422: ['verification_failed'],
      429: ['too_many_attempts'],
      503: ['mail_unavailable'],
    },
    answers: { 200: { description: 'The channel as it is now', schema: schemas.verifiedAnswer } },
    async run(call) {
      const { uid } = call.caller;
      const { channel_id: channelId } = call.params;
      const { code } = call.body;
      refuseInApp(channelId);
      const context = { ...contextOf(call, clock()), workspace: null };
      const { position, verification } =
        code === undefined
          ? await commands.verify(uid, channelId, context)
          : { ...(await commands.confirm(uid, channelId, code.trim(), context)), verification: null };
      if (verification) refuseFailed(verification);
      await visible(position);
      const view = channelView(await found(deps, uid, channelId));
      return { body: { data: { ...view, verification: verificationView(verification) } } };
    },
  });
}

/** @throws Rejected 422 or 503 where no code left, or nothing came back */
function refuseFailed({ method, outcome }: Verification): void {
  if (outcome.ok) return;
  if (outcome.reason === 'mail_unavailable') throw noMail();
  const what = method === 'code' ? 'The code could not be sent' : 'The challenge was not echoed';
  const { reason, statusCode } = outcome;
  const details = { reason, status_code: statusCode };
  throw new Rejected('unprocessable', 'verification_failed', `${what}: ${reason}`, details);
}

function testRow({ commands, clock, visible }: ChannelDeps): Row {
  return row({
    method: 'post',
    path: `${one}/test`,
    operation: 'testNotificationChannel',
    summary: 'Send a message over a channel now',
    description: 'Once, whatever comes of it; it counts as an attempt.',
    tag,
    access: writes,
    policy: 'heavy',
    params: schemas.channelParams,
    errors: { 404: ['not_found'], 409: ['invalid_state'] },
    answers: { 200: { description: 'What came of it', schema: schemas.testAnswer } },
    async run(call) {
      const { channel_id: channelId } = call.params;
      refuseInApp(channelId);
      const now = clock();
      const context = { ...contextOf(call, now), workspace: null };
      const { outcome, position } = await commands.test(call.caller.uid, channelId, testOf(now), context);
      await visible(position);
      return { body: { data: { ...outcomeView(outcome), at: iso(now) } } };
    },
  });
}

const testOf = (now: number): Content => ({
  digest: false,
  tellings: [
    {
      notificationId: 'test',
      kind: 'channel.test',
      title: 'A test of this channel',
      body: 'Notifications come here. Nothing has happened.',
      severity: 'info',
      ...{ data: {}, workspaceId: null, goalId: null, link: null },
      ...{ createdAt: now, lastAt: now, groupKey: 'channel.test', count: 1 },
    },
  ],
});
