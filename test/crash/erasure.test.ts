import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { sealing } from '../../adapters/sealing.js';
import { memoryKeys } from '../../adapters/vault/memory.js';
import { vaultOn } from '../../adapters/vault/vault.js';
import { finishingErasure, leavingGroups } from '../../commands/erasure.js';
import { groupCommands } from '../../commands/groups.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { registering } from '../../commands/registration.js';
import { userCommands } from '../../commands/users.js';
import { apiTokens } from '../../domain/tokens/decider.js';
import { START } from '../../domain/fact.js';
import { identityProjection } from '../../projections/identity/projection.js';
import { accountQueries } from '../../projections/identity/queries.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionName, collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { erasure } from '../../workers/erasure.js';
import { suite } from '../suite.js';

const EMAIL = 'zoe.unmistakable@example.org';
const UID = 'usr_zoe';
class Killed extends Error {}

/**
 * A platform of accounts over memory that dies at the `left`-th write, whatever store it goes to. `reactor`:
 * what its workers do, from the first fact on, after a start.
 */
async function platform() {
  const life = { left: Number.POSITIVE_INFINITY, writes: 0 };
  const live = () => {
    if (life.left-- <= 0) throw new Killed();
    life.writes++;
  };
  const mortal =
    <T extends unknown[], R>(write: (...given: T) => Promise<R>) =>
    async (...given: T): Promise<R> => {
      live();
      return write(...given);
    };
  const bare = memoryEventStore();
  const vault = vaultOn(memoryKeys(), [randomBytes(32)]);
  const store = sealing(bare, vault);
  const models = memoryReadModels();
  await models.prepare(collectionsOf(identityProjection, 0));
  let facts = 0;
  const handle = handler(
    { ...store, append: mortal(store.append) },
    () => `00000000-0000-4000-8000-${String(facts++).padStart(12, '0')}`,
  );
  const load = loader(store);
  const groups = groupCommands({ handle, load, cell: 'here' });
  const project = async () => {
    for (;;) {
      const page = await store.page(await models.checkpoint(checkpointName(identityProjection, 0)), 3);
      if (page.length === 0) return true;
      await applyPage(identityProjection, models, 0, page);
    }
  };
  const belongings = accountQueries(reader(models, identityProjection, () => 0));
  const register = registering({ handle, load, vault, cell: 'here' });
  const finishErasure = finishingErasure({
    handle,
    load,
    groups,
    belongings,
    caughtUp: project,
    vault: { known: vault.known, retire: mortal(vault.retire), destroy: mortal(vault.destroy) },
    forgetUses: mortal(async () => undefined),
    scrub: mortal(async () => undefined),
  });
  const users = userCommands({
    handle,
    load,
    register,
    leaveGroups: leavingGroups({
      groups,
      belongings,
      upToDate: async () => {
        await project();
      },
    }),
    finishErasure: async (uid, _, context) => (await project()) && finishErasure(uid, context),
  });
  const context: Context = {
    workspace: null,
    actor: 'operator',
    request: null,
    correlation: 'c',
    causation: null,
    at: 1_800_000_000_000,
  };
  const worker = erasure({ finishErasure, groups, caughtUp: project, retire: mortal(vault.retire) });
  const reactor = async () => {
    for (const fact of await store.page(START, 10_000))
      await worker.on[fact.type]?.(fact as never, context, { handle, load });
    await project();
  };
  return { life, bare, store, vault, models, handle, groups, register, users, context, project, reactor };
}

/** Somebody in groups of every state, with tokens and invitations of every state. */
async function withZoe() {
  const p = await platform();
  const { groups, context } = p;
  for (const [uid, email] of [
    ['usr_ann', 'ann@example.org'],
    [UID, EMAIL],
  ] as const)
    await p.register({ uid, email, name: uid }, context);
  const make = async (owner: string, name: string) =>
    (await groups.createWorkspace(owner, { name, organizationId: 'org' }, context)).groupId;
  const [both, anns, archived, own] = [
    await make('usr_ann', 'both'),
    await make('usr_ann', 'anns'),
    await make('usr_ann', 'archived'),
    await make(UID, 'own'),
  ];
  for (const id of [both, archived]) await groups.addMember('workspace', id, null, UID, 'owner', context);
  const invite = async (id: string) =>
    (await groups.invite('workspace', id, null, EMAIL.toUpperCase(), 'viewer', context)).invitationId;
  const closed = await invite(anns);
  await groups.revokeInvitation('workspace', anns, null, closed, context);
  const open = [await invite(anns), await invite(archived)];
  for (const [id, name] of [
    [archived, 'archived'],
    [own, 'own'],
  ] as const)
    await groups.archive('workspace', id, null, name, context);
  for (const tokenId of ['tok_1', 'tok_2'])
    await p.handle(
      apiTokens,
      {
        type: 'IssueApiToken',
        data: {
          tokenId,
          uid: UID,
          name: 'n',
          hash: tokenId,
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
  await p.project();
  await p.reactor();
  return { ...p, all: [both, anns, archived, own], closed, open };
}
type World = Awaited<ReturnType<typeof withZoe>>;

/** What is left: documents, groups and keys. Ids that are drawn are called by their place. */
async function left(w: World): Promise<string> {
  const names = Object.keys(identityProjection.collections).map(name =>
    collectionName(identityProjection, name, 0),
  );
  const docs = await Promise.all(
    names.map(name => w.models.find(name, { where: {}, sort: { by: ['_id'] } })),
  );
  const states = await Promise.all(
    w.all.map(async id => {
      const { status, members, invitations } = await w.groups.stateOf('workspace', id);
      return {
        status,
        members: [...members],
        invitations: [...invitations.values()].map(({ status, email }) => ({ status, email })),
      };
    }),
  );
  const keys = await Promise.all(
    [UID, w.closed, ...w.open].map(async id => (await w.vault.known(id)) === null),
  );
  const drawn = [...w.all, w.closed, ...w.open].reduce(
    (text, id, nth) => text.replaceAll(id, `#${nth}`),
    JSON.stringify({ docs, states, keys }),
  );
  return drawn.replace(/"(_at|token_hash)":("\w+"|\d+),?/g, '');
}

suite('erasing somebody, killed at every write', test => {
  test('ends as an undisturbed run does, and nobody finds who they were', async () => {
    const undisturbed = await withZoe();
    const before = undisturbed.life.writes;
    assert.is((await undisturbed.users.erase(UID, undisturbed.context)).cleared, true);
    const writes = undisturbed.life.writes - before;
    await undisturbed.project();
    const expected = await left(undisturbed);
    await undisturbed.reactor();
    assert.is(sorted(await left(undisturbed)), sorted(expected), 'nothing is left to the reactor');
    assert.not.match(expected, /"(uid|_id)":"[^"]*usr_zoe"[^}]*"role"|"status":"pending"/);
    assert.match(expected, /"keys":\[true,true,true,true\]/);
    assert.ok(writes > 10, String(writes));

    for (let nth = 0; nth < writes; nth++) {
      const w = await withZoe();
      w.life.left = nth;
      try {
        await w.users.erase(UID, w.context);
        assert.unreachable();
      } catch (error) {
        assert.instance(error, Killed, String(error));
      }
      w.life.left = Number.POSITIVE_INFINITY;
      await w.project();
      // Before the fact there is nothing to finish: the operator, who has no answer, asks again
      if (!(await w.store.page(START, 1_000)).some(({ type }) => type === 'UserErased'))
        await w.users.erase(UID, w.context);
      await w.reactor();
      const facts = (await w.bare.page(START, 10_000)).length;
      assert.is(sorted(await left(w)), sorted(expected), `killed at write ${nth}`);
      await w.reactor();
      assert.is((await w.bare.page(START, 10_000)).length, facts, 'done again, it changes nothing');
      assert.not.match(JSON.stringify([await w.store.page(START, 10_000), await left(w)]), /unmistakable/i);
    }
  });

  test("groups that would be nobody's forbid it, by name, before anything is done", async () => {
    const w = await withZoe();
    const { groupId } = await w.groups.createOrganization(UID, { name: 'Hers' }, w.context);
    const { groupId: second } = await w.groups.createWorkspace(
      UID,
      { name: 'Hers, too', organizationId: groupId },
      w.context,
    );
    const before = w.life.writes;
    try {
      await w.users.erase(UID, w.context);
      assert.unreachable();
    } catch (error) {
      const { code, message, details } = error as { code: string; message: string; details: object };
      assert.is(code, 'last_owner');
      assert.match(
        message,
        new RegExp(
          `^The last owner of organization ${groupId} \\(Hers\\), workspace ${second} \\(Hers, too\\): `,
        ),
      );
      assert.equal(details, {
        groups: [
          { kind: 'organization', id: groupId, name: 'Hers' },
          { kind: 'workspace', id: second, name: 'Hers, too' },
        ],
      });
    }
    assert.is(w.life.writes, before);
    await w.groups.addMember('organization', groupId, null, 'usr_ann', 'owner', w.context);
    await w.groups.archive('workspace', second, null, 'Hers, too', w.context);
    assert.is((await w.users.erase(UID, w.context)).cleared, true);
    assert.equal([...(await w.groups.stateOf('organization', groupId)).members], [['usr_ann', 'owner']]);
  });

  test('two owners who are erased at once: one stays', async () => {
    const w = await withZoe();
    const [both, anns] = w.all;
    await w.groups.addMember('workspace', anns!, null, 'usr_bob', 'owner', w.context);
    const outcomes = await Promise.allSettled([
      w.users.erase(UID, w.context),
      w.users.erase('usr_ann', w.context),
    ]);
    assert.equal(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const { reason } = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    assert.match((reason as Error).message, new RegExp(`last owner of workspace ${both} \\(both\\)`));
    assert.is((await w.groups.stateOf('workspace', both!)).members.size, 1);
  });

  test('who joins while they are erased is out again', async () => {
    const w = await withZoe();
    const [both] = w.all;
    await w.users.erase(UID, w.context);
    await w.groups.addMember('workspace', both!, null, UID, 'viewer', w.context);
    await w.reactor();
    assert.equal([...(await w.groups.stateOf('workspace', both!)).members.keys()], ['usr_ann']);
  });
});

/** In what order the facts came, or documents stand, does not matter to what is there. */
const sorted = (text: string): string => JSON.stringify(inOrder(JSON.parse(text)));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(each => JSON.stringify(inOrder(each))).sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inOrder(each)]));
}
