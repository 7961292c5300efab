/** Revision 2026-07-28 and the choice of an era, with real processes and sockets. */
import { type Connector, createConnector } from '../../src/host/servers/connector.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toBindings } from '../../src/host/servers/bindings.ts';
import { connect } from '../../src/mcp/client/connect.ts';
import type { ClientFeatures, Session } from '../../src/mcp/session/session.ts';
import { closedAfterTest } from '../support/closing.ts';
import { FakeMemory } from '../support/fakeApprovals.ts';
import { hello } from '../support/hello.ts';
import { nodeLaunch } from '../support/realHost.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { textOf } from '../support/textOf.ts';

const programOf = (name: string): string =>
  fileURLToPath(new URL(`../servers/${name}`, import.meta.url));

async function opened(features: ClientFeatures = {}): Promise<Session> {
  const launch = nodeLaunch([programOf('sdkModern.mjs')], { LEGACY: 'reject' });
  const { signal } = new AbortController();
  return closedAfterTest(await connect(toBindings(launch), hello({ features }), signal));
}

const features: ClientFeatures = {
  listRoots: async () => [{ uri: 'file:///work', name: 'work' }],
  elicit: async () => ({ action: 'accept', content: { name: 'Ann ☃' } }),
  sample: async () => ({
    role: 'assistant',
    content: { type: 'text', text: 'Hello' },
    model: 'demo',
  }),
};

describe('revision 2026-07-28 on stdio, with a server of the official SDK', () => {
  it('DISC-03: is opened in one start, and named', async () => {
    const session = await opened();
    const { revision, era, transport, info, instructions } = session.server;
    assert.deepEqual(
      [revision, era, transport, info.name, instructions],
      ['2026-07-28', 'modern', 'stdio', 'sdk-modern', 'Ask politely.'],
    );
    assert.equal(await textOf(session, 'echo'), 'echo');
    const { prompts } = await session.call('prompts/list', {});
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['hello'],
    );
    assert.equal((await session.call('prompts/get', { name: 'hello' })).messages.length, 1);
  });

  it('MRTR-05, MRTR-07: tools that ask for a form, the roots and a model get them, and their state', async () => {
    const session = await opened(features);
    assert.deepEqual(JSON.parse(await textOf(session, 'greet')), {
      who: { action: 'accept', content: { name: 'Ann ☃' } },
      roots: { roots: [{ uri: 'file:///work', name: 'work' }] },
      state: 'state "one" ☃',
    });
    assert.equal(JSON.parse(await textOf(session, 'ask-model')).model, 'demo');
  });
});

describe('what is remembered of a server', () => {
  let folder: string;
  let memory: FakeMemory;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eras-'));
    memory = new FakeMemory();
  });
  afterEach(() => rm(folder, { recursive: true }));

  const connector = (): Connector => createConnector({ name: 'test', version: '1' }, memory);
  /** The first messages of the processes that one start takes. */
  async function startIn(
    mode: string,
    more: Partial<Parameters<Connector['connect']>[0]> = {},
  ): Promise<readonly (string | undefined)[]> {
    const notes = join(folder, 'notes');
    await rm(notes, { force: true });
    const { signal } = new AbortController();
    const session = await connector().connect({
      launch: {
        kind: 'stdio',
        command: process.execPath,
        args: [programOf('eras.mjs')],
        env: { PATH: process.env['PATH'] ?? '', MODE: mode, NOTES: notes },
        cwd: folder,
      },
      entry: stdioServer(mode),
      features: {},
      timeouts: { ...stdioServer(mode).timeouts, startMs: 2_000 },
      onDiagnostic: () => undefined,
      signal,
      ...more,
    });
    await session.close();
    return (await readFile(notes, 'utf8'))
      .split('start\n')
      .slice(1)
      .map((messages) => messages.split('\n')[0]);
  }

  it('VER-06, VER-07: one that dies at the question is asked once, and again when told to', async () => {
    const entry = stdioServer('dies');
    assert.deepEqual(await startIn('dies'), ['server/discover', 'initialize']);
    assert.deepEqual(await startIn('dies'), ['initialize']);
    await connector().forgetGuess(entry.id);
    assert.deepEqual(await startIn('dies'), ['server/discover', 'initialize']);
    const changed = stdioServer('dies', {
      launch: { kind: 'stdio', command: 'other', args: [], env: {} },
    });
    assert.deepEqual(await startIn('dies', { entry: changed }), ['server/discover', 'initialize']);
    const pinned = { ...entry, protocol: 'legacy' } as const;
    assert.deepEqual(await startIn('dies', { entry: pinned }), ['initialize']);
  });

  for (const [mode, title, first] of [
    ['silent', 'silence is a guess, which is forgotten when told to', 'server/discover'],
    ['refuses', 'a refusal is certain, and remembered all the same', 'initialize'],
  ] as const) {
    it(`VER-07, ERA-01: ${title} (${mode})`, async () => {
      assert.deepEqual(await startIn(mode), ['server/discover']);
      await connector().forgetGuess(stdioServer(mode).id);
      assert.deepEqual(await startIn(mode), [first]);
      assert.deepEqual(await startIn(mode), ['initialize']);
    });
  }
});
