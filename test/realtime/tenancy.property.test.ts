import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Installed } from '../../commands/installation.js';
import { startPlatform, send, temporaryFolder, until, type Running } from '../platform.js';
import { peopleOf, type People } from '../people.js';
import { suite } from '../suite.js';
import { connect, type RealtimeClient } from './client.js';

// Three workspaces and four listeners: people come and go, subscribe and leave, while events are recorded and
// points are pushed. Whoever is no member from a record on must never hear of it, nor anybody of a workspace
// that their token is not for; who listens all the while must hear of all.

const RUNS = Number(process.env['TENANCY_RUNS'] ?? 6);
const kinds = ['join', 'leave', 'subscribe', 'unsubscribe', 'record', 'record', 'push'] as const;
type Op = { readonly kind: (typeof kinds)[number]; readonly who: number; readonly where: number };
const op: fc.Arbitrary<Op> = fc.record({
  kind: fc.constantFrom(...kinds),
  who: fc.integer({ min: 0, max: 3 }),
  where: fc.integer({ min: 0, max: 2 }),
});

type Listener = {
  readonly uid: string;
  readonly client: RealtimeClient;
  /** The workspaces that the token is for. */
  readonly limits: readonly number[];
  readonly member: Set<number>;
  readonly subscribed: Set<number>;
};
/** Something that was written: who may hear of it still, and who must have. */
type Written = {
  readonly key: string;
  readonly where: number;
  readonly may: Set<number>;
  readonly must: Set<number>;
};

suite('workspaces on the realtime gateway', test => {
  const folder = temporaryFolder();
  let api: Running;
  let people: People;
  let tenants: readonly Installed[];
  let runs = 0;
  const ofAllRuns: Written[] = [];
  test.before(async () => {
    api = await startPlatform(folder.path, { running: ['api', 'projections'] });
    people = peopleOf(api.platform);
    tenants = [
      api.installed,
      await people.tenant('two@example.org'),
      await people.tenant('three@example.org'),
    ];
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });
  const channelOf = (where: number) => `workspace:${tenants[where]!.workspaceId}`;
  const write = async (where: number, method: string, path: string, body?: object) => {
    const { status, text } = await send(api.base, method, path, tenants[where]!, body && { body });
    assert.ok(status < 300, text);
  };

  async function listener(nth: number): Promise<Listener> {
    const { uid, token: unlimited } = await people.person(`p${runs}-${nth}@example.org`);
    const limits = nth === 3 ? [0] : [0, 1, 2];
    const workspaceIds = limits.map(where => tenants[where]!.workspaceId);
    const token = nth === 3 ? await people.token(uid, { workspaceIds }) : unlimited;
    const client = await connect(api.base, { token });
    // So that the loss of all others does not end it
    await client.subscribe(`user:${uid}`);
    return { uid, client, limits, member: new Set(), subscribed: new Set() };
  }
  const allowed = ({ limits, member }: Listener, where: number) =>
    member.has(where) && limits.includes(where);

  async function run({ kind, who, where }: Op, listeners: readonly Listener[], written: Written[]) {
    const one = listeners[who]!;
    const { uid, client, member, subscribed } = one;
    const path = `/v1/workspace/${tenants[where]!.workspaceId}/members/${uid}`;
    if (kind === 'join' && !member.has(where)) {
      await people.join('workspace', tenants[where]!.workspaceId, uid, 'viewer');
      member.add(where);
    }
    if (kind === 'leave' && member.delete(where)) {
      await write(where, 'DELETE', path);
      subscribed.delete(where);
      for (const each of written) if (each.where === where) each.must.delete(who);
    }
    if (kind === 'subscribe') {
      const ack = await client.subscribe(channelOf(where));
      assert.is((ack['subscribed'] as string[]).length, allowed(one, where) ? 1 : 0);
      if (allowed(one, where)) subscribed.add(where);
    }
    if (kind === 'unsubscribe') {
      await client.ask({ type: 'unsubscribe', channels: [channelOf(where)] });
      subscribed.delete(where);
      for (const each of written) if (each.where === where) each.must.delete(who);
    }
    if (kind === 'record' || kind === 'push') {
      const key = `${kind}-${runs}-${where}-${written.length}`;
      const path = kind === 'record' ? '/v1/event/record' : '/v1/signal/push';
      const body = kind === 'record' ? { key, text: 'Strike' } : { key, value: 1, timestamp: '2026-01-01' };
      const indices = listeners.map((_, i) => i);
      const may = new Set(indices.filter(i => allowed(listeners[i]!, where)));
      const must = new Set(indices.filter(i => listeners[i]!.subscribed.has(where)));
      written.push({ key, where, may, must });
      ofAllRuns.push(written.at(-1)!);
      await write(where, 'POST', path, body);
    }
    // Who may come to hear of it from now on: what is being told just then
    for (const each of written) if (allowed(one, each.where)) each.may.add(who);
  }

  test('nobody hears of one that is not theirs, and all who listen hear of theirs', () =>
    fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 30, maxLength: 60, size: 'max' }), async ops => {
        runs++;
        const listeners = await Promise.all([0, 1, 2, 3].map(listener));
        const written: Written[] = [];
        for (const each of ops) await run(each, listeners, written);
        const heard = (one: Listener) => {
          const told = one.client.told().filter(({ event }) => event !== 'member.changed');
          return told.flatMap(({ data, channel }) =>
            ((data['keys'] as string[] | undefined) ?? [data['key'] as string]).map(key => ({
              key,
              channel,
            })),
          );
        };
        for (const [i, one] of listeners.entries()) {
          const due = written.filter(({ must }) => must.has(i));
          await until(
            async () => due.every(({ key }) => heard(one).some(each => each.key === key)),
            `${due.length} of ${written.length} for ${i}`,
          );
          await one.client.ask({ type: 'ping' });
          for (const { key, channel } of heard(one)) {
            const of = ofAllRuns.find(each => each.key === key)!;
            assert.is(channel, channelOf(of.where));
            // What was written before and is told late is told to who may hear of it by then
            const isOfBefore = !written.includes(of) && one.limits.includes(of.where);
            assert.ok(isOfBefore || of.may.has(i), `${key} was told to ${i}`);
          }
          for (const { data, channel } of one.client
            .told()
            .filter(({ event }) => event === 'member.changed')) {
            const where = tenants.findIndex(({ workspaceId }) => workspaceId === data['workspace_id']);
            assert.ok(
              channel === channelOf(where) || (channel === `user:${one.uid}` && data['uid'] === one.uid),
            );
            assert.ok(one.limits.includes(where));
          }
          await one.client.end();
        }
      }),
      { numRuns: RUNS },
    ));
});
