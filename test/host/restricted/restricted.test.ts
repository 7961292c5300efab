/** A window in Restricted Mode: no server starts, whatever scope it comes from and whoever asks. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { listen } from '../../support/listening.ts';
import {
  ask,
  clear,
  configure,
  folder,
  numbersIn,
  probe,
  run,
  server,
  servers,
  temporaryFolder,
  until,
} from '../support/host.ts';

describe('Restricted Mode', () => {
  const pids = join(temporaryFolder(), 'pids');
  const web = createServer((request, response) => {
    requests += 1;
    request.resume();
    response.writeHead(404).end();
  });
  let requests = 0;

  before(async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const port = await listen(web);
    // By its file: the editor writes no workspace settings that it would not read.
    const settings = join(folder().uri.fsPath, '.vscode');
    mkdirSync(settings, { recursive: true });
    const theirs = { 'mcpHost.servers': { theirs: probe({ PIDS: pids }) } };
    writeFileSync(join(settings, 'settings.json'), JSON.stringify(theirs));
    await configure({
      auto: probe({ PIDS: pids }),
      onDemand: probe({ PIDS: pids }, { startup: 'onDemand' }),
      web: { url: `http://127.0.0.1:${port}/mcp` },
    });
    await until('the servers', () => servers().length >= 3);
  });

  after(async () => {
    await clear();
    web.close();
  });

  it('shows the user’s servers as restricted, and those of the workspace not at all', () => {
    assert.deepEqual(
      servers().map(({ id, state, because }) => [id, state, because]),
      ['auto', 'onDemand', 'web'].map((name) => [`user/${name}`, 'stopped', 'restricted']),
    );
  });

  it('refuses the commands that start a server, and a resource that would', async () => {
    for (const { id } of servers()) {
      await run('startServer', { serverId: id });
      await run('restartServer', { serverId: id });
    }
    await assert.rejects(ask('onDemand', 'pid'), /Restricted Mode/);
    await assert.rejects(ask('auto', 'pid'), /not running|Restricted Mode/);
    assert.ok(servers().every(({ because }) => because === 'restricted'));
  });

  it('starts nothing when a server is added or changed', async () => {
    await configure({ auto: probe({ PIDS: pids, WORD: 'new' }), added: probe({ PIDS: pids }) });
    await until('the change', () => server('added'));
    assert.ok(servers().every(({ because }) => because === 'restricted'));
  });

  it('has run no process, sent no request and not even loaded the protocol', () => {
    assert.deepEqual(numbersIn(pids), []);
    assert.equal(requests, 0);
    assert.ok(!Object.keys(require.cache).some((file) => basename(file) === 'servers.cjs'));
  });
});
