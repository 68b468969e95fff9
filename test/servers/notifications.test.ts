import * as assert from 'uvu/assert';
import type { Installed } from '../../commands/installation.js';
import { projections, type ProcessRole } from '../../main.js';
import { listen, type Message, type Stream } from '../acceptance/sse.js';
import { peopleOf } from '../people.js';
import { send, startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { connect } from '../realtime/client.js';
import { skipped, suite } from '../suite.js';
import { serversFor } from './on-servers.js';

const { MONGODB_URL } = process.env;
const name = 'notifications, read at several processes';

const onServers = () =>
  suite(name, test => {
    const folder = temporaryFolder();
    let end: (() => void) | undefined;
    let env: Record<string, string>;
    let [work, one, two]: Running[] = [];
    let bob: Installed;
    test.before(async () => {
      ({ env, end } = await serversFor(folder.path, 'notifications'));
      work = await start(['projections', 'workers']);
      const { platform } = work;
      await until(async () => projections.every(p => platform.projectors.of(p)), 'the leases');
      [one, two] = await Promise.all([start(['api']), start(['api'])]);
      bob = await peopleOf(one.platform).tenant('bob@example.org');
    });
    test.after(async () => {
      for (const each of [one, two, work]) await each?.stop();
      end?.();
      folder.remove();
    });
    const start = (running: ProcessRole[]): Promise<Running> =>
      startPlatform(folder.path, { env, running, ...(work && { installed: work.installed }) });
    /** Tells bob of something; answers what he is told by. */
    const invite = async (api: Running, group: string): Promise<string> => {
      const body = { email: 'bob@example.org', role: 'viewer' };
      const { status, text, json } = await api.call('POST', `/v1/${group}/invitations`, { body });
      assert.is(status, 201, text);
      return json.data.invitation_id;
    };
    const workspace = () => `workspace/${work!.installed.workspaceId}`;
    const organization = () => `organization/${work!.installed.organizationId}`;
    const heard = (stream: Stream, invitation: string): Promise<Message> =>
      stream.message(({ data }) => data.data?.invitation_id === invitation, invitation);
    const invitationsIn = (stream: Stream): string[] =>
      stream.messages().map(({ data }) => data.data.invitation_id);

    test('who listens hears of everything, and goes on at another process where they were', async () => {
      const [here, there] = [await listen(one!.base, bob.token), await listen(two!.base, bob.token)];
      const gateway = await connect(two!.base, { token: bob.token });
      await gateway.subscribe(`user:${bob.uid}`);
      const first = await invite(one!, workspace());
      const last = await heard(here, first);
      assert.equal((await heard(there, first)).data, last.data);
      const told = await gateway.event(({ event }) => event === 'notification.created');
      assert.is(told.data['notification_id'], last.data.notification_id);
      here.close();

      const second = await invite(two!, organization());
      await heard(there, second);
      const headers = { 'last-event-id': last.id };
      const goesOn = await listen(two!.base, bob.token, { headers });
      await heard(goesOn, second);
      assert.equal(invitationsIn(goesOn), [second]);
      assert.equal(invitationsIn(there), [first, second]);
      const path = `/v1/notifications/${last.data.notification_id}/read`;
      const read = await send(two!.base, 'POST', path, bob);
      assert.is(read.status, 200, read.text);
      const { json } = await send(one!.base, 'GET', '/v1/notifications/unread-count', bob);
      assert.is(json.data.unread_count, 1, 'what was read at one is read at the other');
      for (const each of [there, goesOn]) each.close();
      await gateway.end();
    });

    test('streams end with their token, and with their process alone', async () => {
      const token = await peopleOf(one!.platform).token(bob.uid);
      const ending = await listen(two!.base, token);
      const { json } = await send(one!.base, 'GET', '/v1/user/api-tokens', bob);
      const [newest] = json.data.tokens as { token_id: string }[];
      const path = `/v1/user/api-tokens/${newest!.token_id}`;
      assert.is((await send(one!.base, 'DELETE', path, bob)).status, 200);
      await ending.ended();
      const [here, there] = [await listen(one!.base, bob.token), await listen(two!.base, bob.token)];
      await two!.stop();
      await there.ended();
      const { stop: _, ...gone } = two!;
      two = { ...gone, stop: async () => undefined };
      const later = await peopleOf(one!.platform).tenant('carol@example.org');
      const made = await send(one!.base, 'POST', `/v1/workspace/${later.workspaceId}/invitations`, later, {
        body: { email: 'bob@example.org', role: 'viewer' },
      });
      await heard(here, made.json.data.invitation_id);
      here.close();
    });
  });

if (MONGODB_URL) onServers();
else skipped(name, 'MONGODB_URL is not set');
