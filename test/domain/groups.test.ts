import * as assert from 'uvu/assert';
import type { GroupCommand } from '../../domain/groups/commands.js';
import { organizations, RESTORE_WITHIN, workspaces } from '../../domain/groups/decider.js';
import type { GroupFact, OrganizationCreated, Retention } from '../../domain/groups/facts.js';
import { isLastOwner } from '../../domain/groups/members.js';
import type { Role } from '../../domain/groups/roles.js';
import { given } from '../spec.js';
import { suite } from '../suite.js';
import {
  NOW,
  of,
  created,
  member,
  removed,
  became,
  archived,
  past,
  live,
  change,
  remove,
  add,
} from './groups-given.js';

suite('a group and its settings', test => {
  const create: GroupCommand = { type: 'CreateWorkspace', data: { ...created.data, ownerUid: 'ann' } };
  test('is created with its owner', () =>
    given(workspaces).when(create).then(created, member('ann', 'owner')));
  test('once', () => live().when(create).thenNothing());
  test('is changed by an admin', () =>
    live()
      .when({ type: 'ChangeGroup', data: { ...of, by: 'bob', changes: { name: 'N' } } })
      .then({ type: 'GroupChanged', data: { ...of, changes: { name: 'N' } } }));
  test('is changed and archived only as who asks has seen it', () => {
    const changed: GroupFact = { type: 'GroupChanged', data: { ...of, changes: { name: 'N' } } };
    const seeing = (seen: number): GroupCommand => ({
      type: 'ChangeGroup',
      data: { ...of, by: 'bob', changes: { name: 'N' }, seen },
    });
    live().when(seeing(1)).then(changed);
    live()
      .when(seeing(2))
      .thenRejected(/The workspace is at version 1/);
    const archive = { ...of, by: 'ann', confirm: 'First', seen: 2 };
    live()
      .when({ type: 'ArchiveGroup', data: archive })
      .thenRejected(/at version 1/);
    live()
      .when({ type: 'ArchiveGroup', data: { ...archive, seen: 1 } })
      .then({ type: 'GroupArchived', data: of });
  });
  test('what is left out of the retention stays, and the fact says all of it', () => {
    const changed = (retention: Partial<Retention>) =>
      ({ type: 'ChangeGroup', data: { ...of, by: 'bob', changes: { retention } } }) as const;
    const kept = (retention: Retention): GroupFact => ({
      type: 'GroupChanged',
      data: { ...of, changes: { retention } },
    });
    const first = { signalsDays: null, eventsDays: 30, rawDays: null };
    const then = given(workspaces, ...past, kept(first));
    live()
      .when(changed({ eventsDays: 30 }))
      .then(kept(first));
    then.when(changed({ rawDays: 7 })).then(kept({ ...first, rawDays: 7 }));
    then.when(changed({ eventsDays: null })).then(kept({ ...first, eventsDays: null }));
    then.when(changed({})).thenNothing();
  });
  test('no change is none', () =>
    live()
      .when({ type: 'ChangeGroup', data: { ...of, by: 'bob', changes: {} } })
      .thenNothing());
  test('not by a viewer', () =>
    live()
      .when({ type: 'ChangeGroup', data: { ...of, by: 'cem', changes: { name: 'N' } } })
      .thenRejected(/takes the role admin/));
  test('not by a stranger, who learns nothing', () =>
    live()
      .when({ type: 'ChangeGroup', data: { ...of, by: 'eve', changes: { name: 'N' } } })
      .thenRejected(/^Not found$/));
  test('that is not there is not found', () =>
    given(workspaces)
      .when(add(null, 'x', 'viewer'))
      .thenRejected(/^Not found$/));
  test('is archived by an owner who types its name', () =>
    live()
      .when({ type: 'ArchiveGroup', data: { ...of, by: 'ann', confirm: 'First' } })
      .then({ type: 'GroupArchived', data: of }));
  test('not with another name', () =>
    live()
      .when({ type: 'ArchiveGroup', data: { ...of, by: 'ann', confirm: 'first' } })
      .thenRejected(/confirm/));
  test('not by an admin', () =>
    live()
      .when({ type: 'ArchiveGroup', data: { ...of, by: 'bob', confirm: 'First' } })
      .thenRejected(/owner/));
  test('when archived it takes nothing', () =>
    given(workspaces, ...past, archived)
      .when(add('ann', 'x', 'viewer'))
      .thenRejected(/archived/));
  test('but its restoring', () =>
    given(workspaces, ...past, archived)
      .when({ type: 'RestoreGroup', data: { ...of, by: 'ann', now: NOW + RESTORE_WITHIN } })
      .then({ type: 'GroupRestored', data: of }));
  test('for 30 days', () =>
    given(workspaces, ...past, archived)
      .when({ type: 'RestoreGroup', data: { ...of, by: 'ann', now: NOW + RESTORE_WITHIN + 1 } })
      .thenRejected(/30 days/));
  test('restoring what is not archived is nothing', () =>
    live()
      .when({ type: 'RestoreGroup', data: { ...of, by: 'ann', now: NOW } })
      .thenNothing());
});

suite('an organization and what it asks for', test => {
  const ofO = { kind: 'organization', groupId: 'o' } as const;
  const made: OrganizationCreated = {
    type: 'OrganizationCreated',
    data: {
      ...ofO,
      homeCell: 'here',
      name: 'Org',
      require2fa: false,
      allowedEmailDomains: [],
      tokenMaxAgeDays: null,
    },
  };
  const owner: GroupFact = { type: 'MemberAdded', data: { ...ofO, uid: 'ann', role: 'owner' } };
  const asked = (require2fa: boolean): GroupFact => ({
    type: 'GroupChanged',
    data: { ...ofO, changes: { require2fa } },
  });
  const ask = (require2fa: boolean, over: object = {}): GroupCommand => ({
    type: 'ChangeGroup',
    data: { ...ofO, by: 'ann', changes: { require2fa }, ...over },
  });
  const live = (...more: GroupFact[]) => given(organizations, made, owner, ...more);
  const create = (over: object): GroupCommand => ({
    type: 'CreateOrganization',
    data: { ...made.data, ownerUid: 'ann', ...over },
  });

  test('a second factor is asked for by who has one', () =>
    live()
      .when(ask(true, { hasSecondFactor: true }))
      .then(asked(true)));
  test('not by who has none, who would be shut out', () =>
    live()
      .when(ask(true))
      .thenRejected(/Enrol a second factor of your own first \(POST/));
  test('it was asked for before: nobody is shut out anew', () =>
    live(asked(true)).when(ask(true)).then(asked(true)));
  test('anybody who may stops asking for it', () => live(asked(true)).when(ask(false)).then(asked(false)));
  test('an operator is no member who could be shut out', () =>
    live()
      .when(ask(true, { by: null }))
      .then(asked(true)));
  test('at once when it is made', () => {
    given(organizations)
      .when(create({ require2fa: true }))
      .thenRejected(/of your own first/);
    given(organizations)
      .when(create({ require2fa: true, hasSecondFactor: true }))
      .then({ ...made, data: { ...made.data, require2fa: true } }, owner);
    given(organizations).when(create({})).then(made, owner);
  });
});

suite('members of a group', test => {
  test('an admin adds one', () =>
    live()
      .when(add('bob', 'dan', 'editor'))
      .then(member('dan', 'editor')));
  test('who is in stays as they are', () =>
    live()
      .when(add('bob', 'cem', 'editor'))
      .thenNothing());
  test('an admin makes no owner', () =>
    live()
      .when(add('bob', 'dan', 'owner'))
      .thenRejected(/takes the role owner/));
  test('an operator may', () =>
    live()
      .when(add(null, 'dan', 'owner'))
      .then(member('dan', 'owner')));
  test('a role is changed', () =>
    live()
      .when(change('bob', 'cem', 'editor'))
      .then(became('cem', 'editor')));
  test('to the same is nothing', () =>
    live()
      .when(change('bob', 'cem', 'viewer'))
      .thenNothing());
  test('an admin does not lower an owner', () =>
    live()
      .when(change('bob', 'ann', 'viewer'))
      .thenRejected(/takes the role owner/));
  test('nor raise themselves to one', () =>
    live()
      .when(change('bob', 'bob', 'owner'))
      .thenRejected(/takes the role owner/));
  test('the last owner is not lowered', () =>
    live()
      .when(change('ann', 'ann', 'admin'))
      .thenRejected(/last owner/));
  test('nor by an operator', () =>
    live()
      .when(change(null, 'ann', 'admin'))
      .thenRejected(/last owner/));
  test('one of two is', () =>
    given(workspaces, ...past, became('bob', 'owner'))
      .when(change('bob', 'ann', 'admin'))
      .then(became('ann', 'admin')));
  test('who is not in has no role', () =>
    live()
      .when(change('ann', 'eve', 'viewer'))
      .thenRejected(/Member not found/));
  test('an admin removes one', () => live().when(remove('bob', 'cem')).then(removed('cem')));
  test('everybody may leave', () => live().when(remove('cem', 'cem')).then(removed('cem')));
  test('but the last owner', () =>
    live()
      .when(remove('ann', 'ann'))
      .thenRejected(/last owner/));
  test('a viewer removes nobody', () =>
    live()
      .when(remove('cem', 'bob'))
      .thenRejected(/takes the role admin/));
  const strange = (uid: string) => ({
    ...add('bob', uid, 'editor').data,
    domains: ['example.com', 'Example.NET'],
  });
  test('one is added from a domain that is allowed', () =>
    live()
      .when({ type: 'AddMember', data: { ...strange('dan'), email: 'Dan@example.net' } } as GroupCommand)
      .then(member('dan', 'editor')));
  test('not from another, or without an address', () => {
    for (const email of ['dan@example.org', 'dan@sub.example.com', 'example.com@evil.org', null])
      live()
        .when({ type: 'AddMember', data: { ...strange('dan'), email } } as GroupCommand)
        .thenRejected(/addresses of this domain/);
  });
  test('who is in stays in, wherever their address lies', () =>
    live()
      .when({ type: 'AddMember', data: strange('cem') } as GroupCommand)
      .thenNothing());
  const forget = (uid: string): GroupCommand => ({ type: 'ForgetMember', data: { ...of, uid } });
  test('who is erased is removed, also the last owner, also from an archived group', () => {
    live().when(forget('ann')).then(removed('ann'));
    given(workspaces, ...past, archived)
      .when(forget('cem'))
      .then(removed('cem'));
  });
  test('once, and from a group that is there', () => {
    live().when(forget('eve')).thenNothing();
    given(workspaces)
      .when(forget('ann'))
      .thenRejected(/^Not found$/);
  });
  test('the last owner is known', () => {
    const members = (...more: [string, Role][]) =>
      new Map<string, Role>([['ann', 'owner'], ['bob', 'admin'], ...more]);
    assert.equal(
      [isLastOwner(members(), 'ann'), isLastOwner(members(), 'bob'), isLastOwner(members(), 'eve')],
      [true, false, false],
    );
    assert.is(isLastOwner(members(['cem', 'owner']), 'ann'), false);
  });
  test('who was removed may nothing more', () =>
    given(workspaces, ...past, removed('bob'))
      .when(add('bob', 'dan', 'viewer'))
      .thenRejected(/^Not found$/));
});
