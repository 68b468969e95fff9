import * as assert from 'uvu/assert';
import { inDomains, plainEmail, sameEmail } from '../../domain/users/email.js';
import { emails, type ClaimEmail, type EmailClaimed } from '../../domain/users/emails.js';
import { given } from '../spec.js';
import { suite } from '../suite.js';

const hash = 'h';
const claim = (uid: string, instead: string | null = null): ClaimEmail => ({
  type: 'ClaimEmail',
  data: { hash, uid, instead },
});
const claimed = (uid: string): EmailClaimed => ({ type: 'EmailClaimed', data: { hash, uid } });

suite('whose an address is', test => {
  test('whoever claims it first', () => given(emails).when(claim('ann')).then(claimed('ann')));
  test('once', () => given(emails, claimed('ann')).when(claim('ann')).thenNothing());
  test("nobody else's", () =>
    given(emails, claimed('ann'))
      .when(claim('bob'))
      .thenRejected(/There is a user with this email address/));
  test("another's in place of one who is gone", () =>
    given(emails, claimed('ann')).when(claim('bob', 'ann')).then(claimed('bob')));
  test('not when somebody else was faster', () =>
    given(emails, claimed('ann'), claimed('cem'))
      .when(claim('bob', 'ann'))
      .thenRejected(/There is a user/));
});

suite('addresses', test => {
  test('are the same whatever the case of their letters', () => {
    assert.is(plainEmail(' Ann@Example.ORG '), 'ann@example.org');
    assert.ok(sameEmail('Zoe\u0308@x.org', 'zo\u00eb@X.org'));
    assert.not.ok(sameEmail('ann@x.org', 'ann@y.org'));
  });
  test('lie in the domain behind their last @, exactly', () => {
    const domains = ['Example.org', 'x.net'];
    for (const email of ['ann@example.org', 'ANN@EXAMPLE.ORG', '"a@b"@x.net'])
      assert.ok(inDomains(email, domains), email);
    for (const email of [
      'ann@sub.example.org',
      'ann@notexample.org',
      'ann@example.org.evil',
      'example.org',
      null,
    ])
      assert.not.ok(inDomains(email, domains), String(email));
  });
  test('in any where none is named', () => assert.ok(inDomains('ann@anywhere', []) && inDomains(null, [])));
});
