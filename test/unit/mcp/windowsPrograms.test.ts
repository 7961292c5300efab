/** Starting programs on Windows, as far as it can be told anywhere. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { isObject } from '../../../src/base/json.ts';
import { spawnOptions } from '../../../src/mcp/transport/stdio/childProcess.ts';
import {
  findOnWindows,
  systemProgram,
  windowsCandidates,
} from '../../../src/mcp/windowsPrograms.ts';

const env = { Path: 'C:\\node;.;tools;"C:\\Program Files\\uv";', PATHEXT: '.EXE;.CMD' };

/** What cross-spawn would start on Windows, and how. It looks at the platform when it is loaded. */
function invocation(command: string, args: readonly string[]): unknown {
  const program = `
    Object.defineProperty(process, 'platform', { value: 'win32' });
    process.env.comspec = 'C:\\\\Windows\\\\system32\\\\cmd.exe';
    const parse = require(${JSON.stringify(createRequire(import.meta.url).resolve('cross-spawn/lib/parse'))});
    const [command, args] = JSON.parse(process.argv[1]);
    const parsed = parse(command, args, { env: {} });
    console.log(JSON.stringify([parsed.command, parsed.args]));`;
  const given = JSON.stringify([command, args]);
  return JSON.parse(execFileSync(process.execPath, ['-e', program, given], { encoding: 'utf8' }));
}

describe('starting on Windows', () => {
  it('looks for a name in the absolute folders of PATH, never in the working directory', () => {
    assert.deepEqual(windowsCandidates('npx', env), [
      'C:\\node\\npx.EXE',
      'C:\\node\\npx.CMD',
      'C:\\node\\npx',
      'C:\\Program Files\\uv\\npx.EXE',
      'C:\\Program Files\\uv\\npx.CMD',
      'C:\\Program Files\\uv\\npx',
    ]);
    assert.deepEqual(windowsCandidates('npx', {}), []);
  });

  it('takes a name with its extension first, and a path as it is', () => {
    assert.deepEqual(windowsCandidates('npx.cmd', { PATH: 'C:\\node', PATHEXT: '.EXE;.CMD' }), [
      'C:\\node\\npx.cmd',
      'C:\\node\\npx.cmd.EXE',
      'C:\\node\\npx.cmd.CMD',
    ]);
    const paths = windowsCandidates('D:\\work\\server', { PATH: 'C:\\node' });
    assert.deepEqual(paths[1], 'D:\\work\\server.EXE');
    assert.ok(paths.every((path) => path.startsWith('D:\\work\\server')));
  });

  it('a program that a repository brings along is not the one that is called by name', async () => {
    const files = new Set(['D:\\repository\\npx.CMD', 'C:\\node\\npx', 'C:\\node\\npx.CMD']);
    const isFile = async (path: string): Promise<boolean> => files.has(path);
    assert.equal(await findOnWindows('npx', env, isFile), 'C:\\node\\npx.CMD');
    files.delete('C:\\node\\npx.CMD');
    files.delete('C:\\node\\npx');
    assert.equal(await findOnWindows('npx', env, isFile), undefined);
  });

  it('its own tools are called by their whole path', () => {
    const own = 'D:\\WINNT\\System32\\taskkill.exe';
    assert.equal(systemProgram('taskkill.exe', { SystemRoot: 'D:\\WINNT' }), own);
    assert.equal(systemProgram('taskkill.exe', {}), 'C:\\Windows\\System32\\taskkill.exe');
  });

  it('no window opens, and no shell reads the command line', () => {
    const windows = { stdio: 'pipe', shell: false, windowsHide: true, detached: false };
    assert.deepEqual(spawnOptions('win32'), windows);
    assert.deepEqual(spawnOptions('linux'), { ...windows, detached: true });
  });

  it('arguments of a .cmd file reach it as they are: cmd.exe finds nothing of its own in them', () => {
    const found = invocation('C:\\node\\npx.cmd', ['-y', 'a b', '& calc', '"q"', '%PATH%', 'x\\']);
    assert.ok(Array.isArray(found));
    const [program, args]: readonly unknown[] = found;
    assert.equal(program, 'C:\\Windows\\system32\\cmd.exe');
    assert.ok(Array.isArray(args));
    assert.deepEqual(args.slice(0, 3), ['/d', '/s', '/c']);
    const line = String(args[3]);
    // Behind a caret, a character means itself to cmd.exe.
    const bare = line.slice(1, -1).replaceAll(/\^./gu, '');
    assert.doesNotMatch(bare, /[&|<>%"()!]/u, line);
    assert.match(line, /\^&\^ calc/u);
    assert.match(line, /\^%PATH\^%/u);
    assert.ok(!isObject(found));
  });
});
