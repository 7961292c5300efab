import assert from 'node:assert/strict';
import { readInstallLink, readInstallQuery } from '../../../../src/host/import/installLink.ts';

const server = { name: 'time', command: 'npx', args: ['-y', 'a b', 'ü', '100%'] };
const json = JSON.stringify(server);

describe('Install links', () => {
  for (const [what, query] of [
    ['plain', json],
    ['encoded', encodeURIComponent(json)],
    ['encoded as browsers do it', encodeURI(json).replaceAll('%25', '%25')],
    ['as a parameter', `name=time&config=${encodeURIComponent(json)}`],
    ['in Base64', `name=time&config=${encodeURIComponent(Buffer.from(json).toString('base64'))}`],
    ['in Base64 that is not encoded', `name=time&config=${Buffer.from(json).toString('base64')}`],
  ] as const) {
    it(`are read: ${what}`, () => {
      assert.deepEqual(readInstallQuery(query), { server });
    });
  }

  for (const query of [
    '',
    'hello',
    '{',
    '[1]',
    'name=x&config=%7B',
    '%',
    `{"a":"${'x'.repeat(70_000)}"}`,
  ]) {
    it(`say what is wrong with ${query.slice(0, 30)}`, () => {
      assert.ok('problem' in readInstallQuery(query));
    });
  }

  it('are told from other addresses', () => {
    assert.equal(readInstallLink('vscode://other.extension/open?x'), undefined);
    assert.equal(readInstallLink('https://example.com/install?{}'), undefined);
    assert.deepEqual(readInstallLink(`vscode-insiders:mcp/install?${encodeURIComponent(json)}`), {
      server,
    });
  });
});
