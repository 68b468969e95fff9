import * as assert from 'uvu/assert';
import { fold } from '../../domain/decider.js';
import { MINUTE } from '../../domain/time.js';
import { ATTEMPTS, attemptsOf } from '../../domain/users/attempts.js';
import type { UserCommand } from '../../domain/users/commands.js';
import { MAX_FLAGS, users } from '../../domain/users/decider.js';
import type { FlagValue, UserFact, UserRegistered } from '../../domain/users/facts.js';
import { given, stored } from '../spec.js';
import { suite } from '../suite.js';

const uid = 'u';
const NOW = 1_000 * MINUTE;
const registered: UserRegistered = {
  type: 'UserRegistered',
  data: { uid, homeCell: 'c', personal: { of: uid, email: 'a@example.org', name: 'A' } },
};
const erased: UserFact = { type: 'UserErased', data: { uid } };
const flagSet = (flag: string, value: FlagValue | null): UserFact => ({
  type: 'UiFlagSet',
  data: { uid, flag, value },
});
const setFlag = (flag: string, value: FlagValue | null): UserCommand => ({
  type: 'SetUiFlag',
  data: { uid, flag, value },
});
const profile = (changes: object): UserCommand => ({ type: 'UpdateProfile', data: { uid, ...changes } });
const enrol: UserCommand = { type: 'EnrolTotp', data: { uid, secret: 'S' } };
const enrolled: UserFact = { type: 'TotpEnrolled', data: { uid, personal: { of: uid, secret: 'S' } } };
const confirm = (step: number | null): UserCommand => ({
  type: 'ConfirmTotp',
  data: { uid, step, hashes: ['r1', 'r2'] },
});
const confirmed: UserFact = { type: 'TotpConfirmed', data: { uid, step: 10 } };
const codes = (...hashes: string[]): UserFact => ({ type: 'RecoveryCodesIssued', data: { uid, hashes } });
const enabled: UserFact[] = [registered, enrolled, confirmed, codes('r1', 'r2')];
const disable: UserCommand = { type: 'DisableTotp', data: { uid } };
const disabled: UserFact = { type: 'TotpDisabled', data: { uid } };
const renew: UserCommand = { type: 'RenewRecoveryCodes', data: { uid, hashes: ['n1'] } };
const verify = (step: number | null, hash = 'x', now = NOW): UserCommand => ({
  type: 'VerifySecondFactor',
  data: { uid, step, hash, now },
});
const verified = (step: number | null, hash: string | null): UserFact => ({
  type: 'SecondFactorVerified',
  data: { uid, step, hash },
});
const failed: UserFact = { type: 'SecondFactorFailed', data: { uid } };
const wrongAt = (...times: number[]) => times.map(at => ({ ...failed, at }));
const abandon: UserCommand = { type: 'AbandonUser', data: { uid } };
const erase: UserCommand = { type: 'EraseUser', data: { uid } };

suite('users: being there', test => {
  test('a new one is registered', () =>
    given(users).when({ type: 'RegisterUser', data: registered.data }).then(registered));
  test('once', () =>
    given(users, registered).when({ type: 'RegisterUser', data: registered.data }).thenNothing());
  test('an erased one is not registered again', () =>
    given(users, registered, erased).when({ type: 'RegisterUser', data: registered.data }).thenNothing());
  test('is erased', () => given(users, registered).when(erase).then(erased));
  test('once erased, always', () => given(users, registered, erased).when(erase).thenNothing());
  test('who never was cannot be erased', () =>
    given(users)
      .when(erase)
      .thenRejected(/^User not found$/));
  test('a registration that never came is closed for good', () => {
    given(users).when(abandon).then(erased);
    given(users, erased).when(abandon).thenNothing();
    given(users, erased).when({ type: 'RegisterUser', data: registered.data }).thenNothing();
  });
  test('not that of who is there', () => given(users, registered).when(abandon).thenNothing());
  test('the address is known as long as its key is', () => {
    const emailOf = (...facts: UserFact[]) => fold(users, users.initialState, stored(...facts)).email;
    assert.equal([emailOf(registered), emailOf(registered, erased)], ['a@example.org', 'a@example.org']);
    assert.is(emailOf({ ...registered, data: { ...registered.data, personal: null } }, erased), null);
  });
  for (const command of [
    profile({ locale: 'de' }),
    setFlag('a', 1),
    enrol,
    confirm(1),
    disable,
    renew,
    verify(1),
  ])
    test(`${command.type} of nobody, and of an erased one, is refused`, () => {
      given(users)
        .when(command)
        .thenRejected(/^User not found$/);
      given(users, ...enabled, erased)
        .when(command)
        .thenRejected(/^User not found$/);
    });
});

suite('users: profile and flags', test => {
  test('what is given is changed', () =>
    given(users, registered)
      .when(profile({ timezone: 'Europe/Rome', personal: { of: uid, name: 'B' } }))
      .then({
        type: 'ProfileUpdated',
        data: { uid, timezone: 'Europe/Rome', personal: { of: uid, name: 'B' } },
      }));
  test('nothing given, nothing changed', () => given(users, registered).when(profile({})).thenNothing());
  test('a flag is set', () => given(users, registered).when(setFlag('a', true)).then(flagSet('a', true)));
  test('to what it is', () =>
    given(users, registered, flagSet('a', true)).when(setFlag('a', true)).thenNothing());
  test('to another value', () =>
    given(users, registered, flagSet('a', 1)).when(setFlag('a', '1')).then(flagSet('a', '1')));
  test('null takes it away', () =>
    given(users, registered, flagSet('a', 1)).when(setFlag('a', null)).then(flagSet('a', null)));
  test('which is not there', () => given(users, registered).when(setFlag('a', null)).thenNothing());
  test('names of members that every object has are flags like others', () => {
    for (const flag of ['__proto__', 'constructor', 'toString']) {
      given(users, registered).when(setFlag(flag, 1)).then(flagSet(flag, 1));
      given(users, registered, flagSet(flag, 1)).when(setFlag(flag, 1)).thenNothing();
      given(users, registered, flagSet(flag, 1)).when(setFlag(flag, null)).then(flagSet(flag, null));
    }
  });
  const many = Array.from({ length: MAX_FLAGS }, (_, i) => flagSet(`f${i}`, i));
  test('there is an end to them', () =>
    given(users, registered, ...many)
      .when(setFlag('more', 1))
      .thenRejected(/^flag .*at most 200/));
  test('one of many can be changed and taken away', () => {
    given(users, registered, ...many)
      .when(setFlag('f7', 'x'))
      .then(flagSet('f7', 'x'));
    given(users, registered, ...many, flagSet('f7', null))
      .when(setFlag('more', 1))
      .then(flagSet('more', 1));
  });
});

suite('users: enrolling a second factor', test => {
  test('waits for a code', () => given(users, registered).when(enrol).then(enrolled));
  test('may begin anew until it is confirmed', () =>
    given(users, registered, enrolled).when(enrol).then(enrolled));
  test('is refused while there is one', () =>
    given(users, ...enabled)
      .when(enrol)
      .thenRejected(/disable it first/));
  test('a right code confirms it', () =>
    given(users, registered, enrolled).when(confirm(10)).then(confirmed, codes('r1', 'r2')));
  test('a wrong one does not', () =>
    given(users, registered, enrolled)
      .when(confirm(null))
      .thenRejected(/^The code is not right$/));
  test('nothing to confirm', () =>
    given(users, registered)
      .when(confirm(10))
      .thenRejected(/enroll first/));
  test('nothing to confirm any more', () =>
    given(users, ...enabled)
      .when(confirm(11))
      .thenRejected(/enroll first/));
  test('is taken away', () =>
    given(users, ...enabled)
      .when(disable)
      .then(disabled));
  test('where there is none', () => given(users, registered).when(disable).thenNothing());
  test('and can be enrolled again', () =>
    given(users, ...enabled, disabled)
      .when(enrol)
      .then(enrolled));
  test('new recovery codes', () =>
    given(users, ...enabled)
      .when(renew)
      .then(codes('n1')));
  test('take a second factor', () =>
    given(users, registered, enrolled)
      .when(renew)
      .thenRejected(/no second factor/));
});

suite('users: verifying a second factor', test => {
  test('a later step is right', () =>
    given(users, ...enabled)
      .when(verify(11))
      .then(verified(11, null)));
  test('the step that confirmed it is spent', () =>
    given(users, ...enabled)
      .when(verify(10))
      .then(failed));
  test('so are used and earlier ones', () => {
    given(users, ...enabled, verified(12, null))
      .when(verify(12))
      .then(failed);
    given(users, ...enabled, verified(12, null))
      .when(verify(11))
      .then(failed);
  });
  test('a recovery code is right once', () => {
    given(users, ...enabled)
      .when(verify(null, 'r2'))
      .then(verified(null, 'r2'));
    given(users, ...enabled, verified(null, 'r2'))
      .when(verify(null, 'r2'))
      .then(failed);
  });
  test('old recovery codes are worth nothing after new ones', () =>
    given(users, ...enabled, codes('n1'))
      .when(verify(null, 'r1'))
      .then(failed));
  test('anything else is wrong', () =>
    given(users, ...enabled)
      .when(verify(null))
      .then(failed));
  test('takes one that is confirmed', () => {
    given(users, registered)
      .when(verify(11))
      .thenRejected(/no second factor/);
    given(users, registered, enrolled)
      .when(verify(11))
      .thenRejected(/no second factor/);
  });

  const five = wrongAt(NOW - 4, NOW - 3, NOW - 2, NOW - 1, NOW);
  test('after five wrong ones none is looked at, right or wrong', () => {
    given(users, ...enabled, ...five.slice(1))
      .when(verify(null, 'x', NOW + 1))
      .then(failed);
    given(users, ...enabled, ...five)
      .when(verify(11, 'x', NOW + 1))
      .thenRejected(/^Too many wrong codes$/);
    given(users, ...enabled, ...five)
      .when(verify(11, 'x', NOW + ATTEMPTS.within - 1))
      .thenRejected(/^Too many wrong codes$/);
  });
  test('for 15 minutes from the last, then five are possible again', () => {
    given(users, ...enabled, ...five)
      .when(verify(11, 'x', NOW + ATTEMPTS.within))
      .then(verified(11, null));
    const state = fold(users, users.initialState, stored(...enabled, ...five));
    assert.equal(attemptsOf(state, NOW + ATTEMPTS.within), { left: 5, wholeAt: null });
  });
  test('also when the first of them has grown old meanwhile', () => {
    const slow = wrongAt(NOW - 14 * MINUTE, NOW - 3, NOW - 2, NOW - 1, NOW);
    given(users, ...enabled, ...slow)
      .when(verify(11, 'x', NOW + 5 * MINUTE))
      .thenRejected(/^Too many wrong codes$/);
  });
  test('wrong ones that lie further apart leave some', () => {
    const slow = wrongAt(NOW - 20 * MINUTE, NOW - 3, NOW - 2, NOW - 1, NOW);
    const state = fold(users, users.initialState, stored(...enabled, ...slow));
    assert.equal(attemptsOf(state, NOW), { left: 1, wholeAt: NOW + ATTEMPTS.within });
  });
  test('a right one forgives the wrong ones', () =>
    given(users, ...enabled, ...five.slice(1), verified(11, null), ...wrongAt(NOW + 1))
      .when(verify(12, 'x', NOW + 2))
      .then(verified(12, null)));
});
