import assert from 'node:assert/strict';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';

function parse(dev: unknown, entry: object = { command: 'node' }) {
  const servers = { srv: { ...entry, dev } };
  const config = parseConfig([{ scope: { kind: 'user' }, servers, inputs: undefined }]);
  const [server] = config.servers;
  assert.ok(server, 'the server can be used whatever is wrong with `dev`');
  return { dev: server.dev, problems: config.problems.map(({ field }) => field) };
}

describe('dev', () => {
  for (const [given, wanted] of [
    [{ watch: 'src/**' }, { watch: ['src/**'] }],
    [{ watch: ['a', '!b'] }, { watch: ['a', '!b'] }],
    [{ debug: { type: 'node' } }, { watch: [], debug: { type: 'node' } }],
    [
      { debug: { type: 'debugpy', debugpyPath: '/d' } },
      { watch: [], debug: { type: 'debugpy', debugpyPath: '/d' } },
    ],
    [undefined, undefined],
  ] as const) {
    it(`takes ${JSON.stringify(given)}`, () => {
      assert.deepEqual(parse(given), { dev: wanted, problems: [] });
    });
  }

  for (const [given, field] of [
    ['src/**', 'dev'],
    [{ watch: 1 }, 'dev.watch'],
    [{ watch: [''] }, 'dev.watch'],
    [{ watch: ['!out/**'] }, 'dev.watch'],
    [{ wach: 'src/**' }, 'dev.wach'],
    [{ debug: 'node' }, 'dev.debug'],
    [{ debug: { type: 'ruby' } }, 'dev.debug.type'],
    [{ debug: { type: 'node', debugpyPath: 'x' } }, 'dev.debug.debugpyPath'],
  ] as const) {
    it(`says what is wrong with ${JSON.stringify(given)}, and goes without`, () => {
      assert.deepEqual(parse(given).problems, [field]);
    });
  }

  it('is for servers that are started, not for those that are reached', () => {
    const { dev, problems } = parse({ watch: '**' }, { url: 'https://example.com/mcp' });
    assert.equal(dev, undefined);
    assert.deepEqual(problems, ['dev']);
  });
});
