import assert from 'node:assert/strict';
import { isPrivateAddress } from '../../../../src/mcp/network/privateAddress.ts';

const isPrivate: Readonly<Record<string, readonly string[]>> = {
  'an IPv4 address of a network': ['10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.1.1'],
  'one of this machine, a provider or nobody': ['127.9.9.9', '0.0.0.0', '100.64.0.1', '240.0.0.1'],
  'one of many': ['224.0.0.1', '255.255.255.255', 'ff02::1'],
  'an IPv6 address of a network': ['fd00::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
  'IPv6 for this machine': ['::1', '::', '0:0:0:0:0:0:0:1'],
  'IPv4 mapped into IPv6': ['::ffff:10.0.0.1', '::FFFF:a00:1', '0:0:0:0:0:ffff:c0a8:0101'],
  'IPv4 translated for NAT64': ['64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::8.8.8.8'],
  'IPv4 in older IPv6': ['::10.0.0.1', '::8.8.8.8', '::ffff:0:10.0.0.1'],
  '6to4 and Teredo': ['2002:a00:1::', '2002:808:808::1', '2001:0:4136:e378::1', '2001::1'],
};
const isPublic =
  '8.8.8.8 172.32.0.1 100.128.0.1 192.169.0.1 223.255.255.254 2606:4700::1 2001:4860::8888 2a00::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8';

describe('isPrivateAddress', () => {
  for (const [what, addresses] of Object.entries(isPrivate)) {
    it(`says yes to ${what}: ${addresses.join(', ')}`, () => {
      assert.deepEqual(
        addresses.filter((address) => !isPrivateAddress(address)),
        [],
      );
    });
  }

  it('says no to addresses of the internet, mapped and translated ones among them', () => {
    assert.deepEqual(isPublic.split(' ').filter(isPrivateAddress), []);
  });
});
