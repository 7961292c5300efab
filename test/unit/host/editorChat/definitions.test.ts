import assert from 'node:assert/strict';
import { Definitions, type BridgeEndpoint } from '../../../../src/host/editorChat/definitions.ts';

function served(server: string, more: Partial<BridgeEndpoint> = {}): BridgeEndpoint {
  return {
    server,
    label: server,
    url: `http://127.0.0.1:1/${server}`,
    headers: { Authorization: 'Bearer x' },
    version: '1',
    isKnown: true,
    isInUse: false,
    ...more,
  };
}

describe('definitions for the editor', () => {
  it('are whole: URL, headers, version', () => {
    const definitions = new Definitions();
    assert.equal(definitions.update([served('a')]), true);
    assert.deepEqual(definitions.told, [
      {
        server: 'a',
        label: 'a',
        url: 'http://127.0.0.1:1/a',
        headers: { Authorization: 'Bearer x' },
        version: '1',
      },
    ]);
  });

  it('are told again only when they are others', () => {
    const definitions = new Definitions();
    definitions.update([served('a')]);
    assert.equal(definitions.update([served('a', { isInUse: true })]), false);
    assert.equal(definitions.update([served('a'), served('b')]), true);
    assert.equal(definitions.update([served('b')]), true);
  });

  it('change with the version and with the address', () => {
    const definitions = new Definitions();
    definitions.update([served('a')]);
    assert.equal(definitions.update([served('a', { version: '2' })]), true);
    assert.equal(definitions.told[0]?.version, '2');
    assert.equal(definitions.update([served('a', { version: '2', url: 'http://x' })]), true);
  });

  it('have labels of their own: the editor tells servers apart by them', () => {
    const definitions = new Definitions();
    definitions.update([
      served('folder:1/x', { label: 'x' }),
      served('folder:2/x', { label: 'X' }),
      served('x 2'),
    ]);
    assert.deepEqual(
      definitions.told.map(({ label }) => label),
      ['x', 'X 2', 'x 2 2'],
    );
  });
});
