/** Addresses that only mean something within a network, or on one machine. Looks no name up. */
import { BlockList, isIPv6 } from 'node:net';

/** Private, shared, link-local, for tests of networks, loopback, unspecified. */
const notPublic = new BlockList();
for (const [net, prefix, family] of [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const) {
  notPublic.addSubnet(net, prefix, family);
}

export function isPrivateAddress(address: string): boolean {
  return notPublic.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** The host of a URL as sockets and lookups want it: an IPv6 address without its brackets. */
export function bareHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[(.*)\]$/u, '$1');
}
