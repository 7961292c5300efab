/** Scenarios of @modelcontextprotocol/conformance, each judged by its checks and its exit code. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const client = relative(root, fileURLToPath(new URL('conformanceClient.ts', import.meta.url)));

interface Check {
  readonly id: string;
  readonly status: string;
}

/** Fails with what the suite says unless it is content. */
async function passes(scenario: string, revision: string): Promise<readonly Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    // The suite splits the command at blanks: paths are given relative to the root.
    const command = `${relative(root, process.execPath)} ${client}`;
    const options = ['--scenario', scenario, '--spec-version', revision, '-o', folder];
    const run = spawn(process.execPath, [suite, 'client', '--command', command, ...options], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    run.stdout.on('data', (chunk) => (said += String(chunk)));
    run.stderr.on('data', (chunk) => (said += String(chunk)));
    const [code] = await once(run, 'close');
    assert.equal(code, 0, said);
    const files = await readdir(folder, { recursive: true });
    const results = files.find((file) => file.endsWith('checks.json'));
    assert.ok(results, said);
    const checks: readonly Check[] = JSON.parse(await readFile(join(folder, results), 'utf8'));
    assert.deepEqual(
      checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING'),
      [],
    );
    return checks.filter(({ status }) => status === 'SUCCESS');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('The conformance suite', function () {
  this.timeout(90_000);

  it('ELIC-16: elicitation-sep1034-client-defaults, 2025-11-25', async () => {
    const checks = await passes('elicitation-sep1034-client-defaults', '2025-11-25');
    assert.ok(checks.length > 0, 'nothing was checked');
  });
});
