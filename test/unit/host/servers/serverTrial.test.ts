import assert from 'node:assert/strict';
import { WorkspaceRoots } from '../../../../src/host/roots/workspaceRoots.ts';
import { tryServer } from '../../../../src/host/servers/serverTrial.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';
import { ServerOutput } from '../../../../src/host/servers/serverOutput.ts';
import { isMcpError, McpError } from '../../../../src/mcp/errors.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeWorkspace } from '../../../support/fakeWorkspace.ts';
import { FakeLogs } from '../../../support/fakeLogs.ts';
import { FakeConnector, FakeSession } from '../../../support/fakeSession.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const server = stdioServer('time');
const launch = { kind: 'stdio', command: 'time', args: [], env: {}, cwd: '/' } as const;
const roots = new WorkspaceRoots(new FakeWorkspace([]));
const { signal } = new AbortController();

function tried(connector: FakeConnector, secrets: readonly string[] = []) {
  const output = new ServerOutput(new FakeLogs().open(server), new FakeClock());
  const parts = { connector: () => connector, roots, serverMemory: new ServerMemory() };
  return { output, result: tryServer(server, { launch, secrets }, parts, output, signal) };
}

describe('The trial of a server', () => {
  it('says what it is and what it offers, and ends it', async () => {
    const tool = { name: 'now', inputSchema: { type: 'object' } } as const;
    const session = new FakeSession(
      { tools: {}, prompts: {} },
      {
        'tools/list': () => ({ tools: [tool, { ...tool, name: 'then' }] }),
        'prompts/list': () => {
          throw new McpError('rpc', 'no');
        },
      },
    );
    const { counts, failed, server: found } = await tried(new FakeConnector(() => session)).result;
    assert.deepEqual([...counts], [['tools', 2]]);
    assert.deepEqual(failed, ['prompts']);
    assert.equal(found.info.name, 'fake');
    assert.equal(session.closes, 1);
    assert.equal(session.hasListeners, false);
  });

  it('lets the server ask nobody anything', async () => {
    const connector = new FakeConnector();
    await tried(connector).result;
    assert.deepEqual(Object.keys(connector.requests[0]?.features ?? {}), ['listRoots']);
  });

  it('fails with what the start failed with, without secrets, and keeps the last words', async () => {
    const connector = new FakeConnector(({ onDiagnostic }) => {
      onDiagnostic({ level: 'info', source: 'stderr', text: 'bad key hunter2' });
      throw new McpError('unreachable', 'exited: hunter2 is no key');
    });
    const { result, output } = tried(connector, ['hunter2']);
    await assert.rejects(result, (error) => {
      assert.ok(isMcpError(error));
      assert.equal(error.code, 'unreachable');
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    });
    assert.equal(output.lastStderr.length, 1);
    assert.doesNotMatch(output.lastStderr.join(), /hunter2/);
  });
});
