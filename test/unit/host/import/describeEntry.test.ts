import assert from 'node:assert/strict';
import { detailsOf, summaryOf } from '../../../../src/host/import/describeEntry.ts';

describe('What an imported entry is described by', () => {
  it('shows all that decides what runs, and no secret', () => {
    const entry = {
      command: 'npx',
      args: ['-y', 'x', '--token', 'abc', 'postgres://ada:pw1@db'],
      env: { API_KEY: 'k1', NODE_OPTIONS: '--require /tmp/x.js', GONE: null },
      cwd: '/work',
      envFile: '.env',
    };
    assert.equal(summaryOf(entry), 'npx -y x --token ••• postgres://ada:•••@db');
    assert.deepEqual(detailsOf(entry), [
      'API_KEY=•••',
      'NODE_OPTIONS=--require /tmp/x.js',
      'GONE=null',
      'envFile: .env',
      'cwd: /work',
    ]);
  });

  it('shows where a URL leads and what goes along', () => {
    const entry = {
      url: 'https://a.example/mcp?api_key=k1&x=1',
      headers: { Authorization: 'Bearer t1', 'X-Team': 'blue' },
    };
    assert.equal(summaryOf(entry), 'https://a.example/mcp?api_key=•••&x=1');
    assert.deepEqual(detailsOf(entry), ['Authorization: Bearer •••', 'X-Team: blue']);
  });

  it('shows the way to a server, without the secrets of that way', () => {
    const entry = {
      url: 'https://a.example/mcp',
      tls: { ca: '~/corp.pem', cert: 'c.pem', key: 'k.pem', passphrase: 'k1' },
      proxy: 'http://ada:p@ss@proxy.example:3128',
    };
    assert.deepEqual(detailsOf(entry), [
      'tls: {"ca":"~/corp.pem","cert":"c.pem","key":"k.pem","passphrase":"•••"}',
      'proxy: http://ada:•••@proxy.example:3128',
    ]);
    assert.deepEqual(detailsOf({ command: 'x', sandbox: true }), ['sandbox: true']);
  });
});
