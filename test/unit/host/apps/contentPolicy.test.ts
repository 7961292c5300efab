import assert from 'node:assert/strict';
import { contentPolicy, policyText } from '../../../../src/host/apps/contentPolicy.ts';
import { readDomainRules } from '../../../../src/host/apps/domainRules.ts';

const policyOf = (csp: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    policyText(contentPolicy(csp))
      .split('; ')
      .map((text) => [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)]),
  );

describe('The content security policy of a view', () => {
  it('APP-23, APP-24: lets nothing out when nothing is declared', () => {
    assert.deepEqual(policyOf(undefined), {
      'default-src': "'none'",
      'script-src': "'unsafe-inline'",
      'style-src': "'unsafe-inline'",
      'img-src': 'data:',
      'media-src': 'data:',
      'font-src': "'none'",
      'connect-src': "'none'",
      'frame-src': "'none'",
      'base-uri': "'none'",
      'object-src': "'none'",
      'form-action': "'none'",
    });
  });

  it('APP-23: has what is declared, each in its directives', () => {
    const csp = {
      connectDomains: ['https://api.example.com', 'wss://api.example.com:8443'],
      resourceDomains: ['https://*.cdn.example.com'],
      frameDomains: ['https://video.example.com'],
      baseUriDomains: ['https://base.example.com'],
    };
    const cdn = 'https://*.cdn.example.com';
    assert.deepEqual(policyOf(csp), {
      'default-src': "'none'",
      'script-src': `'unsafe-inline' ${cdn}`,
      'style-src': `'unsafe-inline' ${cdn}`,
      'img-src': `data: ${cdn}`,
      'media-src': `data: ${cdn}`,
      'font-src': cdn,
      'connect-src': 'https://api.example.com wss://api.example.com:8443',
      'frame-src': 'https://video.example.com',
      'base-uri': 'https://base.example.com',
      'object-src': "'none'",
      'form-action': "'none'",
    });
    assert.deepEqual(contentPolicy(csp).csp, csp);
  });

  it('APP-24: is the same for an empty declaration', () => {
    assert.deepEqual(policyOf({}), policyOf(undefined));
  });

  for (const value of [
    '*',
    'https:',
    'https://*',
    'https://*.com',
    'example.com',
    'data:',
    'blob:',
    "'unsafe-eval'",
    "https://a.example 'unsafe-eval'",
    'https://a.example; script-src *',
    'https://a.example,https://b.example',
    'https://a.example\nx',
    'https://user@a.example',
    'https://a.example/path',
    'https://a.example?x',
    'http://a.example',
    'ws://a.example',
    'ftp://a.example',
    'https://münchen.example',
    'https://a.example:99999999',
    '',
    7,
    null,
    { toString: 'x' },
  ]) {
    it(`APP-24, APP-25: drops ${JSON.stringify(value)} with a warning`, () => {
      const { directives, warnings } = contentPolicy({ connectDomains: [value] });
      assert.deepEqual(directives.get('connect-src'), []);
      assert.equal(warnings.length, 1);
    });
  }

  for (const [value, origin] of [
    ['HTTPS://A.Example/', 'https://a.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['ws://127.0.0.1:*', 'ws://127.0.0.1:*'],
    ['http://[::1]:80', 'http://[::1]:80'],
    ['https://xn--mnchen-3ya.example', 'https://xn--mnchen-3ya.example'],
  ] as const) {
    it(`APP-25: takes ${value}`, () => {
      const { directives } = contentPolicy({ connectDomains: [value] });
      assert.deepEqual(directives.get('connect-src'), [origin]);
    });
  }

  it('APP-25: takes a name of 253 characters, and none longer', () => {
    const longest = `https://${'a.'.repeat(126)}a`;
    const { csp } = contentPolicy({ connectDomains: [longest, `${longest}a`] });
    assert.deepEqual(csp, { connectDomains: [longest] });
  });

  it('APP-25: takes a declaration of another shape for none of its lists', () => {
    const { warnings, csp } = contentPolicy({
      connectDomains: 'https://a.example',
      frameDomains: null,
    });
    assert.deepEqual([csp, warnings.length], [{}, 1]);
  });

  const domains = ['https://a.example', 'https://api.a.example:8443', 'wss://*.b.example'];
  for (const [rules, left] of [
    [undefined, domains],
    [{}, domains],
    [{ deny: ['a.example'] }, ['wss://*.b.example']],
    [{ deny: ['*.API.a.example'] }, ['https://a.example', 'wss://*.b.example']],
    // A wildcard would reach the denied one, too.
    [{ deny: ['x.b.example'] }, ['https://a.example', 'https://api.a.example:8443']],
    [{ deny: ['example'] }, []],
    [{ deny: ['le', 'exam.ple'] }, domains],
    [{ allow: ['api.a.example', 'c.b.example'] }, ['https://api.a.example:8443']],
    [{ allow: ['a.example'], deny: ['api.a.example'] }, ['https://a.example']],
    [{ allow: [] }, []],
    // A mistake opens nothing.
    [{ deny: 'a.example' }, []],
    [{ deny: ['https://a.example'] }, []],
    [{ denied: ['a.example'] }, []],
    ['a.example', []],
  ] as const) {
    it(`APP-28: leaves out what the user denies: ${JSON.stringify(rules)}`, () => {
      const read = readDomainRules(rules);
      const { csp, warnings } = contentPolicy({ connectDomains: domains }, read);
      assert.deepEqual(csp, { connectDomains: left });
      assert.equal(warnings.length, domains.length - left.length);
      assert.ok(warnings.every((text) => text.includes('"mcpHost.apps.domains"')));
    });
  }

  it('APP-29: has no key for eval, WebAssembly or workers', () => {
    const csp = { wasmUnsafeEval: true, workerDomains: ['https://a.example'], scriptEval: true };
    assert.deepEqual(policyOf(csp), policyOf({}));
  });

  it('APP-25: takes a hundred origins of a list', () => {
    const connectDomains = Array.from({ length: 101 }, (_, at) => `https://h${at}.example`);
    const { directives, warnings } = contentPolicy({ connectDomains });
    assert.equal(directives.get('connect-src')?.length, 100);
    assert.equal(warnings.length, 1);
    const wrong = { connectDomains: Array.from({ length: 10_000 }, () => '') };
    assert.equal(contentPolicy(wrong).warnings.length, 101);
  });
});
