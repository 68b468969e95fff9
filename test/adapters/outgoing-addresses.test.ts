import * as assert from 'uvu/assert';
import { isPublic, networksOf } from '../../adapters/outgoing/addresses.js';
import { suite } from '../suite.js';

suite('addresses that may be asked', test => {
  test('those of the public internet are', () => {
    const open = ['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0'];
    const open6 = [
      '2606:4700::1111',
      '2a00:1450:4001::8a',
      '2001:200::1',
      '::ffff:8.8.8.8',
      '::ffff:808:808',
    ];
    assert.equal(
      [...open, ...open6].filter(address => !isPublic(address)),
      [],
    );
  });

  test('private, local and special ones are not, in any form', () => {
    const closed4 = [
      ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255'],
      ...['127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
      ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255'],
      ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    ];
    const closed6 = [
      ...['::', '::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
      ...['64:ff9b::8.8.8.8', '64:ff9b::a00:1', '100::1', '2001::1', '2001:db8::1', '2002:a00:1::1'],
      ...['2002:808:808::1', '3fff::1', '4000::1', '5f00::1', '::127.0.0.1', '::8.8.8.8'],
    ];
    const mapped = closed4.map(address => `::ffff:${address}`);
    const text = ['', 'localhost', '127.1', '0x7f000001', '2130706433', 'example.org'];
    assert.equal([...closed4, ...closed6, ...mapped, ...text].filter(isPublic), []);
  });

  test('an operator names networks, and IPv4 in the clothes of IPv6 is the same', () => {
    const networks = networksOf('10.0.0.0/8, 127.0.0.1,fd00::/8');
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '127.0.0.1', '::ffff:7f00:1', 'fd12::1'])
      assert.ok(networks.has(address), address);
    for (const address of ['11.0.0.1', '127.0.0.2', 'fc00::1', '::a01:203', '::1', 'nonsense'])
      assert.not(networks.has(address), address);
    assert.not(networksOf('').has('127.0.0.1'));
    assert.not(networksOf('::/0').has('127.0.0.1'));
    assert.not(networksOf('::/0').has('::ffff:127.0.0.1'));
    assert.ok(networksOf('0.0.0.0/0').has('::ffff:9.9.9.9'));
  });

  test('what is no network is named', () => {
    for (const text of [
      '10.0.0.0/33',
      '::/129',
      '10.0.0/8',
      'example.org',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '1.2.3.4/x',
    ])
      assert.throws(
        () => networksOf(`127.0.0.1,${text}`),
        (error: Error) => error.message.startsWith(text),
      );
    assert.throws(() => networksOf('fe80::1%lo/64'), /no network/);
  });
});
