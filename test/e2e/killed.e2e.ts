// Whatever ends the extension, by force or by itself, no process of a server is left, and servers are there again where the
// editor is. That it takes 10 s at the most is shown without a browser, by the tests of the protocol and of the host.
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { ground } from './support/ground.ts';
import {
  type OwnServer,
  extensionHostOf,
  startOwnServer,
  stopOwnServer,
} from './support/ownServer.ts';
import { isAlive, linesOf, scripted, untilGone } from './support/servers.ts';
import { eventually, openWorkbench, until } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const goneMs = 30_000;

describe('The extension host is killed', () => {
  let server: OwnServer;
  let workbench: Workbench;
  let unwilling: string;
  let silent: string;
  let willing: string;
  let calls: string;

  before(async () => {
    const folder = await mkdtemp(path.join(ground().folder, 'killed-'));
    unwilling = path.join(folder, 'unwilling');
    silent = path.join(folder, 'silent');
    willing = path.join(folder, 'willing');
    calls = path.join(folder, 'calls');
    server = await startOwnServer(path.join(folder, 'editor'));
    workbench = await openWorkbench({
      server,
      userSettings: {
        'mcpHost.servers': {
          unwilling: scripted('unwilling.mjs', { PIDS: unwilling }),
          silent: {
            ...scripted('unwilling.mjs', { PIDS: silent, SILENT: 'yes' }),
            timeouts: { startSeconds: 600 },
          },
          archive: scripted('showcase.mjs', { PIDS: willing, CALLS: calls }),
        },
      },
    });
    await workbench.tree.show();
  });

  after(async () => {
    await workbench.close();
    await stopOwnServer(server);
  });

  it('STDIO-07, STDIO-08: kill -9 leaves no server behind, nor its child, also of one that is being started; they are ready again after it, and a call works', async () => {
    const before = await running();
    const host = extensionHostOf(before[0] ?? 0, server);
    await workbench.extension.forget();
    process.kill(host, 'SIGKILL');
    await untilGone(before, goneMs);
    await workbench.screenshot('killed');
    await workbench.restartExtensionHost();
    const after = await running();
    assert.deepEqual(
      after.filter((pid) => before.includes(pid)),
      [],
    );
    await workbench.runCommand('MCP Host: Run Tool…');
    await workbench.quickInput.fill('token');
    await workbench.quickInput.pick('token');
    await workbench.dialog.expect();
    await workbench.dialog.answer('Run');
    await eventually(
      () => linesOf(calls),
      (lines) => assert.equal(lines.at(-1), 'token'),
    );
    await workbench.screenshot('killed-ready-again');
  });

  it('STDIO-07: a reload of the window leaves none of those before it', async () => {
    const before = await running();
    await workbench.load();
    await untilGone(before, goneMs);
    await running();
  });

  it('STDIO-07: nor is one left when the editor’s server ends under an open window', async () => {
    const before = await running();
    server.process.kill('SIGTERM');
    await untilGone(before, goneMs);
  });

  /**
   * All processes of the servers, once two are ready and the third has all that it will have of a start: it never
   * answers, and ignores what the first one ignores, whose process comes first.
   */
  async function running(): Promise<readonly number[]> {
    await workbench.extension.waitForServer('unwilling', 'ready');
    await workbench.extension.waitForServer('archive', 'ready');
    await workbench.extension.waitForServer('silent', 'starting');
    const files = [unwilling, silent, willing];
    return until(
      'five processes',
      async () => (await Promise.all(files.map(linesOf))).flat().map(Number).filter(isAlive),
      ({ length }) => length === 5,
    );
  }
});
