/** Addresses that have a meaning only within a network, or on one machine. Does no DNS lookup. */
import { BlockList, isIPv6 } from 'node:net';

/**
 * Private, shared, link-local, benchmarking, loopback, unspecified, reserved, multicast.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const ofIPv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const;

/**
 * The same for IPv6, and all ranges that embed an IPv4 address and are deprecated or local to one network.
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const ofIPv6 = [
  // Loopback, unspecified, IPv4-compatible (RFC 4291 section 2.5.5.1).
  ['::', 96],
  // IPv4-translated (RFC 2765 section 2.1).
  ['::ffff:0:0:0', 96],
  // NAT64 of one network (RFC 8215).
  ['64:ff9b:1::', 48],
  // Teredo (RFC 4380) and 6to4 (RFC 3056).
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const;

// An IPv4-mapped address is checked as an IPv4 address.
const notPublic = new BlockList();
for (const [net, prefix] of ofIPv4) {
  notPublic.addSubnet(net, prefix, 'ipv4');
  // NAT64 (RFC 6052), through which a network without IPv4 also reaches public addresses.
  notPublic.addSubnet(`64:ff9b::${net}`, 96 + prefix, 'ipv6');
}
for (const [net, prefix] of ofIPv6) {
  notPublic.addSubnet(net, prefix, 'ipv6');
}

export function isPrivateAddress(address: string): boolean {
  return notPublic.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** The host of a URL as sockets and lookups expect it: an IPv6 address without brackets. */
export function bareHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[(.*)\]$/u, '$1');
}
