import * as assert from 'uvu/assert';
import { BACK_OFF } from '../../domain/notifications/channels/deliveries.js';
import { FAILING_LASTS, FAILURES } from '../../domain/notifications/channels/keeping.js';
import { MINUTE } from '../../domain/time.js';
import { channelsApi, PATH, type Caller, type ChannelBody } from '../api/channels-world.js';
import { until } from '../platform.js';
import { answering, echoing, idOf, receiver, silent, verified } from '../receivers.js';
import { suite } from '../suite.js';

type Delivery = {
  readonly delivery_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_reason: string | null;
  readonly parked_reason: string | null;
};
type Message = { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };

const REACHED = 'https://presage.example.org/eu';

suite('what is delivered', test => {
  let world: Awaited<ReturnType<typeof channelsApi>>;
  let ann: Caller;
  let promotions = 0;
  test.before.each(async () => {
    world = await channelsApi({ now: Date.now(), env: { PUBLIC_URL: REACHED } });
    ({ ann } = world);
  });
  test.after.each(() => world.close());

  const hooked = async (respond = echoing) => {
    const hook = await receiver(echoing);
    const { body } = await ann.post(PATH, { type: 'webhook', target: hook.url });
    assert.is(body.data.status, 'active');
    hook.answers(respond);
    return { hook, id: body.data.channel_id as string, secret: body.data.secret as string };
  };
  const raise = () => world.degrade(`prm_${String(++promotions).padStart(16, '0')}_0`);
  const channel = async (id: string): Promise<ChannelBody> => (await ann.get(`${PATH}/${id}`)).body.data;
  const deliveries = async (id: string, query = ''): Promise<Delivery[]> =>
    (await ann.get(`${PATH}/${id}/deliveries?per_page=100${query}`)).body.data.deliveries;
  /** Once the deliveries of a channel, newest first, are so. */
  const once = (id: string, holds: (all: Delivery[]) => boolean) =>
    until(async () => {
      const all = await deliveries(id);
      return holds(all) && all;
    }, `deliveries of ${id}`);
  /** Until an attempt is recorded: the first of one delivery is 1. */
  const attempted = (id: string, attempts: number) => once(id, ([one]) => one?.attempts === attempts);
  const becomes = (id: string, status: string) =>
    until(async () => (await channel(id)).status === status, `a channel that is ${status}`);

  test('a notification comes as the feed has it, signed, once', async () => {
    const { hook, id, secret } = await hooked();
    await raise();
    const [delivery] = await once(id, ([one]) => one?.status === 'delivered');
    const [message, ...more] = hook.deliveries();
    assert.equal(more, []);
    assert.is(idOf(message!), delivery!.delivery_id);
    const { notifications } = await world.told(1);
    const told = verified(secret, message!) as Message;
    assert.equal([told.type, told.timestamp], ['deployment.degraded', notifications[0]!.created_at]);
    for (const member of ['notification_id', 'title', 'severity', 'data', 'workspace_id'] as const)
      assert.equal(told.data[member], notifications[0]![member], member);
    assert.equal((await channel(id)).last_delivery!.ok, true);
    await hook.close();
  });

  test('mail and slack say it in words', async () => {
    const room = await receiver(answering(200));
    const slack = (await ann.post(PATH, { type: 'slack', target: room.url })).body.data.channel_id;
    const mail = (await ann.post(PATH, { type: 'email', target: 'ann@example.org' })).body.data.channel_id;
    for (const [id, text] of [
      [slack, room.received[0]!.text],
      [mail, world.box.mails[0]!.text],
    ])
      await ann.post(`${PATH}/${id}/verify`, { code: /\b\d{6}\b/.exec(text)![0] });
    await ann.put('/v1/notifications/preferences', { defaults: { in_app: true, email: true } });
    await raise();
    const [sent] = await once(mail, ([one]) => one?.status === 'delivered');
    await once(slack, ([one]) => one?.status === 'delivered');
    const { notifications } = await world.told(1);
    const { title } = notifications[0]!;
    const { head, to, text } = world.box.mails[1]!;
    const told = (JSON.parse(room.received[1]!.text) as { text: string }).text;
    assert.is(to, 'ann@example.org');
    assert.match(head, new RegExp(`^Message-ID: <${sent!.delivery_id}@example.org>`, 'm'));
    const link = `\n${REACHED}/v1/deployments/${String(notifications[0]!.data['promotion_id'])}`;
    for (const each of [text, told]) for (const part of [title, link]) assert.ok(each.includes(part), each);
    await room.close();
  });

  test('what fails is tried after each pause under one id, then parked, and replayed on wish', async () => {
    const { hook, id } = await hooked(answering(503));
    await raise();
    for (const [i, pause] of BACK_OFF.entries()) {
      const [{ next_attempt_at: next } = { next_attempt_at: null }] = await attempted(id, i + 1);
      assert.is(Date.parse(next!) - world.clock.now, pause);
      world.clock.now += pause;
    }
    const [parked] = await once(id, ([one]) => one?.status === 'parked');
    assert.equal([parked!.attempts, parked!.parked_reason], [8, 'attempts_exhausted']);
    hook.answers(answering(200));
    const path = `${PATH}/${id}/deliveries/${parked!.delivery_id}`;
    const { status, body } = await ann.post(`${path}/replay`);
    assert.equal([status, body.data.poll_url], [202, path]);
    await once(id, ([one]) => one?.status === 'delivered');
    assert.is((await ann.get(path)).body.data.attempts, 9);
    assert.equal([...new Set(hook.deliveries().map(idOf))], [parked!.delivery_id]);
    assert.is(hook.deliveries().length, 9);
    const again = await ann.post(`${path}/replay`);
    assert.equal([again.status, again.body.error.code], [409, 'invalid_state']);
    assert.equal((await deliveries(id, '&status=parked')).length, 0);
    await hook.close();
  });

  test('after ten failures in a row a channel fails; one success, and it is active', async () => {
    const { hook, id } = await hooked(answering(500));
    for (let i = 0; i < FAILURES; i++) await raise();
    await becomes(id, 'failing');
    hook.answers(answering(204));
    world.clock.now += BACK_OFF[0]!;
    await becomes(id, 'active');
    await once(id, all => all.every(({ status }) => status === 'delivered'));
    await hook.close();
  });

  test('after 72 hours of failing it is disabled, and what comes then is parked', async () => {
    const { hook, id } = await hooked(answering(500));
    for (let i = 0; i < FAILURES; i++) await raise();
    await becomes(id, 'failing');
    world.clock.now += FAILING_LASTS;
    await becomes(id, 'disabled');
    assert.is((await channel(id)).disabled_reason, 'failing');
    world.clock.now += FAILING_LASTS;
    const all = await once(id, list => list.every(({ status }) => status === 'parked'));
    assert.ok(all.every(({ parked_reason: why }) => /channel_disabled|attempts_exhausted/.test(why!)));
    await hook.close();
  });

  test('who answers 410 is not asked again', async () => {
    const { hook, id } = await hooked(answering(410));
    await raise();
    await becomes(id, 'disabled');
    assert.is((await channel(id)).disabled_reason, 'gone');
    const [parked] = await deliveries(id);
    assert.equal([parked!.status, parked!.attempts, hook.deliveries().length], ['parked', 1, 1]);
    // Enabled and verified, what was parked may be replayed
    hook.answers(echoing);
    await ann.patch(`${PATH}/${id}`, { enabled: true });
    await ann.post(`${PATH}/${id}/verify`, {});
    await ann.post(`${PATH}/${id}/deliveries/${parked!.delivery_id}/replay`);
    await once(id, ([one]) => one?.status === 'delivered');
    await hook.close();
  });

  test('who never answers holds up nobody else', async () => {
    const stuck = await hooked(silent);
    for (let i = 0; i < 5; i++) await raise();
    await until(async () => stuck.hook.deliveries().length === 2, 'two attempts under way');
    const { hook, id } = await hooked();
    for (let i = 0; i < 10; i++) await raise();
    await once(id, all => all.length === 10 && all.every(({ status }) => status === 'delivered'));
    assert.is(stuck.hook.deliveries().length, 2, 'one target has so many at once');
    await stuck.hook.close();
    await hook.close();
  });

  test('what was removed takes what waited with it', async () => {
    const { hook, id } = await hooked(answering(500));
    await raise();
    await attempted(id, 1);
    await ann.delete(`${PATH}/${id}`);
    const other = await hooked();
    world.clock.now += 5 * MINUTE;
    await raise();
    await once(other.id, ([one]) => one?.status === 'delivered');
    assert.is(hook.deliveries().length, 1);
    await hook.close();
    await other.hook.close();
  });

  test('a target that is not there is tried again', async () => {
    const { hook, id } = await hooked();
    await hook.close();
    await raise();
    const [failed] = await attempted(id, 1);
    assert.equal([failed!.status, failed!.last_reason], ['waiting', 'unreachable']);
  });
});
