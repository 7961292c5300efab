import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import { describeStartFailure } from '../../../../../src/mcp/transport/stdio/startFailure.ts';

async function textFor(
  code: string,
  start: { command: string; env?: Record<string, string>; cwd?: string },
): Promise<string> {
  const error = Object.assign(new Error('spawn failed'), { code });
  const failure = await describeStartFailure(error, { env: {}, ...start });
  assert.equal(failure.code, 'unreachable');
  return failure.message;
}

describe('describeStartFailure', () => {
  it('STDIO-10: names the launcher, the folders that were searched and where it comes from', async () => {
    const text = await textFor('ENOENT', {
      command: 'uvx',
      env: { PATH: ['/opt/a', '/opt/b'].join(delimiter) },
    });
    assert.match(text, /"uvx": it was not found/);
    assert.ok(text.includes(['/opt/a', '/opt/b'].join(delimiter)), text);
    assert.match(text, /Install uv /);
  });

  it('STDIO-10: reads the variable as Windows spells it', async () => {
    assert.match(await textFor('ENOENT', { command: 'x', env: { Path: '/opt/a' } }), /\/opt\/a/);
  });

  it('STDIO-10: says that there is no PATH', async () => {
    assert.match(await textFor('ENOENT', { command: 'npx' }), /no PATH to search/);
  });

  it('STDIO-10: suspects arguments in the command', async () => {
    assert.match(await textFor('ENOENT', { command: 'npx -y server' }), /belong in "args"/);
    assert.match(await textFor('ENOENT', { command: '/bin/npx -y x' }), /belong in "args"/);
  });

  it('STDIO-10: tells a missing working directory from a missing command', async () => {
    const cwd = '/nonexistent-folder-of-a-test';
    const text = await textFor('ENOENT', { command: 'node', cwd });
    assert.ok(text.includes(`working directory "${cwd}" does not exist`), text);
    const file = await textFor('ENOTDIR', { command: 'node', cwd: import.meta.filename });
    assert.match(file, /is not a folder/);
  });

  it('never quotes a value that may be a secret', async () => {
    const error = Object.assign(new Error("Received 'hunter2\\x00'"), {
      code: 'ERR_INVALID_ARG_VALUE',
    });
    const failure = await describeStartFailure(error, { command: 'node', env: {} });
    assert.match(failure.message, /NUL/);
    assert.ok(!failure.message.includes('hunter2'));
    assert.equal(failure.cause, undefined);
  });

  for (const code of ['EACCES', 'ENOEXEC', 'E2BIG', 'EMFILE', 'EIO', '']) {
    it(`explains ${code === '' ? 'an error without a code' : code}`, async () => {
      assert.match(await textFor(code, { command: 'tool' }), /^Cannot start "tool": .{20,}/);
    });
  }
});
