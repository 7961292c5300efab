// A code-server of a test's own, for who ends it, or the extension hosts in it, by force. It is like those that all tests
// share; nothing ends it but the test.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readProcessTable } from '../../../src/mcp/transport/stdio/processTree.ts';
import { freePort } from '../../support/listening.ts';
import { type EditorServer, ground } from './ground.ts';
import { until } from './until.ts';

export interface OwnServer extends EditorServer {
  readonly process: ChildProcess;
}

/**
 * @param folder a new folder, for everything that it keeps
 * @param extensions default: those that all tests share
 */
export async function startOwnServer(
  folder: string,
  extensions = ground().extensions,
): Promise<OwnServer> {
  const { editor } = ground();
  const home = path.join(folder, 'home');
  await mkdir(home, { recursive: true });
  await mkdir(path.join(folder, 'User'), { recursive: true });
  const config = path.join(folder, 'code-server.yaml');
  await writeFile(config, 'cert: false\n');
  const address = `127.0.0.1:${await freePort()}`;
  const args =
    `--auth none --disable-telemetry --disable-update-check --disable-workspace-trust --bind-addr ${address}`.split(
      ' ',
    );
  const places = ['--config', config, '--user-data-dir', folder, '--extensions-dir', extensions];
  const child = spawn(editor.node, [editor.codeServer, ...args, ...places], {
    cwd: folder,
    env: { ...editor.env, HOME: home, USERPROFILE: home },
    stdio: 'ignore',
  });
  const url = `http://${address}`;
  await until(
    'the editor’s server',
    async () => {
      assert.equal(child.exitCode, null, 'the editor’s server has ended');
      return fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    Boolean,
    120_000,
  );
  return {
    url,
    profile: folder,
    settings: path.join(folder, 'User', 'settings.json'),
    process: child,
  };
}

/** Ends it with all that it has started: by force it would leave its own child behind, which nobody else ends. */
export async function stopOwnServer({ process: child }: OwnServer): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
}

/** The extension host that started the process `pid`; it must be one of this server. */
export function extensionHostOf(pid: number, server: OwnServer): number {
  const parents = new Map(readProcessTable().map((entry) => [entry.pid, entry.parentPid]));
  const host = parents.get(pid) ?? 0;
  const ancestors: number[] = [];
  for (let next = host; next > 1 && !ancestors.includes(next); next = parents.get(next) ?? 0) {
    ancestors.push(next);
  }
  assert.ok(ancestors.includes(server.process.pid ?? 0), `${pid} is of another server`);
  assert.match(readFileSync(`/proc/${host}/cmdline`, 'utf8'), /extensionHost/);
  return host;
}
