import { BlockList, isIP } from 'node:net';

/** IPv4 addresses that are not of the public internet: the registry of IANA, and multicast. */
const SPECIAL_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * Of IPv6 only 2000::/3 is given out; these are the special parts of it: protocols (Teredo among them),
 * documentation, and 6to4, which would lead to any IPv4 address.
 */
const SPECIAL_6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** A set of networks. */
export type Networks = { readonly has: (address: string) => boolean };

const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * Networks as `10.0.0.0/8` or `::1`, separated by commas. An IPv4 address that is written as one of IPv6
 * (`::ffff:10.0.0.1`) is the same address.
 * @throws Error that names the first that is none
 */
export function networksOf(text: string): Networks {
  // Apart, for a list of both takes an IPv4 address to lie in the networks of IPv6 around the mapped ones
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const network of text.split(',').filter(part => part !== '')) {
    const { address, length, family } = parsed(network.trim());
    lists[family].addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
  }
  return {
    has: address => {
      if (isIP(address) === 4) return lists[4].check(address, 'ipv4');
      if (isIP(address) === 0) return false;
      const list = mapped.check(address, 'ipv6') ? lists[4] : lists[6];
      return list.check(address, 'ipv6');
    },
  };
}

function parsed(network: string) {
  const [address = '', prefix, ...more] = network.split('/');
  const family = isIP(address) === 4 ? 4 : 6;
  const bits = family === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  const isLength = /^\d{1,3}$/.test(prefix ?? '0') && length <= bits;
  if (isIP(address) === 0 || address.includes('%') || !isLength || more.length > 0)
    throw new Error(`${network} is no network: write it as 10.0.0.0/8 or ::1`);
  return { address, length, family } as const;
}

const special = networksOf([...SPECIAL_4, ...SPECIAL_6].join(','));

/** Whether an address is one of the public internet. */
export const isPublic = (address: string): boolean => {
  // A zone makes an address one of this machine's links
  if (isIP(address) === 0 || address.includes('%')) return false;
  return !special.has(address);
};
