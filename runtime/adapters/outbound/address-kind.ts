import { BlockList, isIP } from 'node:net';

import { groupsOf, ipv4Of } from './ipv6.ts';

/** `never`: refused also where private networks are let in. */
export type AddressKind = { readonly kind: 'public' } | { readonly kind: 'private' | 'never'; readonly what: string };

type Row = readonly [what: string, ...ranges: string[]];

// A table of our own: what Node and others call private differs between versions. By the registries of special-purpose
// addresses of IANA (RFC 6890 and its successors).
const never: readonly Row[] = [
  ['unspecified', '0.0.0.0/8', '::/128'],
  ['link-local', '169.254.0.0/16', 'fe80::/10'],
  ['multicast', '224.0.0.0/4', 'ff00::/8'],
  ['reserved', '240.0.0.0/4'],
  // Within ranges that a private network may use, they give whoever asks the keys of the machine.
  ['cloud metadata', '100.100.100.200/32', '192.0.0.192/32', 'fd00:ec2::/32', 'fd20:ce::254/128'],
];
const refused: readonly Row[] = [
  ['loopback', '127.0.0.0/8', '::1/128'],
  ['private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  ['carrier-grade NAT', '100.64.0.0/10'],
  [
    'reserved',
    '192.0.0.0/24',
    '192.88.99.0/24',
    '::/8',
    '64:ff9b:1::/48',
    '100::/64',
    '100:0:0:1::/64',
    '2001::/23',
    '5f00::/16',
  ],
  ['documentation', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  ['benchmarking', '198.18.0.0/15'],
];

type Family = 'ipv4' | 'ipv6';

// One list for each family: a list would also hold IPv4 addresses to its IPv6 ranges, as mapped ones.
const lists = { ipv4: listsOf('ipv4'), ipv6: listsOf('ipv6') };

function listsOf(
  family: Family,
): readonly { readonly kind: 'private' | 'never'; readonly what: string; readonly list: BlockList }[] {
  const of = (kind: 'private' | 'never', rows: readonly Row[]) =>
    rows.map(([what, ...ranges]) => ({ kind, what, list: listOf(ranges, family) }));
  return [...of('never', never), ...of('private', refused)];
}

function listOf(ranges: readonly string[], family: Family): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/');
    if (network.includes(':') === (family === 'ipv6')) list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/**
 * Kind of an address. Text that is no address, or one bound to an interface of this machine (`%eth0`), is
 * `never`.
 */
export function kindOfAddress(address: string): AddressKind {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return { kind: 'never', what: 'not an address of the internet' };
  const inner = family === 6 ? ipv4Of(groupsOf(address)) : undefined;
  if (inner !== undefined) return kindOfAddress(inner);
  const name = family === 6 ? 'ipv6' : 'ipv4';
  const found = lists[name].find(({ list }) => list.check(address, name));
  return found ? { kind: found.kind, what: found.what } : { kind: 'public' };
}
