/** Runs the command of @modelcontextprotocol/conformance. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

export interface SuiteRun {
  readonly code: unknown;
  readonly said: string;
  readonly checks: readonly Check[];
  /** Failures and warnings among them. */
  readonly wanting: readonly Check[];
  /** Whether the client of conformanceClient.ts came to its end. */
  readonly isDone: boolean;
}

/** Its scenarios for clients or servers, each with its revisions; `extension` where it names none. */
export function listScenarios(
  side: 'client' | 'server',
): readonly (readonly [scenario: string, revisions: readonly string[]])[] {
  const list = execFileSync(process.execPath, [suite, 'list', `--${side}`], { encoding: 'utf8' });
  const lines = [...list.matchAll(/^ +- (\S+) \[([^\]]*)\]$/gmu)];
  assert.ok(lines.length > 0, `The suite lists nothing:\n${list}`);
  const listed = [...list.matchAll(/^ +- /gmu)];
  assert.equal(lines.length, listed.length, `A scenario is listed in another way:\n${list}`);
  return lines.map(([, scenario = '', revisions = '']) => [scenario, revisions.split(',')]);
}

/** One scenario. @param args of the command, besides the scenario */
export async function runSuite(
  side: 'client' | 'server',
  scenario: string,
  ...args: readonly string[]
): Promise<SuiteRun> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const run = spawn(
      process.execPath,
      [suite, side, '--scenario', scenario, '-o', folder, ...args],
      {
        cwd: root,
        env: { ...process.env, CLIENT_DONE: join(folder, 'done') },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let said = '';
    run.stdout.on('data', (chunk) => (said += String(chunk)));
    run.stderr.on('data', (chunk) => (said += String(chunk)));
    const [code] = await once(run, 'close');
    const files = await readdir(folder, { recursive: true });
    const results = files.find((file) => file.endsWith('checks.json'));
    const checks: readonly Check[] =
      results === undefined ? [] : JSON.parse(await readFile(join(folder, results), 'utf8'));
    const wanting = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    return { code, said, checks, wanting, isDone: files.includes('done') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
