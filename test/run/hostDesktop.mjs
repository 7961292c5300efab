// Runs the host tests in a desktop VS Code, which is downloaded on first use: the same bundle as hostWeb.mjs.
//   node test/run/hostDesktop.mjs [--oldest] [--no-build] [--grep PATTERN] [--code PATH]
// It needs a display (on Linux also `xvfb-run`). --code takes an installed VS Code instead of the download.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defer } from '../../scripts/support/lifetime.mjs';
import { Failure } from '../../scripts/support/output.mjs';
import { cache, localNode, root } from '../../scripts/support/project.mjs';
import { runOnLocalNode } from '../../scripts/support/runtime.mjs';
import { buildForHostTests, copyWorkspace, followFile } from './hostRun.mjs';

await runOnLocalNode(async (args) => {
  const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const isOldest = args.includes('--oldest');
  if (!args.includes('--no-build')) await buildForHostTests();
  const { runTests } = await import('@vscode/test-electron');
  const run = await mkdtemp(path.join(tmpdir(), 'mcp-host-tests-'));
  defer(() => rm(run, { recursive: true, force: true, maxRetries: 5 }));
  const outputFile = path.join(run, 'output.txt');
  const code = option('--code');
  const print = followFile(outputFile);
  try {
    await runTests({
      ...(code === undefined
        ? { version: isOldest ? '1.110.0' : 'stable', cachePath: path.join(cache, 'desktop') }
        : { vscodeExecutablePath: code }),
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(root, 'dist/test/host.cjs'),
      launchArgs: [
        await copyWorkspace(run),
        '--disable-workspace-trust',
        '--disable-extensions',
        '--user-data-dir',
        path.join(run, 'profile'),
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
      extensionTestsEnv: {
        MCP_HOST_TEST_COUNTS: process.env.MCP_HOST_TEST_COUNTS,
        MCP_HOST_TEST_OUTPUT: outputFile,
        MCP_HOST_TEST_GREP: option('--grep') ?? (isOldest ? '@smoke' : ''),
        MCP_HOST_TEST_NODE: localNode,
      },
    });
  } catch (error) {
    throw new Failure(`Host tests failed on a desktop VS Code: ${error.message}`);
  } finally {
    await print();
  }
});
