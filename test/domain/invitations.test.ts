import type { GroupCommand } from '../../domain/groups/commands.js';
import { workspaces } from '../../domain/groups/decider.js';
import type { GroupFact } from '../../domain/groups/facts.js';
import { INVITATION_LASTS } from '../../domain/groups/invitations.js';
import { given } from '../spec.js';
import { suite } from '../suite.js';
import { NOW, of, member, removed, archived, past, live } from './groups-given.js';

suite('invitations to a group', test => {
  const of1 = { ...of, invitationId: 'inv_1' };
  const issued: GroupFact = {
    type: 'InvitationIssued',
    data: {
      ...of1,
      role: 'editor',
      tokenHash: 'h1',
      expiresAt: NOW + INVITATION_LASTS,
      personal: { of: 'inv_1', email: 'Dan@Example.org' },
    },
  };
  const invite = (over: object = {}): GroupCommand => ({
    type: 'Invite',
    data: {
      ...of1,
      by: 'bob',
      email: 'Dan@Example.org',
      role: 'editor',
      tokenHash: 'h1',
      domains: [],
      now: NOW,
      ...over,
    },
  });
  const answer = (over: object = {}): GroupCommand => ({
    type: 'AnswerInvitation',
    data: {
      ...of1,
      by: 'dan',
      email: 'dan@example.org',
      tokenHash: 'h1',
      domains: [],
      accept: true,
      now: NOW,
      ...over,
    },
  });
  const resend: GroupCommand = {
    type: 'ResendInvitation',
    data: { ...of1, by: 'bob', tokenHash: 'h2', domains: [], now: NOW + 5 },
  };
  const renewed: GroupFact = {
    type: 'InvitationRenewed',
    data: { ...of1, tokenHash: 'h2', expiresAt: NOW + 5 + INVITATION_LASTS },
  };
  const accepted: GroupFact = { type: 'InvitationAccepted', data: { ...of1, uid: 'dan' } };
  const open = (...more: GroupFact[]) => given(workspaces, ...past, issued, ...more);

  test('an admin invites', () => live().when(invite()).then(issued));
  test('not to be an owner', () =>
    live()
      .when(invite({ role: 'owner' }))
      .thenRejected(/takes the role owner/));
  test('one open invitation for an address, however it is written', () =>
    open()
      .when(invite({ invitationId: 'inv_2', email: 'dan@example.ORG' }))
      .thenRejected(/open invitation/));
  test('another when that has expired', () =>
    open()
      .when(invite({ invitationId: 'inv_2', tokenHash: 'h2', now: NOW + INVITATION_LASTS }))
      .then({
        type: 'InvitationIssued',
        data: {
          ...of1,
          invitationId: 'inv_2',
          role: 'editor',
          tokenHash: 'h2',
          expiresAt: NOW + 2 * INVITATION_LASTS,
          personal: { of: 'inv_2', email: 'Dan@Example.org' },
        },
      }));
  test('accepting makes a member', () => open().when(answer()).then(accepted, member('dan', 'editor')));
  test('once', () => open(accepted, member('dan', 'editor')).when(answer()).thenNothing());
  test('not for another address', () =>
    open()
      .when(answer({ email: 'eve@example.org' }))
      .thenRejected(/another address/));
  test('not with another token', () =>
    open()
      .when(answer({ tokenHash: 'h9' }))
      .thenRejected(/not found/));
  test('not after a week', () =>
    open()
      .when(answer({ now: NOW + INVITATION_LASTS }))
      .thenRejected(/no longer open/));
  test('declining', () =>
    open()
      .when(answer({ accept: false }))
      .then({ type: 'InvitationDeclined', data: of1 }));
  test('and by nobody else then, whatever their address: nobody knows any more whom it was for', () => {
    open(accepted, member('dan', 'editor'))
      .when(answer({ by: 'dan2' }))
      .thenRejected(/no longer open/);
    open(accepted, member('dan', 'editor'))
      .when(answer({ email: 'eve@example.org' }))
      .thenNothing();
    open(accepted, member('dan', 'editor'), removed('dan'))
      .when(answer())
      .thenRejected(/no longer open/);
  });
  const forgotten = { ...issued, data: { ...issued.data, personal: null } } as GroupFact;
  test('one whose address was thrown away is closed', () => {
    given(workspaces, ...past, forgotten)
      .when(answer())
      .thenRejected(/no longer open/);
    given(workspaces, ...past, forgotten)
      .when(resend)
      .thenRejected(/no longer open/);
    const another = {
      ...issued.data,
      invitationId: 'inv_2',
      personal: { of: 'inv_2', email: 'Dan@Example.org' },
    };
    given(workspaces, ...past, forgotten)
      .when(invite({ invitationId: 'inv_2' }))
      .then({ ...issued, data: another } as GroupFact);
  });
  test('to an address of a domain that is allowed', () => {
    live()
      .when(invite({ domains: ['EXAMPLE.org'] }))
      .then(issued);
    live()
      .when(invite({ domains: ['example.com'] }))
      .thenRejected(/addresses of this domain/);
    open().when(resend).then(renewed);
    open()
      .when({ ...resend, data: { ...resend.data, domains: ['example.com'] } } as GroupCommand)
      .thenRejected(/addresses of this domain/);
  });
  test('accepted from it, too, if it is allowed no more; declined by anybody, also by members', () => {
    open()
      .when(answer({ domains: ['example.com'] }))
      .thenRejected(/addresses of this domain/);
    open()
      .when(answer({ domains: ['example.com'], accept: false }))
      .then({ type: 'InvitationDeclined', data: of1 });
    open(member('dan', 'viewer'))
      .when(answer({ domains: ['example.com'] }))
      .then(accepted);
  });
  test('of somebody who is erased is revoked, also in an archived group', () => {
    const forget: GroupCommand = { type: 'ForgetInvitation', data: of1 };
    open().when(forget).then({ type: 'InvitationRevoked', data: of1 });
    given(workspaces, ...past, issued, archived)
      .when(forget)
      .then({ type: 'InvitationRevoked', data: of1 });
    open(accepted).when(forget).thenNothing();
  });
  test('not after it was revoked', () =>
    open({ type: 'InvitationRevoked', data: of1 })
      .when(answer())
      .thenRejected(/no longer open/));
  test('who is a member already keeps their role', () =>
    open(member('dan', 'viewer')).when(answer()).then(accepted));
  test('resending gives a new token', () => open().when(resend).then(renewed));
  test('the old one is dead', () =>
    open(renewed)
      .when(answer())
      .thenRejected(/not found/));
  test('of one that had expired, when no other is open for the address', () => {
    const late = { ...resend, data: { ...resend.data, now: NOW + INVITATION_LASTS } } as GroupCommand;
    const other = {
      ...issued,
      data: { ...issued.data, invitationId: 'inv_2', tokenHash: 'h3', expiresAt: NOW + 2 * INVITATION_LASTS },
    } as GroupFact;
    open(other)
      .when(late)
      .thenRejected(/open invitation/);
    open()
      .when(late)
      .then({
        type: 'InvitationRenewed',
        data: { ...of1, tokenHash: 'h2', expiresAt: NOW + 2 * INVITATION_LASTS },
      });
  });
  test("an owner's takes an owner", () => {
    const owners = { ...issued, data: { ...issued.data, role: 'owner' } } as GroupFact;
    given(workspaces, ...past, owners)
      .when(resend)
      .thenRejected(/takes the role owner/);
    given(workspaces, ...past, owners)
      .when({ ...resend, data: { ...resend.data, by: 'ann' } } as GroupCommand)
      .then(renewed);
  });
  test('not when it was answered', () =>
    open(accepted)
      .when(resend)
      .thenRejected(/no longer open/));
  const revoke: GroupCommand = { type: 'RevokeInvitation', data: { ...of1, by: 'bob' } };
  test('revoking', () => open().when(revoke).then({ type: 'InvitationRevoked', data: of1 }));
  test('what is closed is nothing', () => open(accepted).when(revoke).thenNothing());
  test('what is not there is not found', () =>
    live()
      .when(revoke)
      .thenRejected(/not found/));
});
