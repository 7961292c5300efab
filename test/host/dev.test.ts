/** Servers under development: restarted when their files change, with the editor's own debugger attached. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  ask,
  clear,
  configure,
  folder,
  isAlive,
  probe,
  run,
  until,
  untilState,
} from './support/host.ts';

const watched = 'watched/server.js';

async function write(name: string, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder().uri, name), Buffer.from(text));
}

describe('Servers under development', () => {
  before(async () => {
    await clear();
    await write(watched, '// first\n');
  });

  after(async () => {
    await clear();
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder().uri, 'watched'), {
      recursive: true,
    });
  });

  it('are restarted when a watched file is written, made or deleted', async () => {
    await configure({ edited: probe({}, { dev: { watch: 'watched/**' } }) });
    await untilState('edited', 'ready');
    const made = vscode.Uri.joinPath(folder().uri, 'watched/made.js');
    let version = 0;
    const changes: readonly (() => Thenable<void>)[] = [
      // A watcher takes a moment to begin: each attempt is another content.
      () => write(watched, `// ${(version += 1)}\n`),
      () => write('watched/made.js', `// ${(version += 1)}\n`),
    ];
    for (const change of changes) {
      const before = await pidOf('edited');
      await until('the end of the process', async () => {
        await change();
        return until('its end', () => !isAlive(before), 3_000).catch(() => undefined);
      });
      await untilState('edited', 'ready');
      assert.notEqual(await pidOf('edited'), before);
    }
    const before = await pidOf('edited');
    await vscode.workspace.fs.delete(made);
    await until('the end of the process', () => !isAlive(before));
    await untilState('edited', 'ready');
  });

  it('stay stopped when the user has stopped them, and go on when a file that is left out changes', async () => {
    const dev = { watch: ['watched/**', '!watched/out/**'] };
    await configure({ stopped: probe({}, { dev }), running: probe({}, { dev }) });
    await untilState('stopped', 'ready');
    await untilState('running', 'ready');
    await run('stopServer', { serverId: 'user/stopped' });
    await untilState('stopped', 'stopped');
    const before = Number(await ask('running', 'pid'));
    await write('watched/out/bundle.js', '// left out\n');
    assert.equal(Number(await ask('running', 'pid')), before);
    // What is watched comes after what is not: by then both have been seen.
    await until('the end of the process', async () => {
      await write(watched, `// ${Math.random()}\n`);
      return until('its end', () => !isAlive(before), 3_000).catch(() => undefined);
    });
    await untilState('running', 'ready');
    await untilState('stopped', 'stopped');
  });

  it('have the debugger of the editor attached at each start', async () => {
    const sessions: vscode.DebugSession[] = [];
    const ended: string[] = [];
    const listening = vscode.Disposable.from(
      vscode.debug.onDidStartDebugSession((session) => sessions.push(session)),
      vscode.debug.onDidTerminateDebugSession(({ name }) => ended.push(name)),
    );
    try {
      await configure({ debugged: probe({}, { dev: { debug: { type: 'node' } } }) });
      await untilState('debugged', 'ready');
      const session = await until('a session', () =>
        sessions.find(({ name }) => name === 'MCP: debugged'),
      );
      assert.deepEqual(
        [session.configuration.request, session.configuration['address']],
        ['attach', '127.0.0.1'],
      );
      assert.equal(typeof session.configuration['port'], 'number');
      await run('stopServer', { serverId: 'user/debugged' });
      await until('the end of the session', () => ended.includes('MCP: debugged'));
    } finally {
      listening.dispose();
    }
  });
});

/** Of the server that runs now, or soon: a second event of one change may restart it once more. */
function pidOf(server: string): Promise<number> {
  return until('the process', () => ask(server, 'pid').then(Number, () => undefined));
}
