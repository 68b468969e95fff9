import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Rejected } from '../../domain/rejected.js';
import type { Role } from '../../domain/groups/roles.js';
import { suite } from '../suite.js';
import { operation, ORGANIZATION, people, places, type Operation, type Whom } from './groups-operations.js';
import { rightsAgree, type Place } from './groups-rights.js';
import { groupWorld, type GroupWorld } from './groups-world.js';
import { NaiveGroup, type Reasons } from './naive-group.js';

// Two of them have the same address, written in two ways
/** Who has a second factor. */
let factors: Set<string>;

suite('any history of invitations, roles, removals and archivings', test => {
  test('leaves members, roles, invitations and rights as a naive model says', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 10, maxLength: 90, size: 'max' }),
        async operations => {
          const world = await groupWorld();
          const all = await opened(world);
          for (const each of operations) {
            const place = all[each.do === 'ask' ? ORGANIZATION : each.place]!;
            // Known before, so that it must be forgotten when it changes
            if (each.do === 'project')
              for (const { id } of all) for (const { uid } of people) await world.who.member(id, uid);
            const { real, naive } = await both(world, place, each);
            assert.ok(
              naive.length === 0 ? real === null : naive.includes(real ?? 'done'),
              `${each.do}: ${real ?? 'done'}, but ${naive.join() || 'nothing'} speaks against it`,
            );
            for (const every of all) await agrees(world, every);
          }
          await world.project();
          for (const place of all) await documentsAgree(world, place);
          await rightsAgree(world, all, factors);
        },
      ),
      { numRuns: 250 },
    );
  });
});

async function opened(world: GroupWorld): Promise<Place[]> {
  for (const { uid, email } of people) await world.register(uid, email);
  factors = new Set();
  const organization = await world.commands.createOrganization(
    places[ORGANIZATION].creator,
    { name: 'G2' },
    world.context('ann'),
  );
  const above = new NaiveGroup('G2', 'ann');
  return Promise.all(
    places.map(async ({ kind, creator }, nth): Promise<Place> => {
      const rest = { kind, tokens: new Map<string, string[]>(), joined: new Set([creator]) };
      if (nth === ORGANIZATION) return { ...rest, id: organization.groupId, naive: above };
      const name = `G${nth}`;
      const wanted = { name, organizationId: nth === 0 ? organization.groupId : 'org' };
      const { groupId: id } = await world.commands.createWorkspace(creator, wanted, world.context(creator));
      return { ...rest, id, naive: new NaiveGroup(name, creator, nth === 0 ? above : null) };
    }),
  );
}

/** Does the same to both: why it was refused (null: it was not), and all that speaks against it. */
async function both(
  world: GroupWorld,
  { kind, id, naive, tokens, joined }: Place,
  each: Operation,
): Promise<{ real: string | null; naive: Reasons }> {
  const { commands, clock } = world;
  const by = somebody(naive, each.by);
  const { uid } = by;
  const context = world.context(uid);
  const now = clock.now;
  const done = (asked: Promise<unknown>) =>
    asked.then(
      () => null,
      (error: unknown) => {
        if (error instanceof Rejected) return error.code;
        throw error;
      },
    );
  const invited = 'back' in each ? naive.invitations.at(-1 - each.back) : undefined;
  const invitationId = invited?.id ?? 'inv_none';
  switch (each.do) {
    case 'wait':
      clock.now += each.ms;
      return { real: null, naive: [] };
    case 'project':
      await world.project(each.page);
      return { real: null, naive: [] };
    case 'factor': {
      const reasons = each.has && factors.has(uid) ? ['totp_already_enabled'] : [];
      if (each.has) factors.add(uid);
      else factors.delete(uid);
      return { real: await done(world.factor(uid, each.has)), naive: reasons };
    }
    case 'ask': {
      const { domains, factor, days } = each.settings;
      const changes = {
        ...(domains && { allowedEmailDomains: domains }),
        ...(factor !== undefined && { require2fa: factor }),
        ...(days !== undefined && { tokenMaxAgeDays: days }),
      };
      return {
        real: await done(commands.change(kind, id, uid, changes, context)),
        naive: naive.ask(uid, each.settings, factors.has(uid)),
      };
    }
    case 'rename':
      return {
        real: await done(commands.change(kind, id, uid, { name: each.name }, context)),
        naive: naive.rename(uid, each.name),
      };
    case 'archive': {
      const typed = each.rightly ? naive.name : 'no';
      return {
        real: await done(commands.archive(kind, id, uid, typed, context)),
        naive: naive.archive(uid, typed, now),
      };
    }
    case 'restore':
      return { real: await done(commands.restore(kind, id, uid, context)), naive: naive.restore(uid, now) };
    case 'changeRole': {
      const whom = somebody(naive, each.whom).uid;
      return {
        real: await done(commands.changeRole(kind, id, uid, whom, each.role, context)),
        naive: naive.changeRole(uid, whom, each.role),
      };
    }
    case 'remove':
    case 'leave': {
      const whom = each.do === 'leave' ? uid : somebody(naive, each.whom).uid;
      return {
        real: await done(commands.removeMember(kind, id, uid, whom, context)),
        naive: naive.remove(uid, whom),
      };
    }
    case 'invite': {
      const made = { id: '', token: '' };
      const real = await done(
        commands.invite(kind, id, uid, each.email, each.role, context).then(({ invitationId, token }) => {
          Object.assign(made, { id: invitationId, token });
          tokens.set(invitationId, [token]);
        }),
      );
      return { real, naive: naive.invite(uid, each.email, each.role, made, now) };
    }
    case 'resend': {
      let token = '';
      const real = await done(
        commands.resend(kind, id, uid, invitationId, context).then(answer => {
          token = answer.token;
          tokens.get(invitationId)!.push(token);
        }),
      );
      return { real, naive: naive.resend(uid, invitationId, token, now) };
    }
    case 'revoke':
      return {
        real: await done(commands.revokeInvitation(kind, id, uid, invitationId, context)),
        naive: naive.revoke(uid, invitationId),
      };
    case 'answer': {
      const known = tokens.get(invitationId) ?? ['none'];
      const token = each.stale ? known[0]! : known.at(-1)!;
      const right = people.find(p => invited && p.email.toLowerCase() === invited.email.toLowerCase());
      const who = each.rightly && right ? right : by;
      const group = { kind, groupId: id, invitationId };
      const real = await done(
        commands.answer(group, who.uid, who.email, token, each.accept, world.context(who.uid)),
      );
      const reasons = naive.answer(who, invitationId, token, each.accept, now);
      if (reasons.length === 0 && each.accept) joined.add(who.uid);
      return { real, naive: reasons };
    }
  }
}

function somebody({ roles }: NaiveGroup, { member, nth }: Whom): (typeof people)[number] {
  const from = member ? people.filter(({ uid }) => roles.has(uid)) : people;
  return from[nth % from.length]!;
}

/** The facts alone, after every step. */
async function agrees(world: GroupWorld, { kind, id, naive, joined }: Place): Promise<void> {
  const state = await world.stateOf(kind, id);
  assert.equal(sorted(state.members), sorted(naive.roles));
  assert.equal(
    [...state.invitations].map(([invitation, { status, role, email, expiresAt }]) => ({
      id: invitation,
      status,
      role,
      email,
      until: expiresAt,
    })),
    naive.invitations.map(({ token: _, by: __, ...rest }) => rest),
  );
  assert.is(state.status === 'archived', naive.archivedAt !== null);
  assert.ok([...state.members.values()].includes('owner'), 'an owner is left');
  assert.ok(
    [...state.members.keys()].every(uid => joined.has(uid)),
    'nobody has a role who was neither creator nor invited',
  );
}

async function documentsAgree(
  { queries, audit, clock }: GroupWorld,
  { kind, id, naive }: Place,
): Promise<void> {
  const page = { limit: 1_000, offset: 0 };
  const members = await queries.members(id, page);
  const invitations = await queries.invitations(id, page);
  assert.equal(sorted(members.items.map(({ uid, role }) => [uid, role] as const)), sorted(naive.roles));
  assert.equal([members.total, await queries.memberCount(id)], [naive.roles.size, naive.roles.size]);
  for (const { uid, user } of members.items) assert.is(user?.email, people.find(p => p.uid === uid)!.email);
  const status = ({ status, until }: { status: string; until: number }) =>
    status === 'pending' && until <= clock.now ? 'over' : status;
  assert.equal(
    invitations.items
      .map(({ _id, email, role, status: s, expires_at: until }) => [
        _id,
        email,
        role,
        status({ status: s, until }),
      ])
      .sort(),
    naive.invitations
      .map(it => [it.id, it.status === 'pending' ? it.email : null, it.role, status(it)])
      .sort(),
  );
  const group = await queries.group(kind, id);
  assert.equal([group?.name, group?.archived_at], [naive.name, naive.archivedAt]);
  assert.is(naive.roles.get((await queries.ownerOf(id)) ?? ''), 'owner');
  assert.is(
    (await audit.entries(id, { action: 'InvitationIssued' }, true, 100, 0)).total,
    naive.invitations.length,
  );
}

const sorted = (members: Iterable<readonly [string, Role | string]>) =>
  [...members].sort(([a], [b]) => (a < b ? -1 : 1));
