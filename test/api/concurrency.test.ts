import * as assert from 'uvu/assert';
import type { Installed } from '../../commands/installation.js';
import { peopleOf, type People, type Person } from '../people.js';
import { send, startPlatform, temporaryFolder, type Answer, type Running } from '../platform.js';
import { suite } from '../suite.js';

const ROUNDS = 30;

suite('at the same time', test => {
  const folder = temporaryFolder();
  let api: Running;
  let people: People;
  let owner: Installed;
  test.before(async () => {
    api = await startPlatform(folder.path, { running: ['api', 'projections'] });
    people = peopleOf(api.platform);
    owner = api.installed;
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  const as =
    ({ token }: Pick<Person, 'token'>) =>
    (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(
        api.base,
        method,
        path,
        { token, workspaceId: '' },
        { headers, ...(body !== undefined && { body }) },
      );
  const workspace = async (): Promise<string> => {
    const { groupId, position } = await people.groups.createWorkspace(
      owner.uid,
      { name: 'W', organizationId: owner.organizationId },
      people.operator(),
    );
    await api.platform.visible(position);
    return `/v1/workspace/${groupId}`;
  };
  const membersOf = async (path: string) =>
    (await as(owner)('GET', `${path}/members?per_page=100`)).json.data.members as {
      uid: string;
      role: string;
    }[];
  const codes = (answers: readonly Answer[]) =>
    answers.map(({ status, json }) => (status < 300 ? status : (json.error.code as string))).sort();
  const shuffled = <T>(list: readonly T[], round: number): T[] => [
    ...list.slice(round % list.length),
    ...list.slice(0, round % list.length),
  ];

  test('two accounts of one address accept one invitation: one of them gets in', async () => {
    const pair = [await people.person('Twin@Example.org'), await people.person('twin@example.ORG')];
    const winners = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const path = await workspace();
      const { token } = (
        await as(owner)('POST', `${path}/invitations`, { email: 'TWIN@example.org', role: 'editor' })
      ).json.data;
      const answers = await Promise.all(
        shuffled([...pair, ...pair], round).map(
          async one => [one, await as(one)('POST', `/v1/workspace/invitations/${token}/accept`)] as const,
        ),
      );
      const [member, ...more] = (await membersOf(path)).filter(({ uid }) => uid !== owner.uid);
      assert.equal([member!.role, more.length], ['editor', 0]);
      for (const [{ uid }, { status, json }] of answers)
        assert.equal(
          [status, json.error?.code],
          uid === member!.uid ? [200, undefined] : [410, 'invitation_expired'],
          `round ${round}`,
        );
      winners.add(member!.uid);
    }
    assert.is(winners.size, 2, 'the race went both ways');
  });

  test('accepting, declining and revoking at once: one of them happened', async () => {
    const invited = await people.person('invited@example.org');
    for (let round = 0; round < ROUNDS; round++) {
      const path = await workspace();
      const { token, invitation_id } = (
        await as(owner)('POST', `${path}/invitations`, { email: invited.email, role: 'viewer' })
      ).json.data;
      const [accepted, declined] = (await Promise.all(
        shuffled(
          [
            () => as(invited)('POST', `/v1/workspace/invitations/${token}/accept`),
            () => as(invited)('POST', `/v1/workspace/invitations/${token}/decline`),
            () => as(owner)('DELETE', `${path}/invitations/${invitation_id}`),
          ].map((start, nth) => ({ start, nth })),
          round,
        ).map(async ({ start, nth }) => ({ nth, answer: await start() })),
      ).then(all => all.sort((a, b) => a.nth - b.nth).map(({ answer }) => answer))) as [
        Answer,
        Answer,
        Answer,
      ];
      const { status } = (await as(owner)('GET', `${path}/invitations`)).json.data.invitations[0];
      const joined = (await membersOf(path)).some(({ uid }) => uid === invited.uid);
      assert.equal(
        [accepted.status === 200, declined.status === 200, joined],
        [status === 'accepted', status === 'declined', status === 'accepted'],
        `round ${round}`,
      );
      assert.ok(['accepted', 'declined', 'revoked'].includes(status));
    }
  });

  test('all owners leave or step down: one stays', async () => {
    const others = await Promise.all(
      Array.from({ length: 7 }, (_, n) => people.person(`owner${n}@example.org`)),
    );
    const all = [{ uid: owner.uid, token: owner.token }, ...others];
    for (let round = 0; round < ROUNDS; round++) {
      const path = await workspace();
      const id = path.split('/').at(-1)!;
      for (const { uid } of others) await people.join('workspace', id, uid, 'owner');
      const answers = await Promise.all(
        shuffled(all, round).map((one, nth) =>
          nth % 2
            ? as(one)('DELETE', `${path}/members/${one.uid}`)
            : as(one)('PATCH', `${path}/members/${one.uid}`, { role: 'viewer' }),
        ),
      );
      assert.equal(codes(answers), [...Array<number>(7).fill(200), 'last_owner'], `round ${round}`);
      const members = await seenByAnybody(path, all);
      assert.is(members.filter(({ role }) => role === 'owner').length, 1);
    }
  });

  test('owners lower each other: one owner stays', async () => {
    const two = [await people.person('left@example.org'), await people.person('right@example.org')] as const;
    for (let round = 0; round < ROUNDS; round++) {
      const path = await workspace();
      const id = path.split('/').at(-1)!;
      for (const { uid } of two) await people.join('workspace', id, uid, 'owner');
      assert.is((await as(two[0])('DELETE', `${path}/members/${owner.uid}`)).status, 200);
      const answers = await Promise.all([
        as(two[0])('DELETE', `${path}/members/${two[1].uid}`),
        as(two[1])('DELETE', `${path}/members/${two[0].uid}`),
      ]);
      // The loser is told by the decider or, when the removal was seen before, at the door
      assert.equal(answers.map(({ status }) => status).sort(), [200, 404], `round ${round}`);
      const winner = answers[0]!.status === 200 ? two[0] : two[1];
      const members = (await as(winner)('GET', `${path}/members`)).json.data.members as {
        uid: string;
        role: string;
      }[];
      assert.equal(
        members.map(({ uid, role }) => [uid, role]),
        [[winner.uid, 'owner']],
      );
    }
  });

  test('archiving against inviting: who is invited was so before the end', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const path = await workspace();
      const starts = [
        () => as(owner)('DELETE', path, { confirm: 'W' }),
        () => as(owner)('POST', `${path}/invitations`, { email: 'late@example.org', role: 'viewer' }),
      ];
      const [first, second] = await Promise.all(shuffled(starts, round).map(start => start()));
      const [archived, invited] = round % 2 === 0 ? [first!, second!] : [second!, first!];
      assert.is(archived.status, 200);
      assert.ok(
        invited.status === 201 || invited.json.error.code === 'workspace_archived',
        `round ${round}: ${invited.text}`,
      );
      assert.is(
        (await as(owner)('POST', `${path}/invitations`, { email: 'later@example.org', role: 'viewer' })).json
          .error.code,
        'workspace_archived',
      );
      assert.is((await as(owner)('POST', `${path}/restore`)).status, 200);
      assert.is(
        (await as(owner)('GET', `${path}/invitations`)).json.data.total,
        invited.status === 201 ? 1 : 0,
      );
      const actions = (await as(owner)('GET', `${path}/audit`)).json.data.entries.map(
        (entry: { action: string }) => entry.action,
      ) as string[];
      if (invited.status === 201)
        assert.ok(actions.indexOf('InvitationIssued') > actions.indexOf('GroupArchived'), 'newest first');
    }
  });

  test('one Idempotency-Key, many creates: one workspace', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const creator = await people.person(`creator${round}@example.org`);
      const key = { 'idempotency-key': 'same' };
      await people.join('organization', owner.organizationId, creator.uid, 'admin');
      const create = () => as(creator)('POST', '/v1/workspace', { name: `Made ${round}` }, key);
      const answers = await Promise.all([create(), create(), create(), create()]);
      const made = answers.filter(({ status }) => status === 201);
      assert.ok(
        made.length >= 1
          && answers.every(
            ({ status, json }) => status === 201 || json.error.code === 'idempotency_in_progress',
          ),
        `round ${round}`,
      );
      assert.is(
        made.filter(({ headers }) => headers.get('idempotency-replayed') === null).length,
        1,
        'one did it',
      );
      const again = await create();
      const { data } = (await as(creator)('GET', '/v1/workspace')).json;
      assert.equal([again.status, again.headers.get('idempotency-replayed'), data.total], [201, 'true', 1]);
      for (const { json } of [...made, again])
        assert.is(json.data.workspace_id, data.workspaces[0].workspace_id);
      assert.is(
        (await as(creator)('POST', '/v1/workspace', { name: 'Other' }, key)).json.error.code,
        'idempotency_conflict',
      );
    }
  });

  test('many invite one address: one invitation', async () => {
    const path = await workspace();
    for (let round = 0; round < ROUNDS; round++) {
      const email = `many${round}@example.org`;
      const spelled = [email, email.toUpperCase(), `Many${round}@example.org`, email];
      const answers = await Promise.all(
        spelled.map(email => as(owner)('POST', `${path}/invitations`, { email, role: 'viewer' })),
      );
      assert.equal(
        codes(answers),
        [201, 'already_invited', 'already_invited', 'already_invited'],
        `round ${round}`,
      );
    }
  });

  /** The members, asked by those who are among them yet. */
  async function seenByAnybody(
    path: string,
    all: readonly Pick<Person, 'token'>[],
  ): Promise<{ uid: string; role: string }[]> {
    for (const one of all) {
      const { status, json } = await as(one)('GET', `${path}/members?per_page=100`);
      if (status === 200) return json.data.members;
    }
    throw new Error('nobody is left');
  }
});
