import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import * as assert from 'uvu/assert';
import { DAY, HOUR } from '../../domain/time.js';
import { send, until } from '../platform.js';
import { suite } from '../suite.js';
import { toldBy, data, notificationsApi, type Item, type NotificationsApi } from './notifications-world.js';

type Given = { readonly token?: string; readonly workspace?: string | null; readonly last?: string };
type Message = {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
};

suite('the stream of notifications', test => {
  let world: NotificationsApi;
  const open: Stream[] = [];
  test.before(async () => {
    world = await notificationsApi();
  });
  test.after.each(() => open.splice(0).forEach(stream => stream.close()));
  test.after(() => world.close());

  /** A stream as somebody reads it who knows nothing of it: block by block. */
  async function streamed({ token, workspace = world.workspace, last }: Given = {}): Promise<Stream> {
    const headers = {
      authorization: `Bearer ${token ?? world.api.installed.token}`,
      ...(workspace !== null && { 'x-workspace-id': workspace }),
      ...(last !== undefined && { 'last-event-id': last }),
    };
    const req = request(`${world.api.base}/v1/notifications/stream`, { headers, agent: false }).end();
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    const stream = new Stream(res);
    open.push(stream);
    return stream;
  }
  const promotionsIn = (messages: readonly Message[]) =>
    messages.flatMap(({ event, data: text }) =>
      event === 'notification' ? [(JSON.parse(text!) as Item).data['promotion_id']] : [],
    );

  test('begins with when to come back, and from where', async () => {
    const stream = await streamed();
    assert.is(stream.status, 200);
    assert.is(stream.headers['content-type'], 'text/event-stream; charset=utf-8');
    const [first] = await stream.first(1);
    assert.equal(Object.keys(first!), ['retry', 'id', 'event', 'data']);
    assert.equal([first!.retry, first!.event], ['3000', 'listening']);
  });

  test('tells what comes, one line of JSON each, as the feed shows it', async () => {
    const stream = await streamed();
    await world.degrade('prm_1');
    const [, message] = await stream.first(2);
    const { notifications } = await world.told(1);
    assert.equal(JSON.parse(message!.data!), notifications[0]);
    // A repeat comes again, as what it has become
    await world.degrade('prm_1');
    const [, , again] = await stream.first(3);
    const item = JSON.parse(again!.data!) as Item;
    assert.is(item.notification_id, notifications[0]!.notification_id);
    assert.is(item.count, 2);
    assert.is.not(again!.id, message!.id);
  });

  test('goes on behind the last id, by header or address; nothing is lost or comes twice', async () => {
    const stream = await streamed();
    const [first] = await stream.first(1);
    stream.close();
    const names = Array.from({ length: 45 }, (_, i) => `prm_more_${i}`);
    for (const name of names) await world.degrade(name);
    const back = await streamed({ last: first!.id! });
    const messages = await back.first(46);
    assert.equal(promotionsIn(messages).sort(), [...names].sort());
    const middle = await streamed({ last: messages[30]!.id! });
    assert.equal(promotionsIn(await middle.first(16)), promotionsIn(messages.slice(31)));
    const { base, installed } = world.api;
    const bare = request(`${base}/v1/notifications/stream?last_event_id=${messages[44]!.id!}`, {
      headers: { authorization: `Bearer ${installed.token}` },
      agent: false,
    }).end();
    const [res] = (await once(bare, 'response')) as [IncomingMessage];
    const inAddress = new Stream(res);
    open.push(inAddress);
    assert.equal(promotionsIn(await inAddress.first(2)), promotionsIn(messages.slice(45)));
  });

  test('an id that is too old, or that nobody gave, is a reset', async () => {
    const known = (await (await streamed()).first(1))[0]!.id!;
    const resets = async (last: string): Promise<boolean> => {
      const messages = await (await streamed({ last })).first(2);
      assert.is(Object.hasOwn(messages[0]!, 'id'), messages[1]?.event !== 'reset');
      return messages[1]?.event === 'reset';
    };
    for (const last of ['nonsense', '12', 'zzzzzzzz-mqx0f3k8', `${known}0000`])
      assert.ok(await resets(last), last);
    world.clock.now += DAY;
    const kept = await streamed({ last: known });
    await world.degrade('prm_kept');
    assert.equal(promotionsIn(await kept.first(2)), ['prm_kept']);
    world.clock.now += 1;
    assert.ok(await resets(known));
    // Behind a reset it goes on as always
    const stream = await streamed({ last: known });
    await stream.first(2);
    await world.degrade('prm_after');
    assert.equal(promotionsIn(await stream.first(3)), ['prm_after']);
  });

  test('tells of a workspace, or of all one is in, and of no other', async () => {
    const { other, people, workspace, api } = world;
    assert.is((await streamed({ workspace: other.workspaceId })).status, 403);
    await people.join('workspace', other.workspaceId, api.installed.uid, 'operator');
    const limited = await people.token(api.installed.uid, { workspaceIds: [workspace] });
    const [all, ours, theirs, bound] = [
      await streamed({ workspace: null }),
      await streamed(),
      await streamed({ workspace: other.workspaceId }),
      await streamed({ workspace: null, token: limited }),
    ];
    for (const stream of [all, ours, theirs, bound]) await stream.first(1);
    await world.degrade('prm_theirs', other.workspaceId);
    await world.degrade('prm_ours');
    assert.equal(promotionsIn(await all.first(3)).sort(), ['prm_ours', 'prm_theirs']);
    for (const stream of [ours, bound]) assert.equal(promotionsIn(await stream.first(2)), ['prm_ours']);
    assert.equal(promotionsIn(await theirs.first(2)), ['prm_theirs']);
    // No member any more: the stream of the workspace ends, that of all goes on
    await send(api.base, 'DELETE', `/v1/workspace/${other.workspaceId}/members/${api.installed.uid}`, other);
    await theirs.end;
    world.clock.now += 2 * HOUR;
    await world.degrade('prm_theirs', other.workspaceId);
    await world.degrade('prm_ours');
    assert.equal(promotionsIn(await all.first(4)).at(-1), 'prm_ours');
  });

  test('ends with its token; a token may read so many at a time', async () => {
    const token = await world.people.token(world.api.installed.uid);
    const streams = [];
    for (let i = 0; i < 20; i++) streams.push(await streamed({ token }));
    assert.is((await streamed({ token })).status, 429);
    streams.pop()!.close();
    await until(async () => (await streamed({ token })).status === 200, 'room for one more');
    const { tokens } = data<{ tokens: { token_id: string; name: string }[] }>(
      await world.ann.get('/v1/user/api-tokens?per_page=100'),
    );
    for (const { token_id, name } of tokens.filter(each => each.name === 'test'))
      assert.is((await world.ann.delete(`/v1/user/api-tokens/${token_id}`)).status, 200, name);
    await Promise.all(streams.map(({ end }) => end));
    assert.is((await streamed({ token })).status, 401);
  });

  test('what somebody does not want in the feed is not in the stream', async () => {
    const stream = await streamed();
    await stream.first(1);
    await world.ann.put('/v1/notifications/preferences', {
      kinds: { 'deployment.degraded': { in_app: false } },
    });
    await world.degrade('prm_unwanted');
    await world.ann.put('/v1/notifications/preferences', {});
    await toldBy(world.api.platform, world.api.installed.uid, world.workspace);
    const [, message] = await stream.first(2);
    assert.is((JSON.parse(message!.data!) as Item).kind, 'deployment.ready');
  });
});

/** Blocks of a stream as they come. */
class Stream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly end: Promise<unknown>;
  #text = '';
  #came: () => void = () => undefined;

  constructor(readonly res: IncomingMessage) {
    this.status = res.statusCode!;
    this.headers = res.headers;
    this.end = once(res, 'end').catch(() => undefined);
    res.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      this.#came();
    });
    res.on('error', () => undefined);
  }

  get messages(): Message[] {
    return this.#text
      .split('\n\n')
      .slice(0, -1)
      .filter(block => !block.startsWith(':'))
      .map(block => Object.fromEntries(block.split('\n').map(line => /^(\w+): (.*)$/.exec(line)!.slice(1))));
  }

  /** The first so many, once they are there. */
  async first(count: number): Promise<Message[]> {
    while (this.messages.length < count)
      await new Promise<void>(resolve => {
        this.#came = resolve;
      });
    return this.messages.slice(0, count);
  }

  close(): void {
    this.res.destroy();
  }
}
