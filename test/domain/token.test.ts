import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { cellCode, cellOfId, cellOfWorkspace, idIn, workspaceIdIn } from '../../domain/cell.js';
import { maskToken, parseToken, TOKEN_PREFIX, tokenValue } from '../../domain/tokens/value.js';
import { suite } from '../suite.js';

const random = fc.uint8Array({ minLength: 32, maxLength: 32 });
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const numberIn = (text: string): bigint =>
  [...text].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);

suite('token', test => {
  test('a value has its form, says its cell and holds all 32 bytes', () => {
    fc.assert(
      fc.property(fc.string(), random, (cell, bytes) => {
        const value = tokenValue(cell, bytes);
        assert.match(value, /^psg_live_[0-9a-z]{4}[0-9A-Za-z]{49}$/);
        assert.equal(parseToken(value), { cell: cellCode(cell) });
        assert.is(numberIn(value.slice(13, 56)), BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
      }),
    );
  });

  test('the checksum is CRC-32 over all before it', () => {
    fc.assert(
      fc.property(random, bytes => {
        const value = tokenValue('here', bytes);
        assert.is(numberIn(value.slice(-6)), BigInt(crc32(value.slice(0, -6))));
      }),
    );
  });

  test('any one character changed makes it no token', () => {
    fc.assert(
      fc.property(
        random,
        fc.integer({ min: 0, max: 61 }),
        fc.constantFrom(...digits),
        (bytes, place, digit) => {
          const value = tokenValue('here', bytes);
          const changed = value.slice(0, place) + digit + value.slice(place + 1);
          assert.is(parseToken(changed) === null, changed !== value);
        },
      ),
    );
  });

  test('what is no token is refused', () => {
    const value = tokenValue('here', new Uint8Array(32));
    for (const text of [
      '',
      'psg_live_',
      value.slice(1),
      `${value}0`,
      value.replace('live', 'test'),
      `${value.slice(0, 61)}\u0660`,
    ]) {
      assert.is(parseToken(text), null, text);
    }
    assert.throws(() => tokenValue('here', new Uint8Array(31)), /32 random bytes/);
  });

  test('a mask shows the first 12 characters and the last 4', () => {
    const value = tokenValue('here', new Uint8Array(32));
    assert.equal(maskToken(value), { prefix: value.slice(0, 12), last4: value.slice(58) });
    assert.ok(value.startsWith(TOKEN_PREFIX));
  });

  test('a workspace id says its cell', () => {
    assert.is(cellOfWorkspace(workspaceIdIn('eu-1', 'abcdefgh')), cellCode('eu-1'));
    for (const id of ['', 'wsp_', 'wsp_toys', 'org_0000abcdefgh', 'wsp_0000ABCDEFGH'])
      assert.is(cellOfWorkspace(id), null, id);
    assert.is.not(cellCode('eu-1'), cellCode('eu-2'));
  });

  test('so do ids of users and sources; those of before say none', () => {
    for (const prefix of ['usr_', 'src_'])
      assert.is(cellOfId(idIn('eu-1', prefix, '2x2qnp6iow2wrxal')), cellCode('eu-1'));
    for (const id of ['', 'usr_', 'usr_2x2qnp6iow2wrxal', 'src_2i784ss2gib1q0x9', `usr_${'Z'.repeat(20)}`])
      assert.is(cellOfId(id), null, id);
  });
});
