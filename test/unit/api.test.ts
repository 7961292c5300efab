import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('api/mcpHost.d.ts', () => {
  it('compiles on its own, in an extension that uses all of it', async () => {
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023'];
    const modules = ['--module', 'nodenext', '--allowImportingTsExtensions', '--types', 'node'];
    const files = ['api/mcpHost.d.ts', 'test/support/apiConsumer.ts'];
    // A failure rejects, with what the compiler says on its standard output.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [tsc, ...options, ...modules, ...files],
      { cwd: root },
    ).catch((error: { readonly stdout: string }) => error);
    assert.equal(stdout, '');
  }).timeout(60_000);
});
