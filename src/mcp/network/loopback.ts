/** Whether a URL stays on this machine: then http is as safe as https, for development. */
import { BlockList, isIPv6 } from 'node:net';
import { bareHost } from './privateAddress.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopback(url: Pick<URL, 'hostname'>): boolean {
  const host = bareHost(url);
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
  );
}
