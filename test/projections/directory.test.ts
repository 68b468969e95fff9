import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { groupCommands } from '../../commands/groups.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { apiTokens } from '../../domain/tokens/decider.js';
import type { Fact } from '../../domain/fact.js';
import { users } from '../../domain/users/decider.js';
import { directory } from '../../projections/identity/directory.js';
import { identityProjection } from '../../projections/identity/projection.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { suite } from '../suite.js';

const SIZE = 50;
const LETTERS = 100_000;

/** Two organizations with a workspace each, and what the directory of them asks its store for. */
async function world() {
  const store = memoryEventStore();
  const models = memoryReadModels();
  const clock = { now: 1_800_000_000_000 };
  let facts = 0;
  const handle = handler(store, () => `00000000-0000-4000-8000-${String(facts++).padStart(12, '0')}`);
  const context: Context = {
    workspace: null,
    actor: 'operator',
    request: null,
    correlation: 'c',
    causation: null,
    at: clock.now,
  };
  const groups = groupCommands({ handle, load: loader(store), cell: 'here' });
  await models.prepare(collectionsOf(identityProjection, 0));
  const read = reader(models, identityProjection, () => 0);
  const asked: string[] = [];
  const counting = {
    ...read,
    get: (async (collection: string, id: string) => {
      asked.push(`${collection} ${id}`);
      return read.get(collection, id);
    }) as typeof read.get,
  };
  const who = directory(counting, { clock: () => clock.now, ttlMs: 60_000, size: SIZE, letters: LETTERS });

  const project = async (): Promise<Fact[]> => {
    const page = await store.page(await models.checkpoint(checkpointName(identityProjection, 0)), 1_000);
    if (page.length > 0) await applyPage(identityProjection, models, 0, page);
    return page;
  };
  const issue = (tokenId: string, uid: string) =>
    handle(
      apiTokens,
      {
        type: 'IssueApiToken',
        data: {
          tokenId,
          uid,
          name: 'n',
          hash: `hash of ${tokenId}`,
          prefix: 'p',
          last4: 'l',
          scopes: [],
          workspaceIds: null,
          expiresAt: null,
          homeCell: 'here',
          internal: false,
        },
      },
      context,
    );
  const factor = async (uid: string) => {
    await handle(users, { type: 'EnrolTotp', data: { uid, secret: 'S' } }, context);
    await handle(users, { type: 'ConfirmTotp', data: { uid, step: 1, hashes: [] } }, context);
  };
  const places: { organization: string; workspace: string }[] = [];
  for (const uid of ['ann', 'bob']) {
    await handle(
      users,
      {
        type: 'RegisterUser',
        data: { uid, homeCell: 'here', personal: { of: uid, email: `${uid}@x.org`, name: uid } },
      },
      context,
    );
    await factor(uid);
    const { groupId: organization } = await groups.createOrganization(
      uid,
      { name: 'O', require2fa: true, tokenMaxAgeDays: 30 },
      context,
    );
    const { groupId: workspace } = await groups.createWorkspace(
      uid,
      { name: 'W', organizationId: organization },
      context,
    );
    places.push({ organization, workspace });
    await issue(`tok_${uid}`, uid);
  }
  await project();
  const [ann, bob] = [places[0]!, places[1]!];
  const look = async () => ({
    ann: [
      await who.token('hash of tok_ann'),
      await who.member(ann.workspace, 'ann'),
      await who.workspace(ann.workspace),
    ],
    bob: [
      await who.token('hash of tok_bob'),
      await who.member(bob.workspace, 'bob'),
      await who.workspace(bob.workspace),
    ],
    strange: [await who.member(ann.workspace, 'bob'), await who.member(bob.workspace, 'ann')],
  });
  return { store, clock, context, handle, groups, who, asked, project, issue, factor, ann, bob, look };
}

suite('who may do what, from memory', test => {
  let w: Awaited<ReturnType<typeof world>>;
  test.before.each(async () => {
    w = await world();
    await w.look();
    w.asked.length = 0;
  });
  /** What is asked for again, after the facts since the last look were projected. */
  const again = async (): Promise<string[]> => {
    w.who.forget(await w.project());
    await w.look();
    return w.asked.splice(0).sort();
  };

  test('is asked for once', async () => assert.equal([await again(), await again()], [[], []]));

  test('a revoked token is looked up again, and nothing else', async () => {
    await w.handle(apiTokens, { type: 'RevokeApiToken', data: { uid: null, tokenId: 'tok_ann' } }, w.context);
    assert.equal(await again(), ['api_tokens hash of tok_ann']);
    assert.equal(
      [(await w.who.token('hash of tok_ann'))!.revokedAt, (await w.who.token('hash of tok_bob'))!.revokedAt],
      [w.clock.now, null],
    );
  });

  test("a role that changed, or ended, is that member's alone", async () => {
    // The facts of a group land on it, too
    const touched = [`members ${w.ann.workspace}/bob`, `workspaces ${w.ann.workspace}`];
    await w.groups.addMember('workspace', w.ann.workspace, null, 'bob', 'editor', w.context);
    assert.equal(await again(), touched);
    assert.is((await w.who.member(w.ann.workspace, 'bob'))!.role, 'editor');
    await w.groups.removeMember('workspace', w.ann.workspace, null, 'bob', w.context);
    assert.equal(await again(), touched);
    assert.is(await w.who.member(w.ann.workspace, 'bob'), null);
  });

  test('a workspace that changed is looked up again for all its members', async () => {
    await w.groups.archive('workspace', w.ann.workspace, null, 'W', w.context);
    assert.equal(await again(), [`workspaces ${w.ann.workspace}`]);
    assert.is((await w.who.member(w.ann.workspace, 'ann'))!.archivedAt, w.clock.now);
    assert.is((await w.who.member(w.bob.workspace, 'bob'))!.archivedAt, null);
  });

  test('what an organization asks for holds for its workspaces at once', async () => {
    await w.groups.change('organization', w.ann.organization, null, { tokenMaxAgeDays: 7 }, w.context);
    assert.equal(await again(), [`organizations ${w.ann.organization}`]);
    assert.equal(
      [
        (await w.who.member(w.ann.workspace, 'ann'))!.tokenDays,
        (await w.who.member(w.bob.workspace, 'bob'))!.tokenDays,
      ],
      [7, 30],
    );
  });

  test('a second factor that is gone is missed at once', async () => {
    await w.handle(users, { type: 'DisableTotp', data: { uid: 'ann' } }, w.context);
    assert.equal(await again(), ['users ann']);
    assert.equal(
      [
        (await w.who.member(w.ann.workspace, 'ann'))!.lacksFactor,
        (await w.who.member(w.bob.workspace, 'bob'))!.lacksFactor,
      ],
      [true, false],
    );
    await w.factor('ann');
    await again();
    assert.is((await w.who.member(w.ann.workspace, 'ann'))!.lacksFactor, false);
  });

  test('a token that was asked for before it was made is found once it is', async () => {
    assert.is(await w.who.token('hash of tok_new'), null);
    await w.issue('tok_new', 'ann');
    w.who.forget(await w.project());
    assert.is((await w.who.token('hash of tok_new'))!.uid, 'ann');
  });

  test('an answer on its way from before a change is not remembered', async () => {
    w.clock.now += 60_000;
    const early = w.who.token('hash of tok_ann');
    await w.handle(apiTokens, { type: 'RevokeApiToken', data: { uid: null, tokenId: 'tok_ann' } }, w.context);
    w.who.forget(await w.project());
    assert.is((await early)!.revokedAt, null);
    assert.ok((await w.who.token('hash of tok_ann'))!.revokedAt);
  });

  test('it is forgotten after its time, and the oldest when there is too much', async () => {
    w.clock.now += 59_999;
    assert.equal(await again(), []);
    w.clock.now += 1;
    assert.is((await again()).filter(asked => asked.startsWith('api_tokens')).length, 2);
    for (let n = 0; n < SIZE; n++) await w.who.token(`nobody's ${n}`);
    w.asked.length = 0;
    await w.who.token('hash of tok_ann');
    await w.who.token(`nobody's ${SIZE - 1}`);
    assert.equal(w.asked, ['api_tokens hash of tok_ann']);
  });

  test('few that are large make room, too', async () => {
    const [one, two] = ['a', 'b'].map(letter => letter.repeat(0.6 * LETTERS)) as [string, string];
    for (const key of [one, two]) await w.who.token(key);
    w.asked.length = 0;
    await w.who.token(two);
    assert.equal(w.asked, []);
    await w.who.token(one);
    assert.equal(w.asked, [`api_tokens ${one}`]);
  });

  test('what is at hand is answered at once, not as a promise', () => {
    for (const answer of [
      w.who.token('hash of tok_ann'),
      w.who.member(w.ann.workspace, 'ann'),
      w.who.demands(w.ann.organization, 'ann'),
      w.who.workspace(w.ann.workspace),
    ])
      assert.not.instance(answer, Promise);
  });
});
