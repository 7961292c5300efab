import assert from 'node:assert/strict';
import { EraMemory, type RememberedEntry } from '../../../../src/host/servers/eraMemory.ts';
import type { ServerDescription } from '../../../../src/mcp/session/session.ts';
import type { Era } from '../../../../src/mcp/revisions.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';

const entry: RememberedEntry = {
  id: 'user/a',
  launch: { kind: 'stdio', command: 'npx', args: ['-y', 'a'], env: { TOKEN: 's3cret' } },
};
const day = 24 * 60 * 60 * 1_000;

function described(era: Era, version = '1.0'): ServerDescription {
  const revision = era === 'legacy' ? '2025-11-25' : '2026-07-28';
  return { revision, era, transport: 'stdio', info: { name: 'a', version }, capabilities: {} };
}

function setUp() {
  const time = { ms: 1_000_000 };
  const memory = new FakeMemory();
  return { time, memory, eras: new EraMemory(memory, () => time.ms) };
}

describe('EraMemory', () => {
  it('VER-07: knows a server of the older era again, also after a restart', async () => {
    const { memory, eras } = setUp();
    assert.equal(eras.recall(entry), undefined);
    await eras.remember(entry, described('legacy'));
    assert.equal(eras.recall(entry), 'legacy');
    assert.equal(new EraMemory(memory, () => 1_000_001).recall(entry), 'legacy');
  });

  it('remembers and writes nothing of a server of the newest era', async () => {
    const { memory, eras } = setUp();
    await eras.remember(entry, described('modern'));
    assert.deepEqual(memory.values, new Map());
    await eras.remember(entry, described('legacy'));
    await eras.remember(entry, described('modern'));
    assert.equal(eras.recall(entry), undefined);
  });

  it('forgets it when the entry changes', async () => {
    const { eras } = setUp();
    await eras.remember(entry, described('legacy'));
    const changed = { ...entry, launch: { kind: 'http', url: 'https://h', headers: {} } } as const;
    assert.equal(eras.recall(changed), undefined);
    assert.equal(eras.recall({ ...entry, id: 'user/b' }), undefined);
  });

  it('forgets it after a week, counted from the day on which it was asked', async () => {
    const { time, eras } = setUp();
    await eras.remember(entry, described('legacy'));
    time.ms += 6 * day;
    await eras.remember(entry, described('legacy'));
    assert.equal(eras.recall(entry), 'legacy');
    time.ms += day;
    assert.equal(eras.recall(entry), undefined);
    await eras.remember(entry, described('legacy'));
    assert.equal(eras.recall(entry), 'legacy');
  });

  it('VER-07: forgets a guess when told to, and no answer of the server itself', async () => {
    const { memory, eras } = setUp();
    await eras.remember(entry, described('legacy'), { isCertain: false });
    await eras.forgetGuess(entry.id);
    assert.equal(eras.recall(entry), undefined);
    await eras.remember(entry, described('legacy'), { isCertain: true });
    await eras.remember(entry, described('legacy'), { isCertain: false }); // a start that did not ask
    await new EraMemory(memory, () => 1_000_001).forgetGuess(entry.id);
    assert.equal(eras.recall(entry), 'legacy');
    await eras.forget(entry.id);
    assert.equal(eras.recall(entry), undefined);
  });

  it('forgets it when the server has another version', async () => {
    const { eras } = setUp();
    await eras.remember(entry, described('legacy', '1.0'));
    await eras.remember(entry, described('legacy', '1.1'));
    assert.equal(eras.recall(entry), undefined);
    await eras.remember(entry, described('legacy', '1.1'));
    assert.equal(eras.recall(entry), 'legacy');
  });

  it('stores no text of the entry', async () => {
    const { memory, eras } = setUp();
    await eras.remember(entry, described('legacy'));
    assert.doesNotMatch(JSON.stringify([...memory.values]), /s3cret|npx/u);
  });

  it('stands what it finds in the memory, and a memory that fails', async () => {
    const { memory, eras } = setUp();
    for (const odd of [7, null, [], { 'user/a': 7 }, { 'user/a': { hash: 1 } }]) {
      memory.values.set('mcpHost.olderServers', odd);
      assert.equal(eras.recall(entry), undefined);
    }
    memory.set = () => Promise.reject(new Error('full'));
    await eras.remember(entry, described('legacy'));
  });
});
