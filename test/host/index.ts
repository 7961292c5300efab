// The entry of the host tests: the extension host calls `run()`, in the browser and on the desktop alike.
// It runs the *.test.ts below this folder (found at build time, see esbuild.mjs) with mocha: those of `folders/` in a
// window with a workspace file, those of `restricted/` in one that is not trusted, those of `olderEditor/` beside its
// extension, the others in one with a folder.
// How it was started comes in environment variables from test/run.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path/posix';
import { files } from 'host-tests:all';
import * as vscode from 'vscode';
import Mocha from 'mocha/lib/mocha.cjs';
import options from '../../.mocharc.json' with { type: 'json' };
import CountingReporter from '../run/reporter.cjs';

/** Resolves when every test has passed and rejects otherwise; the extension host's exit code is made of that. */
export async function run(): Promise<void> {
  const countsFile = process.env['MCP_HOST_TEST_COUNTS'];
  if (countsFile !== undefined) rmSync(countsFile, { force: true });
  const mocha = new Mocha({
    ...options,
    ui: 'bdd',
    timeout: 60_000,
    color: false,
    reporter: CountingReporter,
  });
  const pattern = process.env['MCP_HOST_TEST_GREP'];
  if (pattern !== undefined && pattern !== '') {
    // The tests that are looked for may all belong to another window.
    mocha.grep(new RegExp(pattern)).failZero(false);
  }
  const place = placeOfTests();
  for (const [name, load] of Object.entries(files)) {
    if (dirname(name) !== place) continue;
    mocha.suite.emit('pre-require', globalThis, name, mocha);
    const loaded = load();
    mocha.suite.emit('require', loaded, name, mocha);
    mocha.suite.emit('post-require', globalThis, name, mocha);
  }
  const failed = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failed > 0) throw new Error(`${failed} host tests failed, or none was found`);
}

/** The folder, relative to this one, of the tests that are meant for a window like this. */
function placeOfTests(): string {
  if (vscode.extensions.getExtension('mcp-host-tests.older-editor')) return 'olderEditor';
  if (!vscode.workspace.isTrusted) return 'restricted';
  return vscode.workspace.workspaceFile === undefined ? '.' : 'folders';
}
