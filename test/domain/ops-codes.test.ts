import {
  OPS_CODE_LASTS,
  opsCodes,
  type ExchangeOpsCode,
  type IssueOpsCode,
  type OpsCodeFact,
} from '../../domain/users/ops-codes.js';
import { given } from '../spec.js';
import { suite } from '../suite.js';

const NOW = 1_000;
const hash = 'h';
const uid = 'u';
const redirectUri = 'https://ops.example.org/';
const issue: IssueOpsCode = { type: 'IssueOpsCode', data: { hash, uid, redirectUri, now: NOW } };
const issued: OpsCodeFact = {
  type: 'OpsCodeIssued',
  data: { hash, uid, redirectUri, expiresAt: NOW + OPS_CODE_LASTS },
};
const exchange = (now = NOW, uri = redirectUri): ExchangeOpsCode => ({
  type: 'ExchangeOpsCode',
  data: { hash, redirectUri: uri, now },
});
const exchanged: OpsCodeFact = { type: 'OpsCodeExchanged', data: { hash } };
const replayed: OpsCodeFact = { type: 'OpsCodeReplayed', data: { hash } };

suite('sign-in codes', test => {
  test('is issued for a minute', () => given(opsCodes).when(issue).then(issued));
  test('once', () => given(opsCodes, issued).when(issue).thenNothing());
  test('is exchanged', () =>
    given(opsCodes, issued)
      .when(exchange(NOW + OPS_CODE_LASTS - 1))
      .then(exchanged));
  test('a second time leaves a trace alone', () => {
    given(opsCodes, issued, exchanged).when(exchange()).then(replayed);
    given(opsCodes, issued, exchanged, replayed)
      .when(exchange(NOW + 2 * OPS_CODE_LASTS, 'https://elsewhere.example'))
      .then(replayed);
  });
  test('not when it never was, is too old, or for another address', () => {
    given(opsCodes)
      .when(exchange())
      .thenRejected(/^The code is not valid$/);
    given(opsCodes, issued)
      .when(exchange(NOW + OPS_CODE_LASTS))
      .thenRejected(/^The code is not valid$/);
    given(opsCodes, issued)
      .when(exchange(NOW, `${redirectUri}?`))
      .thenRejected(/^The code is not valid$/);
  });
});
