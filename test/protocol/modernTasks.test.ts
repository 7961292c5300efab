/** Tasks of the extension io.modelcontextprotocol/tasks at 2026-07-28, over real pipes and sockets. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { toBindings } from '../../src/host/servers/bindings.ts';
import { connect } from '../../src/mcp/client/connect.ts';
import type { ClientFeatures, Session } from '../../src/mcp/session/session.ts';
import { isMcpError } from '../../src/mcp/errors.ts';
import type { Progress } from '../../src/mcp/rpc/peer.ts';
import { hello } from '../support/hello.ts';
import { waitUntil } from '../support/waitUntil.ts';

const script = fileURLToPath(new URL('../servers/modernTasks.mjs', import.meta.url));

const greeter: ClientFeatures = {
  extensions: ['io.modelcontextprotocol/tasks'],
  elicit: async () => ({ action: 'accept', content: { name: 'Ada' } }),
};

async function refusesTasks(session: Session): Promise<void> {
  await assert.rejects(session.call('tools/call', { name: 'slow' }), {
    code: 'unsupported',
    message: /turned off for it: io\.modelcontextprotocol\/tasks/u,
  });
}

async function said(session: Session, name: string): Promise<string> {
  const { content } = await session.call('tools/call', { name });
  const [first] = content;
  assert.equal(first?.type, 'text');
  return first.text;
}

async function reach(
  wire: 'stdio' | 'http',
  use: (session: Session) => Promise<void>,
  features: ClientFeatures = greeter,
): Promise<void> {
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
  const child =
    wire === 'http'
      ? spawn(process.execPath, [script, 'http'], { stdio: ['pipe', 'pipe', 'inherit'] })
      : undefined;
  try {
    const port = child && String((await once(child.stdout, 'data'))[0]).trim();
    const bindings = toBindings(
      port === undefined
        ? { kind: 'stdio', command: process.execPath, args: [script], env, cwd: '.' }
        : { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} },
    );
    const { signal } = new AbortController();
    const session = await connect(bindings, hello({ features }), signal);
    try {
      assert.equal(session.server.revision, '2026-07-28');
      await use(session);
    } finally {
      await session.close();
    }
  } finally {
    child?.stdin.end();
    await (child && child.exitCode === null && once(child, 'exit'));
  }
}

for (const wire of ['stdio', 'http'] as const) {
  describe(`Tasks of 2026-07-28 over ${wire}`, function () {
    this.timeout(60_000);
    it('TASK-02, TASK-08, TASK-21: a handle that nobody asked for is polled to its result, its status is progress', async () => {
      await reach(wire, async (session) => {
        const seen: Progress[] = [];
        const onProgress = (progress: Progress): unknown => seen.push(progress);
        const { content } = await session.call('tools/call', { name: 'slow' }, { onProgress });
        assert.deepEqual(content, [{ type: 'text', text: 'done slowly' }]);
        assert.ok(seen.some(({ message }) => message === 'slow has begun'));
      });
    });

    it('EXT-01: a server is told of the extension only if it is asked for, and says that it needs it', async () => {
      await reach(wire, refusesTasks, {});
    });

    it('TASK-11, TASK-22: what a task asks is answered by tasks/update', async () => {
      await reach(wire, async (session) => {
        assert.equal(await said(session, 'asks'), 'Hello, Ada');
      });
    });

    it('TASK-15: a call that is given up cancels its task on the server', async () => {
      await reach(wire, async (session) => {
        const controller = new AbortController();
        const call = session.call(
          'tools/call',
          { name: 'endless' },
          { signal: controller.signal, onProgress: () => controller.abort() },
        );
        await assert.rejects(call, (error) => isMcpError(error) && error.code === 'cancelled');
        let told = '';
        const ask = async (): Promise<void> => {
          told = await said(session, 'cancelled');
        };
        await ask();
        await waitUntil('the cancellation', () => {
          void ask();
          return told === 'endless';
        });
      });
    });

    it('TASK-19: a task that is gone is said to be, and the call is not sent again', async () => {
      await reach(wire, async (session) => {
        await assert.rejects(session.call('tools/call', { name: 'gone' }), isMcpError);
      });
    });
  });
}
