import assert from 'node:assert/strict';
import { type Known, KnownServers } from '../../../src/bridge/knownServers.ts';
import { FakeMemory } from '../../support/fakeApprovals.ts';
import { stdioServer } from '../../support/serverConfigs.ts';

function known(description = 'A tool'): Known {
  return {
    description: { info: { name: 'a', version: '1' }, capabilities: { tools: {} } },
    lists: {
      tools: [{ name: 'tool', description, inputSchema: {} }],
      prompts: [],
      resources: [],
      resourceTemplates: [],
    },
  };
}

describe('KnownServers', () => {
  it('gives back what was kept for the same entry, and for no other', async () => {
    const memory = new FakeMemory();
    const server = stdioServer('a');
    await new KnownServers(memory).keep(new Map([[server, known()]]));
    const servers = new KnownServers(memory);
    assert.deepEqual(servers.get(server), known());
    assert.equal(servers.get(stdioServer('a', { roots: 'none' })), undefined);
    assert.equal(servers.get(stdioServer('b')), undefined);
  });

  it('keeps nothing of the entry but a digest', async () => {
    const memory = new FakeMemory();
    const launch = { kind: 'stdio', command: 'x', args: ['--token=s3cret'], env: {} } as const;
    await new KnownServers(memory).keep(new Map([[stdioServer('a', { launch }), known()]]));
    assert.ok(!JSON.stringify([...memory.values]).includes('s3cret'));
  });

  it('forgets servers that are gone, and does not keep what is very large', async () => {
    const memory = new FakeMemory();
    const [a, b] = [stdioServer('a'), stdioServer('b')];
    const servers = new KnownServers(memory);
    await servers.keep(new Map([[a, known()]]));
    await servers.keep(new Map([[b, known('x'.repeat(300_000))]]));
    assert.equal(servers.get(a), undefined);
    assert.equal(servers.get(b), undefined);
  });

  it('takes a damaged memory for none', async () => {
    const memory = new FakeMemory();
    const server = stdioServer('a');
    await new KnownServers(memory).keep(new Map([[server, known()]]));
    const [key = ''] = memory.values.keys();
    const stored = JSON.stringify(memory.values.get(key));
    const damages = [
      '7',
      '{}',
      'null',
      stored.replace('"tools":[', '"tools_":['),
      stored.replace('"info"', '"x"'),
    ];
    for (const damage of damages) {
      memory.values.set(key, JSON.parse(damage));
      assert.equal(new KnownServers(memory).get(server), undefined, damage);
    }
  });
});
