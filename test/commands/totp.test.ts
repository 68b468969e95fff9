import * as assert from 'uvu/assert';
import { newRecoveryCodes, newSecret, otpauthUri, recoveryHash, stepOf } from '../../commands/totp.js';
import { suite } from '../suite.js';

/** The secret of RFC 6238, appendix B: `12345678901234567890` in base 32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const vectors: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

suite('one-time codes', test => {
  for (const [seconds, code] of vectors)
    test(`the code of RFC 6238 at ${seconds} s, and one step around it`, () => {
      const step = Math.floor(seconds / 30);
      for (const drift of [-30, 0, 30]) assert.is(stepOf(SECRET, code, (seconds + drift) * 1000), step);
      for (const drift of [-60, 60]) assert.is(stepOf(SECRET, code, (seconds + drift) * 1000), null);
    });
  test('however it is typed', () => assert.is(stepOf(SECRET, ' 287-082 ', 59_000), 1));
  test('anything else is none', () => {
    for (const code of [
      '',
      '28708',
      '2870822',
      '000000',
      'ABCDEF',
      '２８７０８２',
      '-87082',
      '287082.0',
      '0x4616A',
    ])
      assert.is(stepOf(SECRET, code, 59_000), null, code);
  });
  test('secrets have 160 bits and differ', () => {
    const secrets = new Set(Array.from({ length: 100 }, newSecret));
    assert.is(secrets.size, 100);
    for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/);
  });
  test('the address names platform and account', () => {
    const { protocol, searchParams, pathname } = new URL(otpauthUri(SECRET, 'zoë@example.org'));
    assert.is(protocol, 'otpauth:');
    assert.match(decodeURIComponent(pathname), /Presage:zoë@example\.org$/);
    assert.equal(
      [
        searchParams.get('secret'),
        searchParams.get('issuer'),
        searchParams.get('digits'),
        searchParams.get('period'),
      ],
      [SECRET, 'Presage', '6', '30'],
    );
  });
  test('ten recovery codes, known however they are typed', () => {
    const codes = newRecoveryCodes();
    assert.is(new Set(codes).size, 10);
    for (const code of codes) {
      assert.match(code, /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
      assert.is(recoveryHash(code.toLowerCase().replaceAll('-', ' ')), recoveryHash(code));
    }
  });
});
