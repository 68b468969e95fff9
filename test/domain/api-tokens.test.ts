import type { ApiTokenCommand } from '../../domain/tokens/commands.js';
import { apiTokens } from '../../domain/tokens/decider.js';
import { given } from '../spec.js';
import { suite } from '../suite.js';
import {
  NOW,
  uid,
  issued,
  issue,
  change,
  changed,
  revoke,
  revoked,
  replace,
  replaced,
  leaving,
  replacedAtOnce,
  within,
  admitted,
  withdrawn,
} from './api-token-cases.js';

suite('api tokens: issuing', test => {
  test('is issued, its lists in order and without doubles', () =>
    given(apiTokens)
      .when(issue({ scopes: ['goals.read', 'data.read', 'goals.read'], workspaceIds: ['b', 'a', 'b'] }))
      .then(issued({ workspaceIds: ['a', 'b'] }), admitted('a'), admitted('b')));
  test('once', () => given(apiTokens, issued()).when(issue()).thenNothing());
  test('with scopes that there are', () =>
    given(apiTokens)
      .when(issue({ scopes: ['all'] }))
      .thenRejected(/^Unknown scope all$/));
  test('within what its maker may', () =>
    given(apiTokens)
      .when(issue(within(['data.read', 'goals.read', 'data.write'])))
      .then(issued()));
  test('not beyond it', () =>
    given(apiTokens)
      .when(issue(within(['data.read'])))
      .thenRejected(/lacks goals.read/));
  test("within its maker's workspaces", () => {
    const maker = within(['data.read', 'goals.read'], ['a', 'b']);
    given(apiTokens)
      .when(issue({ ...maker, workspaceIds: ['a'] }))
      .then(issued({ workspaceIds: ['a'] }), admitted('a'));
    given(apiTokens)
      .when(issue({ ...maker, workspaceIds: ['a', 'c'] }))
      .thenRejected(/other workspaces/);
    given(apiTokens)
      .when(issue({ ...maker, workspaceIds: null }))
      .thenRejected(/other workspaces/);
  });
  test("not beyond its maker's end", () => {
    const maker = within(['data.read', 'goals.read'], null, NOW);
    given(apiTokens)
      .when(issue({ ...maker, expiresAt: NOW }))
      .then(issued({ expiresAt: NOW }));
    for (const expiresAt of [NOW + 1, null])
      given(apiTokens)
        .when(issue({ ...maker, expiresAt }))
        .thenRejected(/^This token ends sooner itself$/);
    given(apiTokens)
      .when(issue({ ...within(['data.read', 'goals.read']), expiresAt: NOW }))
      .then(issued({ expiresAt: NOW }));
  });
  test('not for longer than an organization allows', () => {
    const lifetime = { days: 30, until: NOW };
    given(apiTokens)
      .when(issue({ lifetime, expiresAt: NOW }))
      .then(issued({ expiresAt: NOW }));
    for (const expiresAt of [NOW + 1, null])
      given(apiTokens)
        .when(issue({ lifetime, expiresAt }))
        .thenRejected(/for 30 days at most/);
    given(apiTokens)
      .when(issue({ lifetime: null }))
      .then(issued());
  });
  test('those of services by an operator alone', () => {
    given(apiTokens)
      .when(issue({ internal: true }))
      .then(issued({ internal: true }));
    given(apiTokens)
      .when(issue({ internal: true, ...within(['data.read', 'goals.read']) }))
      .thenRejected(/by an operator/);
  });
});

suite('api tokens: changing', test => {
  test('name, scopes and workspaces', () =>
    given(apiTokens, issued())
      .when(change({ name: 'm', scopes: ['data.read'], workspaceIds: ['b', 'a'] }))
      .then(
        changed({ name: 'm', scopes: ['data.read'], workspaceIds: ['a', 'b'] }),
        admitted('a', ['data.read']),
        admitted('b', ['data.read']),
      ));
  test('to what they are', () =>
    given(apiTokens, issued())
      .when(change({ name: 'n', scopes: ['goals.read', 'data.read'], workspaceIds: null }))
      .thenNothing());
  test('only what differs', () =>
    given(apiTokens, issued())
      .when(change({ name: 'n', workspaceIds: ['a'] }))
      .then(changed({ workspaceIds: ['a'] }), admitted('a')));
  test('nothing', () => given(apiTokens, issued()).when(change({})).thenNothing());
  test('and ending it, only as who asks has seen it', () => {
    const once = given(apiTokens, issued(), changed({ name: 'm' }));
    once.when(change({ name: 'x' }, { seen: 1 })).thenRejected(/The token is at version 2/);
    once.when(change({ name: 'x' }, { seen: 2 })).then(changed({ name: 'x' }));
    const { type, data: of } = revoke();
    once.when({ type, data: { ...of, seen: 1 } } as ApiTokenCommand).thenRejected(/at version 2/);
  });
  test('to an unknown scope', () =>
    given(apiTokens, issued())
      .when(change({ scopes: ['all'] }))
      .thenRejected(/^Unknown scope all$/));
  test('to more than who asks may', () => {
    given(apiTokens, issued())
      .when(change({ scopes: ['data.read', 'data.write'] }, within(['data.read'])))
      .thenRejected(/lacks data.write/);
    given(apiTokens, issued({ workspaceIds: ['a'] }))
      .when(change({ workspaceIds: null }, within(['data.read', 'goals.read'], ['a'])))
      .thenRejected(/other workspaces/);
  });
  test('to more scopes in workspaces that who asks is not in', () =>
    given(apiTokens, issued())
      .when(change({ scopes: ['data.write'] }, within(['data.write'], ['a'])))
      .thenRejected(/other workspaces/));
  test('to more workspaces with scopes that who asks lacks', () =>
    given(apiTokens, issued({ workspaceIds: ['a'] }))
      .when(change({ workspaceIds: ['a', 'b'] }, within(['data.read'])))
      .thenRejected(/lacks goals.read/));
  test('not where it would outlive who asks, but its name', () => {
    const soon = within(['data.read', 'goals.read'], null, NOW + 5);
    given(apiTokens, issued())
      .when(change({ scopes: ['data.read'] }, soon))
      .thenRejected(/ends sooner/);
    given(apiTokens, issued({ expiresAt: NOW + 5 }))
      .when(change({ scopes: ['data.read'] }, soon))
      .then(changed({ scopes: ['data.read'] }));
    given(apiTokens, issued())
      .when(change({ name: 'm' }, soon))
      .then(changed({ name: 'm' }));
  });
  const limited = [issued({ workspaceIds: ['a', 'b'] }), admitted('a'), admitted('b')];
  test('workspaces hear who comes and goes', () => {
    given(apiTokens, ...limited)
      .when(change({ workspaceIds: ['b', 'c'] }))
      .then(changed({ workspaceIds: ['b', 'c'] }), withdrawn('a'), admitted('c'));
    given(apiTokens, ...limited)
      .when(change({ name: 'm' }))
      .then(changed({ name: 'm' }));
  });
  test('and what it may do there now', () =>
    given(apiTokens, ...limited)
      .when(change({ scopes: ['data.read'] }))
      .then(changed({ scopes: ['data.read'] }), admitted('a', ['data.read']), admitted('b', ['data.read'])));
  test('one that is limited no longer goes on where it was, until it ends', () => {
    given(apiTokens, ...limited)
      .when(change({ workspaceIds: null }))
      .then(changed({ workspaceIds: null }));
    given(apiTokens, ...limited, changed({ workspaceIds: null }))
      .when(revoke())
      .then(revoked, withdrawn('a'), withdrawn('b'));
  });
  test('the name alone gives nothing', () =>
    given(apiTokens, issued())
      .when(change({ name: 'm' }, within([])))
      .then(changed({ name: 'm' })));
  test("another's, or none, is not found", () => {
    given(apiTokens, issued())
      .when(change({ name: 'm' }, { uid: 'v' }))
      .thenRejected(/^Token not found$/);
    given(apiTokens)
      .when(change({ name: 'm' }))
      .thenRejected(/^Token not found$/);
  });
  test('a revoked, replaced or expired one is refused', () => {
    given(apiTokens, issued(), revoked)
      .when(change({ name: 'm' }))
      .thenRejected(/is revoked/);
    given(apiTokens, issued(), replacedAtOnce)
      .when(change({ name: 'm' }))
      .thenRejected(/is revoked/);
    given(apiTokens, issued(), leaving)
      .when(change({ name: 'm' }))
      .thenRejected(/is replaced by t2, and works until/);
    given(apiTokens, issued(), replaced)
      .when(change({ name: 'm' }))
      .thenRejected(/has expired/);
    given(apiTokens, issued({ expiresAt: NOW }))
      .when(change({ name: 'm' }))
      .thenRejected(/has expired/);
    given(apiTokens, issued({ expiresAt: NOW + 1 }))
      .when(change({ name: 'm' }))
      .then(changed({ name: 'm' }));
  });
});

suite('api tokens: revoking and replacing', test => {
  test('is revoked, by its owner or an operator', () => {
    given(apiTokens, issued()).when(revoke()).then(revoked);
    given(apiTokens, issued()).when(revoke(null)).then(revoked);
  });
  test('which its workspaces hear', () => {
    const limited = [issued({ workspaceIds: ['a', 'b'] }), admitted('a'), admitted('b')];
    given(apiTokens, ...limited)
      .when(revoke())
      .then(revoked, withdrawn('a'), withdrawn('b'));
    given(apiTokens, ...limited, withdrawn('a'))
      .when(revoke())
      .then(revoked, withdrawn('b'));
    given(apiTokens, ...limited)
      .when(replace({ until: NOW + 5 }))
      .then(leaving, withdrawn('a', NOW + 5), withdrawn('b', NOW + 5));
  });
  test('also in the time that one in its place leaves it', () =>
    given(apiTokens, issued({ workspaceIds: ['a'] }), admitted('a'), leaving, withdrawn('a', NOW + 5))
      .when(revoke())
      .then(revoked, withdrawn('a')));
  test('once', () => given(apiTokens, issued(), revoked).when(revoke()).thenNothing());
  test('not where it ended by itself, unless the time is not looked at', () => {
    const expired = issued({ expiresAt: NOW });
    given(apiTokens, expired).when(revoke()).thenNothing();
    given(apiTokens, issued(), replaced).when(revoke()).thenNothing();
    given(apiTokens, issued(), replacedAtOnce).when(revoke()).thenNothing();
    given(apiTokens, expired).when(revoke(uid, {})).then(revoked);
  });
  test("another's, or none, is not found", () => {
    given(apiTokens, issued())
      .when(revoke('v'))
      .thenRejected(/^Token not found$/);
    given(apiTokens)
      .when(revoke())
      .thenRejected(/^Token not found$/);
  });
  test('is replaced', () => given(apiTokens, issued()).when(replace()).then(replaced));
  test('once, and not after it was revoked', () => {
    given(apiTokens, issued(), leaving)
      .when(replace({ by: 't3' }))
      .thenRejected(/is replaced by t2/);
    given(apiTokens, issued(), revoked)
      .when(replace())
      .thenRejected(/is revoked/);
  });
  test('not when it has expired', () =>
    given(apiTokens, issued({ expiresAt: NOW }))
      .when(replace())
      .thenRejected(/has expired/));
  test('not by a token that may less', () => {
    given(apiTokens, issued())
      .when(replace(within(['data.read'])))
      .thenRejected(/lacks goals.read/);
    given(apiTokens, issued())
      .when(replace(within(['data.read', 'goals.read'], null, NOW + 5)))
      .thenRejected(/ends sooner/);
    given(apiTokens, issued({ internal: true }))
      .when(replace(within(['data.read', 'goals.read'])))
      .thenRejected(/by an operator/);
  });
  test('one that still works for a while can be ended at once', () =>
    given(apiTokens, issued(), leaving).when(revoke()).then(revoked));
});
