// Whatever ends the extension, by force or by itself, no process of a server is left, and servers are there again where the
// editor is. That it takes 10 s at the most is shown without a browser, by the tests of the protocol and of the host.
import assert from 'node:assert/strict';
import path from 'node:path';
import {
  type OwnServer,
  extensionHostOf,
  startOwnServer,
  stopOwnServer,
} from './support/ownServer.ts';
import { newFolder } from './support/ground.ts';
import { expectLast, isAlive, linesOf, scripted, untilGone } from './support/servers.ts';
import { inWindow, until } from './support/workbench.ts';

const goneMs = 30_000;

describe('The extension host is killed', () => {
  const folder = newFolder();
  const inFolder = (name: string): string => path.join(folder, name);
  const calls = inFolder('calls');
  const files = ['unwilling', 'silent', 'willing'].map(inFolder);
  const [unwilling = '', silent = '', willing = ''] = files;
  let server: OwnServer;
  const workbench = inWindow(async () => {
    server = await startOwnServer(inFolder('editor'));
    return {
      server,
      servers: {
        unwilling: scripted('unwilling.mjs', { PIDS: unwilling }),
        silent: {
          ...scripted('unwilling.mjs', { PIDS: silent, SILENT: 'yes' }),
          timeouts: { startSeconds: 600 },
        },
        archive: scripted('showcase.mjs', { PIDS: willing, CALLS: calls }),
      },
    };
  });
  const { dialog, extension } = workbench;

  after(() => stopOwnServer(server));

  it('STDIO-07, STDIO-08: kill -9 leaves no server behind, nor its child, also of one that is being started; they are ready again after it, and a call works', async () => {
    const before = await running();
    const host = extensionHostOf(before[0] ?? 0, server);
    await extension.forget();
    process.kill(host, 'SIGKILL');
    await untilGone(before, goneMs);
    await workbench.restartExtensionHost();
    const after = await running();
    assert.deepEqual(
      after.filter((pid) => before.includes(pid)),
      [],
    );
    await workbench.chooseTool('token');
    await dialog.answer('Run');
    await expectLast(calls, 'token');
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
    await extension.waitForServer('unwilling', 'ready');
    await extension.waitForServer('archive', 'ready');
    await extension.waitForServer('silent', 'starting');
    return until(
      'five processes',
      async () => (await Promise.all(files.map(linesOf))).flat().map(Number).filter(isAlive),
      ({ length }) => length === 5,
    );
  }
});
