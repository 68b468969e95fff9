import type { ChannelCommand } from '../../domain/notifications/channels/commands.js';
import { channels, CODE_LASTS, CODES } from '../../domain/notifications/channels/decider.js';
import type { ChannelFact, ChannelType } from '../../domain/notifications/channels/facts.js';
import {
  channelStep,
  FAILING_LASTS,
  FAILURES,
  type Doing,
} from '../../domain/notifications/channels/keeping.js';
import * as assert from 'uvu/assert';
import { given } from '../spec.js';
import { suite } from '../suite.js';

const uid = 'u';
const channelId = 'c';
const id = { uid, channelId };
const target = 'a@example.org';
const NOW = 1_000_000_000;
const added = (channelType: ChannelType = 'email'): ChannelFact => ({
  type: 'ChannelAdded',
  data: { ...id, channelType, personal: { of: uid, name: 'n', target, secret: null } },
});
const decided = (at = NOW, code = '123456'): ChannelFact => ({
  type: 'ChannelCodeIssued',
  data: { ...id, expiresAt: at + CODE_LASTS, personal: { of: uid, code } },
});
const issued = (at = NOW, code?: string) => ({ ...decided(at, code), at });
type Bare =
  | 'ChannelVerified'
  | 'ChannelCodeRefused'
  | 'ChannelFailing'
  | 'ChannelRecovered'
  | 'ChannelEnabled';
const bare = (type: Bare): ChannelFact => ({ type, data: id });
const verified = bare('ChannelVerified');
const refused = bare('ChannelCodeRefused');
const disabled = (reason: 'gone' | 'failing' | 'owner' = 'owner'): ChannelFact => ({
  type: 'ChannelDisabled',
  data: { ...id, reason },
});
const removed: ChannelFact = { type: 'ChannelRemoved', data: id };
const retargeted: ChannelFact = {
  type: 'ChannelRetargeted',
  data: { ...id, personal: { of: uid, target: 'b@example.org' } },
};
const issue = (now = NOW, to = target): ChannelCommand => ({
  type: 'IssueChannelCode',
  data: { ...id, code: '123456', target: to, now },
});
const confirm = (code = '123456', now = NOW): ChannelCommand => ({
  type: 'ConfirmChannelCode',
  data: { ...id, code, now },
});
const change = (changes: object): ChannelCommand => ({ type: 'ChangeChannel', data: { ...id, ...changes } });
const echo = (of = target): ChannelCommand => ({ type: 'ConfirmChallenge', data: { ...id, target: of } });
const fail: ChannelCommand = { type: 'MarkChannelFailing', data: id };
const recover: ChannelCommand = { type: 'MarkChannelRecovered', data: id };
const disable: ChannelCommand = { type: 'DisableChannel', data: { ...id, reason: 'failing' } };

suite('channels: verifying', test => {
  test('a code is sent, and the right one makes it active', () => {
    given(channels, added()).when(issue()).then(decided());
    given(channels, added(), issued()).when(confirm()).then(verified);
    given(channels, added(), issued(), verified).when(confirm('000000')).thenNothing();
  });

  test('a wrong code leaves a trace, and after too many the right one is worth nothing', () => {
    given(channels, added(), issued()).when(confirm('000000')).then(refused);
    const wrong = Array.from({ length: CODES.wrong }, () => refused);
    given(channels, added(), issued(), ...wrong)
      .when(confirm())
      .thenRejected(/not the one/);
    given(channels, added(), issued(), ...wrong.slice(1))
      .when(confirm())
      .then(verified);
  });

  test('a code ends with its time, with a newer one, and with another target', () => {
    given(channels, added(), issued())
      .when(confirm('123456', NOW + CODE_LASTS))
      .thenRejected(/expired/);
    given(channels, added(), issued(NOW, '111111'), issued()).when(confirm('111111')).then(refused);
    given(channels, added(), issued(), retargeted)
      .when(confirm())
      .thenRejected(/not the one/);
    given(channels, added())
      .when(confirm())
      .thenRejected(/not the one/);
  });

  test('no code is sent to what was the target a moment ago', () => {
    given(channels, added(), retargeted)
      .when(issue())
      .thenRejected(/changed meanwhile/);
    given(channels, added(), retargeted).when(issue(NOW, 'b@example.org')).then(decided());
  });

  test('only so many codes are sent in an hour', () => {
    const many = Array.from({ length: CODES.most }, (_, i) => issued(NOW + i));
    given(channels, added(), ...many)
      .when(issue(NOW + CODES.within - 1))
      .thenRejected(/Too many codes/);
    given(channels, added(), ...many)
      .when(issue(NOW + CODES.within))
      .then(decided(NOW + CODES.within));
  });

  test('a webhook is verified by its echo, unless it is another target by now', () => {
    given(channels, added('webhook')).when(echo()).then(verified);
    given(channels, added('webhook'), retargeted)
      .when(echo())
      .thenRejected(/changed meanwhile/);
    given(channels, added('webhook'), verified).when(echo()).thenNothing();
  });

  test('what is active or disabled is not verified', () => {
    given(channels, added(), verified)
      .when(issue())
      .thenRejected(/nothing to verify/);
    given(channels, added(), disabled())
      .when(issue())
      .thenRejected(/enable it first/);
    given(channels, added(), disabled())
      .when(echo())
      .thenRejected(/enable it first/);
  });
});

suite('channels: their states', test => {
  test('active, failing, active again, disabled, enabled: to be verified', () => {
    given(channels, added(), verified).when(fail).then(bare('ChannelFailing'));
    given(channels, added(), verified, bare('ChannelFailing')).when(recover).then(bare('ChannelRecovered'));
    given(channels, added(), verified, bare('ChannelFailing')).when(disable).then(disabled('failing'));
    given(channels, added(), verified, disabled())
      .when(change({ enabled: true }))
      .then(bare('ChannelEnabled'));
    given(channels, added(), verified, disabled(), bare('ChannelEnabled')).when(echo()).then(verified);
  });

  test('what has happened already, or may not from there, happens not', () => {
    given(channels, added()).when(fail).thenNothing();
    given(channels, added(), verified).when(recover).thenNothing();
    given(channels, added()).when(disable).thenNothing();
    given(channels, added(), disabled()).when(disable).thenNothing();
    given(channels, added())
      .when(change({ enabled: true, name: 'n', target }))
      .thenNothing();
  });

  test('another target is to be verified, another name is not', () => {
    given(channels, added(), verified)
      .when(change({ name: 'm', target: 'b@example.org' }))
      .then({ type: 'ChannelRenamed', data: { ...id, personal: { of: uid, name: 'm' } } }, retargeted);
    given(channels, added(), verified, retargeted).when(fail).thenNothing();
    given(channels, added(), verified, disabled(), retargeted)
      .when(issue())
      .thenRejected(/enable it first/);
  });

  test('is changed and removed only as its owner has seen it, whatever happened by itself', () => {
    const past = given(channels, added(), issued(), verified, bare('ChannelFailing'), disabled('failing'));
    past.when(change({ enabled: true, seen: 2 })).thenRejected(/The channel is at version 1/);
    past.when(change({ enabled: true, seen: 1 })).then(bare('ChannelEnabled'));
    const again = given(channels, added(), retargeted, disabled());
    again.when({ type: 'RemoveChannel', data: { ...id, seen: 2 } }).thenRejected(/at version 3/);
    again.when({ type: 'RemoveChannel', data: { ...id, seen: 3 } }).then(removed);
  });
  test('its owner disables it, and removes it for good', () => {
    given(channels, added())
      .when(change({ enabled: false }))
      .then(disabled());
    given(channels, added()).when({ type: 'RemoveChannel', data: id }).then(removed);
    given(channels, added(), removed)
      .when(issue())
      .thenRejected(/not found/);
    given(channels)
      .when(fail)
      .thenRejected(/not found/);
  });

  test('once its key was thrown away, nothing of it is known', () => {
    const erased: ChannelFact = {
      type: 'ChannelAdded',
      data: { ...id, channelType: 'webhook', personal: null },
    };
    given(channels, erased)
      .when(echo())
      .thenRejected(/changed meanwhile/);
    given(channels, erased, {
      type: 'ChannelCodeIssued',
      data: { ...id, expiresAt: NOW + 1, personal: null },
    })
      .when(confirm())
      .thenRejected(/not the one/);
  });
});

suite('channels: what becomes of them', test => {
  const doing = (over: Partial<Doing>): Doing => ({
    ...{ uid, channelId, status: 'active', since: NOW, failures: 0, isGone: false },
    ...over,
  });
  const step = (over: Partial<Doing>, now = NOW) => channelStep(doing(over), now)?.type ?? null;

  test('so many failures in a row, and not one less, make it failing', () => {
    assert.is(step({ failures: FAILURES - 1 }), null);
    assert.is(step({ failures: FAILURES }), 'MarkChannelFailing');
  });
  test('one that works makes it active again', () => {
    assert.is(step({ status: 'failing', failures: 1 }), null);
    assert.is(step({ status: 'failing', failures: 0 }), 'MarkChannelRecovered');
  });
  test('after 72 hours of it, and not a moment sooner, it is disabled', () => {
    const failing = { status: 'failing', failures: FAILURES } as const;
    assert.is(step(failing, NOW + FAILING_LASTS - 1), null);
    assert.equal(channelStep(doing(failing), NOW + FAILING_LASTS), {
      type: 'DisableChannel',
      data: { ...id, reason: 'failing' },
    });
  });
  test('one that is gone is disabled at once, and nothing becomes of others', () => {
    assert.is(step({ isGone: true }), 'DisableChannel');
    assert.is(step({ status: 'failing', isGone: true }), 'DisableChannel');
    assert.is(step({ status: 'disabled', isGone: true, failures: 99 }), null);
    assert.is(step({ status: 'pending_verification', failures: 99 }, NOW + FAILING_LASTS), null);
  });
});
