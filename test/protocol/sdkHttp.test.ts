/** Servers over HTTP that are built with the official SDK v2, reached as the extension reaches them. */
import assert from 'node:assert/strict';
import { callTool } from '../../src/host/tools/callTool.ts';
import type { ServerChange, Session } from '../../src/mcp/session/session.ts';
import { listAll } from '../../src/mcp/client/listing.ts';
import { createConnector } from '../../src/host/servers/connector.ts';
import { createSchemaChecker } from '../../src/entries/schemas.ts';
import { type Flavour, SdkHttpServer } from '../servers/sdkHttp.ts';
import { closedAfterTest } from '../support/closing.ts';
import { textOf } from '../support/textOf.ts';
import { waitUntil } from '../support/waitUntil.ts';

interface Reached {
  readonly session: Session;
  readonly server: SdkHttpServer;
  readonly changes: readonly ServerChange[];
}

async function reach(flavour: Flavour): Promise<Reached> {
  const server = closedAfterTest(new SdkHttpServer(flavour));
  const session = await createConnector({ name: 'mcp-host-test', version: '1.0.0' }).connect({
    launch: { kind: 'http', url: await server.start(), headers: {} },
    features: {},
    timeouts: { startMs: 20_000, requestMs: 20_000, totalMs: 40_000 },
    onDiagnostic: () => undefined,
    signal: new AbortController().signal,
  });
  const changes: ServerChange[] = [];
  session.onDidChange((change) => changes.push(change));
  return { session: closedAfterTest(session), server, changes };
}

for (const [flavour, era] of [
  ['both', 'modern'],
  ['modern', 'modern'],
  ['legacy', 'legacy'],
] as const) {
  describe(`a server of the official SDK over HTTP: ${flavour}`, () => {
    it(`is spoken to in the ${era} era, and lists, reads, tells of progress and answers`, async () => {
      const { session, server } = await reach(flavour);
      assert.equal(session.server.era, era);
      assert.equal(session.server.info.name, 'sdk-http');
      assert.equal((await listAll(session, 'tools')).items.length, 3);
      const { contents } = await session.call('resources/read', { uri: 'mem://note' });
      assert.equal(contents.length, 1);
      assert.equal((await session.call('prompts/get', { name: 'hëllo' })).messages.length, 1);
      assert.equal(await textOf(session, 'query', { region: 'eu' }), '{"region":"eu"}');
      const seen: number[] = [];
      const onProgress = ({ progress }: { readonly progress: number }): unknown =>
        seen.push(progress);
      assert.equal(await textOf(session, 'progress', {}, { onProgress }), 'done');
      assert.deepEqual(seen, [1, 2, 3]);
      if (era === 'modern') {
        assert.deepEqual([...new Set(server.verbs)], ['POST']);
      }
    });
  });
}

describe('a modern server of the official SDK over HTTP', () => {
  it('HDR-01, HDR-10: the server finds the headers of marked arguments right', async () => {
    const { session, server } = await reach('both');
    server.isMarked = true;
    await session.call('tools/list', {});
    for (const input of [
      { region: 'eu', level: -7 },
      { region: ' Zürich\n', level: 0 },
      { region: '' },
      { region: '=?base64?eA==?=' },
      {},
    ]) {
      assert.deepEqual(JSON.parse(await textOf(session, 'query', input)), input);
    }
  });

  it('HDR-15: a schema that has changed since is read again, and the call made once more', async () => {
    const { session, server } = await reach('both');
    await session.call('tools/list', {});
    server.isMarked = true;
    const posts = server.verbs.length;
    assert.equal(await textOf(session, 'query', { region: 'eu' }), '{"region":"eu"}');
    assert.equal(server.verbs.length - posts, 3, 'the call, the list, the call');
  });

  it('TOOL-14 (2026): structured output that is null is there, and is checked', async () => {
    const { session } = await reach('both');
    const tool = (await listAll(session, 'tools')).items.find(({ name }) => name === 'null');
    assert.ok(tool);
    const { signal } = new AbortController();
    const target = {
      withSession: <T>(use: (open: Session, both: AbortSignal) => Promise<T>): Promise<T> =>
        use(session, signal),
    };
    const outcome = await callTool(target, createSchemaChecker(), { tool, input: {}, signal });
    assert.ok(outcome.kind === 'result');
    assert.equal(outcome.result.structuredContent, null);
    assert.deepEqual(outcome.outputProblems, []);
  });

  it('SUB-01: changes are told over the subscription, of watched resources too', async () => {
    const { session, server, changes } = await reach('both');
    await session.watch(['mem://note']);
    await waitUntil('both changes', () => {
      server.toolsChanged();
      server.noteChanged();
      const kinds = new Set(changes.map(({ kind }) => kind));
      return kinds.has('tools') && kinds.has('resource');
    });
  });
});
