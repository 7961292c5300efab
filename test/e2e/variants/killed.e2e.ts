// Whatever ends the extension, by force or by itself, no process of a server is left, and servers are there again where the
// editor is; tasks that were under way are asked for again. That it takes 10 s at the most is shown without a browser, by the tests of the protocol and of the host.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type OwnServer,
  extensionHostOf,
  startOwnServer,
  stopOwnServer,
} from '../support/ownServer.ts';
import { newFolder } from '../support/ground.ts';
import { takePicture } from '../support/pictures.ts';
import {
  expectLast,
  isAlive,
  linesOf,
  scripted,
  type StdioEntry,
  untilGone,
} from '../support/servers.ts';
import { inWindow, until } from '../support/workbench.ts';

const goneMs = 30_000;

describe('The extension host is killed', () => {
  const folder = newFolder();
  const inFolder = (name: string): string => path.join(folder, name);
  const calls = inFolder('calls');
  const files = ['unwilling', 'silent', 'willing'].map(inFolder);
  const [unwilling = '', silent = '', willing = ''] = files;
  const eras = ['legacy', 'modern'];
  const methods = inFolder('methods');
  const reporter = (era: string): StdioEntry =>
    scripted('longTasks.mjs', { ERA: era, TASKS: folder, METHODS: methods, TOOL: `${era}_report` });
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
        ...Object.fromEntries(eras.map((era) => [era, reporter(era)])),
      },
      userSettings: {
        'mcpHost.extensions': ['io.modelcontextprotocol/tasks'],
        'mcpHost.history.enabled': true,
      },
    };
  });
  const { dialog, editors, extension, notifications, tree } = workbench;

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
    await editors.waitForText('Success ·');
  });

  it('a task in each era goes on when the host is killed: it is shown as running, and its result comes', async () => {
    await beginTasks();
    const [pid = 0] = await running();
    await extension.forget();
    process.kill(extensionHostOf(pid, server), 'SIGKILL');
    await workbench.restartExtensionHost();
    await expectResults();
  });

  it('a task in each era goes on when the window is reloaded', async () => {
    await beginTasks();
    await workbench.reload();
    await expectResults();
    const sent = await linesOf(methods);
    assert.equal(sent.filter((method) => method === 'tools/call').length, 4);
    assert.ok(!sent.includes('tasks/cancel'));
  });

  it('a call that a reload of the window ends is told as lost', async () => {
    await running();
    await workbench.chooseTool('wait');
    await dialog.answer('Run');
    await until(
      'two seconds of it',
      () => notifications.shown(),
      (texts) => texts.some((text) => /running wait.* · [2-9] s/su.test(text)),
    );
    await workbench.reload();
    await notifications.waitFor('"wait", which ran when this window closed, has no result');
    await takePicture(workbench.page);
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

  /** Leaves a tool of each era at work, as a task of its server. */
  async function beginTasks(): Promise<void> {
    await rm(inFolder('finished'), { force: true });
    for (const era of eras) {
      await extension.waitForServer(era, 'ready');
      await workbench.chooseTool(`${era}_report`);
      await dialog.answer('Run');
      await notifications.waitFor(`running ${era}_report`);
    }
    await workbench.runCommand('MCP Host: Show Running Requests');
    for (const era of eras) await tree.expectRow(`${era}_report`, /Writing the report · task/);
  }

  /** What was left is shown as running; once it is done, each result is a document, and a call of the history. */
  async function expectResults(): Promise<void> {
    await tree.show();
    await workbench.runCommand('MCP Host: Show Running Requests');
    for (const era of eras) {
      await tree.expectRow(`${era}_report`, /Writing the report · task · asked by you/);
    }
    await takePicture(workbench.page);
    await writeFile(inFolder('finished'), '');
    for (const era of eras) {
      await notifications.answer(
        `"${era}_report", which ran when this window closed, is done`,
        'Show Result',
      );
      await editors.waitForText('The report is ready.');
      await tree.expectRow(`${era}_report`, /^\w+ · \d\d:\d\d:\d\d · .*asked by you$/);
    }
    await workbench.closeEditors();
  }

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
