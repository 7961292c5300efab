import assert from 'node:assert/strict';
import { describeLink } from '../../../../src/host/elicitation/describeLink.ts';

const odd: readonly (readonly [url: string, host: string, ...kinds: readonly string[]])[] = [
  ['https://example.com/a?b=c#d', 'example.com'],
  ['https://example.com:443/', 'example.com'],
  ['https://EXAMPLE.com/', 'example.com'],
  ['https://example.com', 'example.com'],
  ['https://sub.example.com./x', 'sub.example.com.'],
  ['http://example.com/', 'example.com', 'plainHttp'],
  ['https://xn--pple-43d.com/', 'xn--pple-43d.com', 'punycode'],
  ['https://аpple.com/', 'xn--pple-43d.com', 'punycode'],
  ['https://login.xn--pple-43d.com/', 'login.xn--pple-43d.com', 'punycode'],
  ['https://bank.example@evil.example/', 'evil.example', 'userInfo'],
  ['https://bank.example:x@evil.example/', 'evil.example', 'userInfo'],
  ['https://203.0.113.9/', '203.0.113.9', 'ipAddress'],
  ['https://[2001:db8::1]/', '[2001:db8::1]', 'ipAddress'],
  ['https://3405803785/', '203.0.113.9', 'ipAddress', 'rewritten'],
  ['http://localhost:3000/', 'localhost:3000', 'thisMachine'],
  ['http://127.0.0.1:3000/', '127.0.0.1:3000', 'thisMachine'],
  ['http://0x7f.1/', '127.0.0.1', 'thisMachine', 'rewritten'],
  ['http://[::1]/', '[::1]', 'thisMachine'],
  ['http://localhost./', 'localhost.', 'thisMachine'],
  ['http://0.0.0.0:3000/', '0.0.0.0:3000', 'thisMachine'],
  ['http://[::]:3000/', '[::]:3000', 'thisMachine'],
  ['https://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]', 'thisMachine', 'rewritten'],
  ['https://[::ffff:10.0.0.1]/', '[::ffff:a00:1]', 'localNetwork', 'rewritten'],
  ['http://127.evil.example/', '127.evil.example', 'plainHttp'],
  ['http://192.168.1.1/', '192.168.1.1', 'plainHttp', 'localNetwork'],
  ['https://169.254.169.254/', '169.254.169.254', 'localNetwork'],
  ['https://router.local/', 'router.local', 'localNetwork'],
  ['https://intranet/', 'intranet', 'localNetwork'],
  ['https://[fe80::1]/', '[fe80::1]', 'localNetwork'],
  ['https://example.com:8443/', 'example.com:8443', 'port'],
  ['https:\\\\example.com\\a', 'example.com', 'rewritten'],
  ['https://exa\u00admple.com/', 'example.com', 'rewritten'],
  ['https://ｅxample.com/', 'example.com', 'rewritten'],
  ['https://example.com/a\u202eb', 'example.com', 'rewritten'],
  ['https://example.com/a b', 'example.com', 'rewritten'],
  ['  https://example.com/', 'example.com', 'rewritten'],
  [`https://example.com/${'a'.repeat(600)}`, 'example.com', 'long'],
];

describe('describeLink', () => {
  for (const [url, host, ...kinds] of odd) {
    it(`ELIC-23, ELIC-25: ${url.slice(0, 60)} leads to ${host}: ${kinds.join(', ')}`, () => {
      const link = describeLink(url);
      assert.ok(link.kind === 'usable');
      assert.equal(link.host, host);
      assert.deepEqual(
        link.warnings.map(({ kind }) => kind),
        kinds,
      );
      // What is shown is what is opened, and has nothing that the eye could miss.
      assert.equal(link.href, new URL(url).href);
      assert.match(link.href, /^[\u0021-\u007e]+$/u);
    });
  }

  it('ELIC-25: tells how an encoded host would look', () => {
    for (const url of ['https://user@аpple.com:8443/', 'https://XN--pple-43d.com/']) {
      const link = describeLink(url);
      assert.ok(link.kind === 'usable');
      assert.deepEqual(
        link.warnings.find(({ kind }) => kind === 'punycode'),
        { kind: 'punycode', shown: 'аpple.com' },
      );
    }
  });

  it('ELIC-25: gives no browser what is no page', () => {
    for (const url of [
      'file:///etc/passwd',
      'command:workbench.action.quit',
      'javascript:alert(1)',
      'data:text/html,x',
      'vscode://ext/do',
      'ftp://example.com/',
      'ssh://example.com/',
    ]) {
      const scheme = url.slice(0, url.indexOf(':'));
      assert.deepEqual(describeLink(url), { kind: 'unusable', scheme });
    }
  });
});
