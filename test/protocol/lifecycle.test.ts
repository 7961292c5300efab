import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { connect } from '../../src/mcp/client/connect.ts';
import { listAll } from '../../src/mcp/client/listing.ts';
import type { CloseReason, Diagnostic } from '../../src/mcp/transport/transport.ts';
import type { LoggingMessage } from '../../src/mcp/types/methods.ts';
import { hello } from '../support/hello.ts';
import { openStdio, receivedBy, stdioBinding, textOf, withTools } from '../support/stdioSession.ts';

const { signal: never } = new AbortController();

const failing = (way: string, ...args: readonly string[]) =>
  connect([stdioBinding('handshake.mjs', way, ...args)], hello(), never);

describe('Lifecycle over stdio', function () {
  this.timeout(60_000);
  it('LIFE-01, LIFE-03, LIFE-04: initialize, initialized, then the rest', async () => {
    await withTools(async ({ session }) => {
      const messages = await receivedBy(session);
      assert.deepEqual(
        messages.map(({ method }) => method),
        ['initialize', 'notifications/initialized', 'tools/call'],
      );
      assert.equal(session.server.revision, '2025-11-25');
      assert.equal(session.server.info.name, 'scripted');
    });
  });

  it('LIFE-05: a log message before the result reaches the log', async () => {
    await withTools(async ({ session }) => {
      const logs: LoggingMessage[] = [];
      session.onDidLog((message) => logs.push(message));
      assert.deepEqual(
        logs.map(({ data }) => data),
        ['starting'],
      );
    });
  });

  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18']) {
    it(`LIFE-07: takes the older revision ${revision} that the server chooses`, async () => {
      const { session } = await openStdio(stdioBinding('handshake.mjs', 'older', revision));
      assert.equal(session.server.revision, revision);
      await session.close();
    });
  }

  it('LIFE-06: a revision that we do not speak ends the connection, both sides named', async () => {
    await assert.rejects(failing('unknownRevision'), {
      code: 'unsupported',
      message: /the server speaks 2031-01-01; this client offered 2025-11-25, .*2024-11-05/,
    });
  });

  it('LIFE-09: so does a refusal with other revisions', async () => {
    await assert.rejects(failing('refuses'), {
      code: 'unsupported',
      message: /the server speaks 2023-01-01; this client offered 2025-11-25/,
    });
  });

  it('LIFE-09: a refusal that names a revision we speak is met with it', async () => {
    const { session } = await openStdio(stdioBinding('handshake.mjs', 'strict', '2024-11-05'));
    assert.equal(session.server.revision, '2024-11-05');
    await session.close();
  });

  it('LIFE-09: a server that never answers is given up, the step named', async () => {
    const binding = stdioBinding('handshake.mjs', 'silent');
    await assert.rejects(connect([binding], hello({ openMs: 1_000 }), never), {
      code: 'timeout',
      message: /within 1 s: the server did not answer "initialize"/,
    });
  });

  it('STDIO-08: an exit in the handshake is told with its code and the last words', async () => {
    const diagnostics: Diagnostic[] = [];
    const binding = stdioBinding('handshake.mjs', 'exit');
    const connecting = connect([binding], hello(), never, (one) => diagnostics.push(one));
    await assert.rejects(connecting, {
      code: 'closed',
      message: /while it was starting, before it answered "initialize" \(exited with code 1\)/,
    });
    const lines = diagnostics.filter(({ source }) => source === 'stderr');
    assert.deepEqual(
      lines.map(({ text }) => text),
      ['ModuleNotFoundError: No module named "weather"'],
    );
  });

  it('a command that is not there is told as unreachable', async () => {
    const binding = stdioBinding('handshake.mjs', 'silent');
    const { createStdioTransport } = await import('../../src/mcp/transport/stdio/stdio.ts');
    const missing = {
      ...binding,
      connect: () =>
        createStdioTransport({ command: 'no-such-command-anywhere', args: [], env: process.env }),
    };
    await assert.rejects(connect([missing], hello(), never), { code: 'unreachable' });
  });

  it('a result that is no object is a breach of protocol', async () => {
    await assert.rejects(failing('notAnObject'), { code: 'protocol' });
  });

  it('LIFE-11: a minimal result will do', async () => {
    const { session } = await openStdio(stdioBinding('handshake.mjs', 'minimal'));
    assert.deepEqual(session.server.capabilities, {});
    assert.equal(session.server.info.name, 'unnamed');
    assert.equal(session.server.instructions, undefined);
    await assert.rejects(session.call('tools/list', {}), { code: 'unsupported' });
    await session.close();
  });

  it('CANC-02: an opening that is cancelled leaves no process', async () => {
    const controller = new AbortController();
    const binding = stdioBinding('handshake.mjs', 'silent');
    const connecting = connect([binding], hello(), controller.signal);
    setImmediate(() => controller.abort());
    await assert.rejects(connecting, { code: 'cancelled' });
  });

  it('LIFE-13: closing ends the connection, once', async () => {
    const { session } = await openStdio(stdioBinding('tools.mjs'));
    const reasons: CloseReason[] = [];
    session.onDidClose((reason) => reasons.push(reason));
    await session.close();
    assert.deepEqual(reasons, [{ kind: 'requested' }]);
    await assert.rejects(textOf(session, 'echo', { value: 'x' }), { code: 'closed' });
  });

  it('STDIO-08: an exit fails every call under way, with the code and the doubt', async () => {
    const { session, diagnostics } = await openStdio(stdioBinding('tools.mjs'));
    const closed = new Promise<CloseReason>((resolve) => session.onDidClose(resolve));
    const waiting = textOf(session, 'silent');
    const exiting = textOf(session, 'exit');
    for (const call of [waiting, exiting]) {
      await assert.rejects(call, { code: 'closed', message: /exited with code 3.*unknown/ });
    }
    assert.deepEqual(await closed, { kind: 'ended', detail: 'exited with code 3' });
    assert.ok(diagnostics.some(({ text }) => text === 'Error: out of memory'));
    await session.close();
  });

  it('PAGE-02: lists without end are ended, with what was read and the reason', async () => {
    const { session } = await openStdio(stdioBinding('endlessPages.mjs'));
    const tools = await listAll(session, 'tools', { maxItems: 50 });
    assert.equal(tools.items.length, 50);
    assert.equal(tools.truncated, 'the limit of 50 items was reached');
    const prompts = await listAll(session, 'prompts');
    assert.equal(prompts.items.length, 2);
    assert.equal(prompts.truncated, 'page 2 points back to a page that was read');
    assert.deepEqual((await listAll(session, 'resourceTemplates')).items, []);
    await session.close();
  });
});
